import type { RailCallback } from '../../actions/ports/rail-callbacks.ts'
import type { Rail, RailReport, UnrequestedPayment } from '../../actions/ports/rail.ts'
import type { Random } from '../../domain/references.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Timers } from '../../actions/ports/timers.ts'
import type { SimulatedFloat } from './operator-float.ts'
import type { Market } from './market.ts'
import type { SimulatedUnrequested } from './operator-unrequested.ts'
import type { Member } from './scheduler.ts'

/** A process, as seen by its connection to the operator. */
export interface ConnectingProcess {
  readonly member: Member
  readonly random: Random
  readonly timers: Timers
}

/** The receiver of an operator's messages. */
export interface Receivers {
  /**
   * Hands a message to one of the gateway's processes.
   * @throws ProcessDied, StorageUnavailable
   */
  receive(n: number, callback: RailCallback): Promise<void>
  /** Called with every error that an adapter must not throw. */
  readonly onFault: (error: unknown) => void
}

/** The operator of a schedule with its own records, which no crash of ours affects, whatever connects us to it. */
export interface OperatorSide {
  readonly market: Market
  /** Whether it also pays from bank accounts. */
  readonly hasBanks: boolean
  /** The connection of one process to it. */
  connectionOf(process: ConnectingProcess): Rail
  /** How often the money of a payment moved: more than once is a bug of ours. */
  transfers(internalReference: string): number
  /** Whether it ever reported a payment as failed, or rejected it. */
  reportedFailed(internalReference: string): boolean
  /**
   * Whether only its statement shows the outcome of a payment that has no result.
   * @param isNamed whether we know the operator's id of the payment
   */
  isUntold(transaction: Transaction, isNamed: boolean): boolean
  /** Whether any message was forged. Absent: none ever is. */
  readonly hasForged?: boolean
  /** Whether a message was forged that says it was paid. */
  isForgedAsPaid?(internalReference: string): boolean
  /** Whether it has withheld the result of a payment for long, so that the payment may still be open without a bug. */
  isLate?(internalReference: string): boolean
  /** Where its records differ from the payments; empty when they do not. */
  differences?(transactions: readonly Transaction[]): readonly string[]
  /** What it holds for payouts; absent: it takes all of them. */
  readonly float?: SimulatedFloat
  /** Payments that nobody asked for; absent: it tells of none. */
  readonly unrequested?: SimulatedUnrequested | UnrequestedSide
  /** Absent if it reports by messages to the gateway's address. */
  readonly reports?: Reports
}

/** Payments at an operator that nobody asked for. */
export interface UnrequestedSide {
  /** By receipt. */
  readonly paid: ReadonlyMap<string, Pick<UnrequestedPayment, 'amount'>>
  /** Receipts in messages that the gateway has accepted. */
  readonly acknowledged: ReadonlySet<string>
  /** A few customers pay, and the operator tells of it. */
  pay(): Promise<void>
}

/** Reports that an operator makes by calls of its own, until one is acknowledged. */
export interface Reports {
  /** A report is due now. */
  onDue: () => void
  /** Returns the due reports and removes them: the caller gives back those that were not acknowledged. */
  takeDue(): DueReport[]
  giveBack(reports: readonly DueReport[]): void
}

export interface DueReport {
  readonly atMs: number
  readonly report: RailReport
}
