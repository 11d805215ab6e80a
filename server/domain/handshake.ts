import type { Failure } from './failure-code.ts'

const SECOND = 1000

export const HANDSHAKE_TIMEOUT_MS = 5 * SECOND
/** Delays before the second, third and fourth request. After the last one the payout fails. */
export const HANDSHAKE_RETRY_MS: readonly number[] = [5 * SECOND, 30 * SECOND, 120 * SECOND]
/** @param lastStatus of the last request; undefined when it got no reply */
const unanswered = (lastStatus: number | undefined): Failure => ({
  reason: `The merchant's verification URL did not answer${lastStatus === undefined ? '' : ` (HTTP ${lastStatus})`}`,
  code: 'handshake_unanswered',
})
const rejected = (httpStatus: number): Failure => ({
  reason: `Payout rejected by the merchant's verification URL (HTTP ${httpStatus})`,
  code: 'not_allowed',
})

export type HandshakeStep =
  | { readonly step: 'confirmed' }
  | { readonly step: 'failed'; readonly failure: Failure }
  | { readonly step: 'retry'; readonly afterMs: number }

/**
 * Request Timeout, Too Early, Too Many Requests: the merchant's server was not ready to decide. None of them is a
 * refusal.
 */
const NOT_NOW: readonly number[] = [408, 425, 429]

/**
 * Any 2xx lets the payout go on, 4xx ends it, everything else is retried. The two failures differ on purpose: one is a
 * decision of the merchant, the other is not.
 * @param attempts how many requests there have been, this one included
 */
export function nextHandshakeStep(httpStatus: number | undefined, attempts: number): HandshakeStep {
  if (httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300) return { step: 'confirmed' }
  if (httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500 && !NOT_NOW.includes(httpStatus))
    return { step: 'failed', failure: rejected(httpStatus) }
  const afterMs = HANDSHAKE_RETRY_MS[attempts - 1]
  return afterMs === undefined ? { step: 'failed', failure: unanswered(httpStatus) } : { step: 'retry', afterMs }
}

/**
 * The `webhook-id` of all requests about one payout: 26 symbols like every other id, derived from the internal
 * reference.
 */
export const handshakeId = (internalReference: string): string => `cb_HAND${internalReference.slice(3)}`

/** Of a batch: its payouts wait for one handshake, which confirmed or refused all of them. */
export type BatchHandshake = 'waiting' | 'confirmed' | 'refused'

/** When a payout of such a batch looks for itself. The batch is over by then: all its questions take three minutes. */
export const lookAgainAt = (now: Date): Date => new Date(now.getTime() + 600 * SECOND)
