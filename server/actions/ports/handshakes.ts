import type { CallbackAttempt } from './callbacks.ts'
import type { Delivery } from './delivery.ts'

/** One question to the verification URL, as it is recorded. */
export interface HandshakeAttempt extends Omit<CallbackAttempt, 'url'> {
  readonly transactionId: bigint
}

/** A question to a merchant's verification URL. */
export interface HandshakeQuestion {
  readonly url: string
  /** The payout that it is about. */
  readonly transactionId: bigint
  readonly webhookId: string
  readonly merchantId: bigint
  readonly merchantReference: string
}

/** Asks a merchant whether a payout is theirs. Never rejects because of the merchant's server. */
export interface HandshakeSender {
  /** @param traceparent of the span that sends it: no signature covers it */
  ask(question: HandshakeQuestion, traceparent?: string): Promise<Delivery>
}
