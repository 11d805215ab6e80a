import type { IdempotencyKey } from '../../domain/idempotency.ts'

/** The Idempotency-Key of a request, with a digest of the request. The same key is valid only with the same digest. */
export interface IdempotencyClaim extends IdempotencyKey {
  readonly digest: Uint8Array
}

/** What the merchant got on acceptance, and gets again on a replay. */
export interface Acknowledgement {
  readonly internalReference: string
  readonly merchantReference: string
  /** Whether the reply contains the address of the payment page. */
  readonly onPaymentPage: boolean
  /** Of an expected payment: what its customer types, and until when, as an ISO 8601 text. */
  readonly typed?: { readonly reference: string; readonly expiresAt: string }
}

/**
 * The stored outcome of the first request with an Idempotency-Key, if it had an effect. A request that was refused
 * before that leaves its key free.
 */
export type FirstOutcome = AcceptedOutcome | TriedOutcome

/** The request was executed: a replay gets the same references. */
interface AcceptedOutcome {
  readonly result: 'accepted'
  readonly accepted: Acknowledgement
}

/** A wrong OTP: refused, and yet it has used up a try. */
interface TriedOutcome {
  readonly result: 'refused'
  readonly code: 'invalid_otp'
}

/** Finds the first outcome of a key that is not older than `since`. */
export interface IdempotencyStore {
  find(
    claim: IdempotencyClaim,
    since: Date,
  ): Promise<{ readonly digest: Uint8Array; readonly outcome: FirstOutcome } | undefined>
}

/** The first outcome of a key commits together with the effect of its request. */
export interface IdempotencyWrites {
  /**
   * Stores the first outcome of a key. @returns false when the key already has one: then this request was executed
   * before
   */
  rememberOutcome(claim: IdempotencyClaim, outcome: FirstOutcome, now: Date): Promise<boolean>
}
