/** Idempotency-Key of a request with a digest of what was asked; the same key may only come with the same digest. */
export interface IdempotencyClaim {
  readonly merchantId: bigint
  /** Of one operation: the same header sent to another operation is another key. */
  readonly key: string
  readonly digest: Uint8Array
}

/** What an acceptance gave the merchant, and what a replay gives again. */
export interface Accepted {
  readonly internalReference: string
  readonly merchantReference: string
  /** Whether the reply carries the address of the payment page. */
  readonly onPaymentPage: boolean
}

/**
 * The stored first answer of an Idempotency-Key: of a request that was carried out. One that was refused before that
 * leaves its key free.
 */
export type FirstOutcome = AcceptedOutcome | TriedOutcome

/** It was carried out: a replay gets the same references. */
export interface AcceptedOutcome {
  readonly result: 'accepted'
  readonly accepted: Accepted
}

/** A wrong one-time password: refused, and yet it has used up a try. */
export interface TriedOutcome {
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
