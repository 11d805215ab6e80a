import type { Transaction } from './transaction.ts'

/** The last is about a batch, and has no legacy signatures: their text is one of a transaction. */
export type CallbackEvent = `${'transaction' | 'refund'}.${'completed' | 'failed'}` | 'payout_batch.completed'

/** `transaction.completed` for COMPLETED, `transaction.failed` for FAILED and CANCELLED; of a refund `refund.…`. */
export const callbackEventOf = ({ status, type }: Pick<Transaction, 'status' | 'type'>): CallbackEvent =>
  `${type === 'REFUND' ? 'refund' : 'transaction'}.${status === 'COMPLETED' ? 'completed' : 'failed'}`

/**
 * The status that a callback reports, whatever its transaction has become since: of the final ones only FAILED changes
 * again, to COMPLETED.
 */
export const statusReported = (
  event: CallbackEvent,
  { status }: Pick<Transaction, 'status'>,
): Transaction['status'] => {
  if (event.endsWith('.completed')) return 'COMPLETED'
  return status === 'CANCELLED' ? 'CANCELLED' : 'FAILED'
}

/**
 * The string that `hmac-signature` and `rsa-signature` sign. It covers neither amount, nor body, nor time: the
 * Standard Webhooks headers do.
 */
export const legacySignedText = (
  event: CallbackEvent,
  transaction: Pick<Transaction, 'merchantReference' | 'internalReference' | 'type' | 'status'>,
): string =>
  [event, transaction.merchantReference, transaction.internalReference, transaction.type, transaction.status].join(':')

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Backoff: delays before the second, third … attempt. After the last one the delivery has failed. */
export const CALLBACK_RETRY_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
export const CALLBACK_TIMEOUT_MS = 15 * SECOND
/** How much of a merchant's reply is stored with the attempt. */
export const REPLY_EXCERPT_BYTES = 1024
/** Upper bound for a merchant's Retry-After: the longest delay of our own schedule. */
const RETRY_AFTER_MAX_MS = 24 * HOUR

/** The result of one attempt, as far as it affects the schedule. */
interface AttemptResult {
  /** HTTP status, absent when no reply came. */
  readonly httpStatus?: number
  readonly retryAfterMs?: number
}

export type NextStep =
  | { readonly step: 'delivered' }
  | { readonly step: 'stopped'; readonly why: string }
  | { readonly step: 'retry'; readonly afterMs: number }

/**
 * Any 2xx acknowledges; 410 ends this delivery; everything else is retried until the schedule ends.
 * @param attempts how many attempts there have been, this one included, since the callback was created or staff resent
 *   it
 * @param jitter between 0 and 1: up to a tenth of the delay is added, so that a recovering server does not get all
 *   retries at once
 */
export function nextStep(result: AttemptResult, attempts: number, jitter: number): NextStep {
  const { httpStatus, retryAfterMs } = result
  if (httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300) return { step: 'delivered' }
  if (httpStatus === 410) return { step: 'stopped', why: 'The merchant answered 410 Gone' }
  const waitMs = CALLBACK_RETRY_MS[attempts - 1]
  if (waitMs === undefined) return { step: 'stopped', why: `No acknowledgement in ${attempts} attempts` }
  const queriedMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
  return { step: 'retry', afterMs: Math.round(Math.max(waitMs, queriedMs) * (1 + jitter / 10)) }
}
