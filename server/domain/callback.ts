import type { Transaction } from './transaction.ts'

export type CallbackEvent = 'transaction.completed' | 'transaction.failed'

/** `transaction.completed` for COMPLETED, `transaction.failed` for FAILED and CANCELLED. */
export const callbackEventOf = ({ status }: Pick<Transaction, 'status'>): CallbackEvent =>
  status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed'

/**
 * The status that a callback tells, whatever its transaction has become since: of the final ones only FAILED changes
 * again, to COMPLETED.
 */
export const statusTold = (event: CallbackEvent, { status }: Pick<Transaction, 'status'>): Transaction['status'] => {
  if (event === 'transaction.completed') return 'COMPLETED'
  return status === 'CANCELLED' ? 'CANCELLED' : 'FAILED'
}

/**
 * What `hmac-signature` and `rsa-signature` sign. It covers neither amount, nor body, nor time: the Standard Webhooks
 * headers do.
 */
export const legacySignedText = (
  event: CallbackEvent,
  transaction: Pick<Transaction, 'merchantReference' | 'internalReference' | 'type' | 'status'>,
): string =>
  [event, transaction.merchantReference, transaction.internalReference, transaction.type, transaction.status].join(':')

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits before the second, third … attempt. After the last one the delivery has failed. */
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
/** How much of a merchant's reply is kept with the attempt. */
export const REPLY_EXCERPT_BYTES = 1024
/** A merchant's Retry-After is honoured up to the longest wait of our own schedule. */
const RETRY_AFTER_MAX_MS = 24 * HOUR

/** What one attempt came to, as far as the schedule is concerned. */
export interface AttemptResult {
  /** HTTP status, absent when no reply came. */
  readonly httpStatus?: number
  readonly retryAfterMs?: number
}

export type NextStep =
  | { readonly step: 'delivered' }
  | { readonly step: 'stopped'; readonly why: string }
  | { readonly step: 'retry'; readonly afterMs: number }

/**
 * Any 2xx acknowledges; 410 stops this delivery; everything else is tried again until the schedule ends.
 * @param attempts how many attempts there have been, this one included, since it was made or an operator sent it again
 * @param jitter between 0 and 1: up to a tenth of the wait is added, so that a recovering server is not hit by all at
 *   once
 */
export function nextStep(result: AttemptResult, attempts: number, jitter: number): NextStep {
  const { httpStatus, retryAfterMs } = result
  if (httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300) return { step: 'delivered' }
  if (httpStatus === 410) return { step: 'stopped', why: 'The merchant answered 410 Gone' }
  const waitMs = CALLBACK_RETRY_MS[attempts - 1]
  if (waitMs === undefined) return { step: 'stopped', why: `No acknowledgement in ${attempts} attempts` }
  const askedMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
  return { step: 'retry', afterMs: Math.round(Math.max(waitMs, askedMs) * (1 + jitter / 10)) }
}
