import type { PaymentSession } from './payment-session.ts'
import { failedAs, isFinal, isLateInTime, paidBy, type Transaction } from './transaction.ts'

/**
 * How often a customer may try to pay one collection. Prompts are bounded per account number besides
 * (account-bounds.ts).
 */
export const ATTEMPTS_MAX = 5

/** A collection that may be tried more than once, with its customer's session. */
export interface TriedCollection {
  readonly collection: Transaction
  readonly session: PaymentSession
}

/**
 * What the end of an attempt means for its collection.
 * - `paid`: the collection is completed by this attempt.
 * - `paid_again`: money that the collection has no use for. It belongs to its payer, and stays on suspense until it is
 *   refunded.
 * - `retry`: its customer may try again.
 * - `failed`: the failure of this attempt is that of the collection.
 * - `nothing`: the collection has ended before.
 */
export type AttemptEffect =
  | { readonly effect: 'paid' | 'failed'; readonly collection: Transaction }
  | { readonly effect: 'paid_again' | 'retry' | 'nothing' }

/**
 * Applies the end of an attempt to its collection. One attempt at most is open; a late success may come from any of
 * the earlier ones.
 * @param attempt COMPLETED or FAILED
 * @param number of this attempt, from 1
 */
export function afterAttempt(
  { collection, session }: TriedCollection,
  attempt: Transaction,
  number: number,
  now: Date,
): AttemptEffect {
  if (attempt.status === 'COMPLETED') {
    const isWanted = !isFinal(collection.status) || (collection.status === 'FAILED' && isLateInTime(collection, now))
    return isWanted ? { effect: 'paid', collection: paidBy(collection, attempt, now) } : { effect: 'paid_again' }
  }
  if (isFinal(collection.status)) return { effect: 'nothing' }
  return now < session.expiresAt && number < ATTEMPTS_MAX
    ? { effect: 'retry' }
    : { effect: 'failed', collection: failedAs(collection, attempt, now) }
}

/** Whether its money went to suspense: its collection was paid by another attempt, or has ended. */
export const isPaidAgain = ({ isAttempt, status, railPaidAt }: Transaction): boolean =>
  isAttempt === true && status === 'COMPLETED' && railPaidAt !== undefined
