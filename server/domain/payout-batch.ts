import { money, type Currency, type Money } from './money.ts'
import type { BatchHandshake } from './handshake.ts'
import { isFinal, isPaidNotBooked, type Transaction } from './transaction.ts'

/** The most payouts of a file. */
export const BATCH_ROWS_MAX = 10_000

/** How often a batch is looked at: after a tenth of its age, between these two. */
const FINISH_MS_MIN = 2_000
const FINISH_MS_MAX = 600_000

/** Payouts that were accepted together. */
export interface PayoutBatch {
  readonly id: bigint
  readonly merchantId: bigint
  readonly reference: string
  readonly createdAt: Date
  /** When every payout was final. */
  readonly finishedAt?: Date
  /** Absent: each payout has a handshake of its own. */
  readonly handshake?: BatchHandshake
}

/** A payout of a batch. */
export interface BatchPayout {
  /** Its place in the request, from 1; in a file its line. */
  readonly line: number
  readonly payout: Transaction
  /** Whether a later batch has tried it again. */
  readonly isRetried: boolean
}

/** The payouts of a batch in one currency. */
export interface BatchTotal {
  readonly payouts: number
  readonly amount: Money
  readonly completed: number
  readonly failed: number
}

/** By currency, in the order in which they come first. */
export const totalsOf = (payouts: readonly Pick<Transaction, 'amount' | 'status'>[]): readonly BatchTotal[] =>
  [...Map.groupBy(payouts, ({ amount }) => amount.currency)].map(([currency, alike]) => ({
    payouts: alike.length,
    amount: sumOf(currency, alike),
    completed: alike.filter(({ status }) => status === 'COMPLETED').length,
    failed: alike.filter(({ status }) => status === 'FAILED').length,
  }))

const sumOf = (currency: Currency, payouts: readonly Pick<Transaction, 'amount'>[]): Money =>
  money(
    payouts.reduce((sum, { amount }) => sum + amount.amountMinor, 0n),
    currency,
  )

export const isBatchFinal = (payouts: readonly Pick<Transaction, 'status'>[]): boolean =>
  payouts.every(({ status }) => isFinal(status))

/**
 * Whether a payout of a batch may be tried again: it failed, nothing says that it was paid all the same, and no later
 * batch has it. An outcome that is not known is no failure.
 */
export const isRetryable = ({ payout, isRetried }: BatchPayout): boolean =>
  payout.status === 'FAILED' && !isPaidNotBooked(payout) && !isRetried

/** When it is looked at again whether every payout of a batch is final. */
export const nextLookAt = ({ createdAt }: Pick<PayoutBatch, 'createdAt'>, now: Date): Date => {
  const tenthOfAge = (now.getTime() - createdAt.getTime()) / 10
  return new Date(now.getTime() + Math.min(Math.max(tenthOfAge, FINISH_MS_MIN), FINISH_MS_MAX))
}
