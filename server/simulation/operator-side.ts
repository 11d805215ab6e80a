import type { RailCallback } from '../actions/ports/rail-callbacks.ts'
import type { Rail, RailReport } from '../actions/ports/rail.ts'
import type { Random } from '../domain/references.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Timers } from '../work/timers.ts'
import type { Market } from './market.ts'
import type { Member } from './scheduler.ts'

/** A process, as its connection to the operator sees it. */
export interface ConnectingProcess {
  readonly member: Member
  readonly random: Random
  readonly timers: Timers
}

/** Where an operator's messages arrive. */
export interface Receivers {
  /** Hands a message to one of the gateway's processes. @throws ProcessDied, StorageUnavailable */
  receive(n: number, callback: RailCallback): Promise<void>
  /** Hears of what an adapter must not throw. */
  readonly onFault: (error: unknown) => void
}

/** The operator of a schedule with its book, which no crash of ours touches, whatever the way to it is. */
export interface OperatorSide {
  readonly market: Market
  /** Whether it also pays from bank accounts. */
  readonly hasBanks: boolean
  /** The connection of one process to it. */
  connectionOf(process: ConnectingProcess): Rail
  /** How often the money of a payment moved: more than once is a fault of ours. */
  transfers(internalReference: string): number
  /** Whether it ever said that a payment failed, or refused it. */
  saidFailed(internalReference: string): boolean
  /**
   * Whether nothing but its statement tells what came of a payment that it has no result of.
   * @param isNamed whether we know what the operator calls it
   */
  isUntold(transaction: Transaction, isNamed: boolean): boolean
  /** Whether somebody has forged a message that it was paid. */
  isForgedAsPaid(internalReference: string): boolean
  /** Whether it has not told the result of a payment for long, so that it may still be open without any fault. */
  isLate(internalReference: string): boolean
  /** Where its book differs from what the payments say; empty when it does not. */
  differences(transactions: readonly Transaction[]): readonly string[]
  /** Absent where it reports by messages to the gateway's address. */
  readonly reports?: Reports
}

/** What an operator tells by calls of its own, until somebody has taken it. */
export interface Reports {
  /** Somebody has to hear of a report now. */
  onDue: () => void
  /** Those that are due, and no longer kept: whoever takes them gives back what was not acknowledged. */
  takeDue(): DueReport[]
  giveBack(reports: readonly DueReport[]): void
}

export interface DueReport {
  readonly atMs: number
  readonly report: RailReport
}
