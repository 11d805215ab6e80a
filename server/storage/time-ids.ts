import { TIME_ORIGIN_MS } from '../domain/references.ts'
import type { TransferKind } from '../domain/ledger.ts'
import type { CallbackEvent } from '../domain/callback.ts'

// Ids encode when their payment was accepted, so that all tables of the history can be partitioned by id: 31 bits for
// the seconds since 2020 (until 2088), 18 for a number that wraps around, and 4 for the parts of the payment (its
// transfers and callbacks). That is 53 bits in total, because merchants read a transaction id as a JSON number.

const NUMBER_BITS = 18n
const PART_BITS = 4n
const SECOND_BITS = NUMBER_BITS + PART_BITS
const SECONDS_MAX = 2n ** 31n - 1n
/** The last second that an id can encode, in 2088. */
export const LAST_TIME = new Date(TIME_ORIGIN_MS + Number(SECONDS_MAX) * 1000)

/**
 * Lower ids are from before time ids: they come from a sequence and encode no time. So do the ids for times before
 * this one.
 */
export const FIRST_MONTH = new Date('2026-01-01T00:00:00Z')
export const FIRST_TIME_ID = idBound(FIRST_MONTH)

/** The lowest id of this time: whatever is from this time or later has this id or a higher one. */
export function idBound(at: Date): bigint {
  const second = BigInt(Math.floor((at.getTime() - TIME_ORIGIN_MS) / 1000))
  if (second > SECONDS_MAX) throw new RangeError(`${at.toISOString()} is outside the time range of ids`)
  return second << SECOND_BITS
}

/** The base to which the numbers within a second are added; 0 where an id encodes no time. */
export const idBase = (at: Date): bigint => (at < FIRST_MONTH ? 0n : idBound(at))

/** The base of a time that somebody asks about: no id is of a later one than the last. */
export const idBaseFrom = (at: Date): bigint => idBase(at > LAST_TIME ? LAST_TIME : at)

/**
 * SQL expression for the next id of a transaction, or of a transfer without one. Sessions do not cache sequence
 * numbers, so a number repeats only after 262,144 others, more than any second sees.
 * @param base an SQL expression, the result of idBase
 * @param sequence assigns the ids that encode no time
 */
export const nextIdOf = (base: string, sequence: 'transaction_ids' | 'transfer_ids'): string =>
  `case when ${base} = 0 then nextval('${sequence}')
     else ${base} + ((nextval('transaction_ids') & ${2n ** NUMBER_BITS - 1n}) << ${PART_BITS}) end`

/**
 * SQL condition that a transfer or callback belongs to a transaction; the planner prunes it to one partition.
 * @param alias of transfers or callbacks
 * @param transactionId an SQL expression
 */
export const ofPayment = (alias: string, transactionId: string): string =>
  `(${alias}.transaction_id = ${transactionId} and ${alias}.id between first_id_of_payment(${transactionId})
     and last_id_of_payment(${transactionId}))`

/**
 * Which part of its transaction a transfer is. A transaction has at most one transfer of each kind; the primary key
 * enforces it.
 */
const TRANSFER_PARTS: Readonly<Partial<Record<TransferKind, bigint>>> = {
  collection: 1n,
  // Of an attempt, which has no collection transfer.
  collection_again: 1n,
  suspense_return: 1n,
  suspense_taken: 2n,
  clearing: 2n,
  reserve_release: 3n,
  payout_hold: 4n,
  payout: 5n,
  payout_release: 6n,
  payout_late: 7n,
  refund_hold: 4n,
  refund: 5n,
  refund_release: 6n,
  refund_late: 7n,
}
const CALLBACK_PARTS: Readonly<Record<CallbackEvent, bigint>> = {
  'transaction.failed': 0n,
  'transaction.completed': 1n,
  'payout_batch.completed': 2n,
  'refund.failed': 0n,
  'refund.completed': 1n,
}

/** Undefined where the sequence assigns the id: for transactions from before time ids. */
const partOf = (transactionId: bigint, part: bigint | undefined): bigint | undefined =>
  transactionId < FIRST_TIME_ID || part === undefined ? undefined : transactionId + part

/** The id of a transaction's transfer; undefined where it encodes no time and the sequence assigns it. */
export const transferIdOf = (transactionId: bigint, kind: TransferKind): bigint | undefined =>
  partOf(transactionId, TRANSFER_PARTS[kind])

/** The id of a transaction's callback; undefined where it encodes no time and the sequence assigns it. */
export const callbackIdOf = (transactionId: bigint, event: CallbackEvent): bigint | undefined =>
  partOf(transactionId, CALLBACK_PARTS[event])
