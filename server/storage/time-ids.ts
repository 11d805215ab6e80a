import { TIME_ORIGIN_MS } from '../domain/references.ts'
import type { TransferKind } from '../domain/ledger.ts'
import type { CallbackEvent } from '../domain/callback.ts'

// An id tells when its payment was accepted, so that all tables of the history can be cut by it: 31 bits of seconds since
// 2020 (until 2088), 18 of a number that begins anew when it is used up, and 4 for what belongs to the payment: its transfers
// and its callbacks. 53 bits in all, because merchants read the id of a transaction as a number of JSON.

const NUMBER_BITS = 18n
const PART_BITS = 4n
const SECOND_BITS = NUMBER_BITS + PART_BITS
const SECONDS_MAX = 2n ** 31n - 1n
/** The last second that ids can tell, in 2088. */
export const LAST_TIME = new Date(TIME_ORIGIN_MS + Number(SECONDS_MAX) * 1000)

/** Ids of before lie below: they are numbers of a sequence, and tell nothing. So do those of an earlier time than this. */
export const FIRST_MONTH = new Date('2026-01-01T00:00:00Z')
export const FIRST_TIME_ID = idBound(FIRST_MONTH)

/** What is of this time or later has this id or a higher one. */
export function idBound(at: Date): bigint {
  const second = BigInt(Math.floor((at.getTime() - TIME_ORIGIN_MS) / 1000))
  if (second > SECONDS_MAX) throw new RangeError(`${at.toISOString()} is beyond the time that ids can tell`)
  return second << SECOND_BITS
}

/** What the numbers of a second are added to; 0 where an id is to tell nothing. */
export const idBase = (at: Date): bigint => (at < FIRST_MONTH ? 0n : idBound(at))

/**
 * The next id of a transaction, or of a transfer without one, as an expression of SQL. The sequence keeps no numbers back
 * in sessions, so one comes again after 262,144 others: more than any second sees.
 * @param base an expression, of idBase
 * @param sequence that counts what tells no time
 */
export const nextIdOf = (base: string, sequence: 'transaction_ids' | 'transfer_ids'): string =>
  `case when ${base} = 0 then nextval('${sequence}')
     else ${base} + ((nextval('transaction_ids') & ${2n ** NUMBER_BITS - 1n}) << ${PART_BITS}) end`

/**
 * That a transfer or callback belongs to a transaction, as a condition of SQL that leads to one partition.
 * @param alias of transfers or callbacks @param transactionId an expression
 */
export const ofPayment = (alias: string, transactionId: string): string =>
  `(${alias}.transaction_id = ${transactionId} and ${alias}.id between first_id_of_payment(${transactionId})
     and last_id_of_payment(${transactionId}))`

/** Which part of its transaction a transfer is: it has one of a kind at most, and its primary key says so. */
const TRANSFER_PARTS: Readonly<Partial<Record<TransferKind, bigint>>> = {
  collection: 1n,
  clearing: 2n,
  reserve_release: 3n,
  payout_hold: 4n,
  payout: 5n,
  payout_release: 6n,
  payout_late: 7n,
}
const CALLBACK_PARTS: Readonly<Record<CallbackEvent, bigint>> = {
  'transaction.failed': 0n,
  'transaction.completed': 1n,
}

/** Undefined where the sequence counts: for transactions of before. */
const partOf = (transactionId: bigint, part: bigint | undefined): bigint | undefined =>
  transactionId < FIRST_TIME_ID || part === undefined ? undefined : transactionId + part

/** The id of a transaction's transfer; undefined where its id tells no time, and the sequence counts. */
export const transferIdOf = (transactionId: bigint, kind: TransferKind): bigint | undefined =>
  partOf(transactionId, TRANSFER_PARTS[kind])

/** The id of a transaction's callback; undefined where its id tells no time, and the sequence counts. */
export const callbackIdOf = (transactionId: bigint, event: CallbackEvent): bigint | undefined =>
  partOf(transactionId, CALLBACK_PARTS[event])
