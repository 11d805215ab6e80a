import type { CallbackAttempt } from './callbacks.ts'
import type { Delivery } from './delivery.ts'

/** One question to the verification URL, as it is recorded. */
export interface HandshakeAttempt extends Omit<CallbackAttempt, 'url'> {
  readonly transactionId: bigint
}

/** A question to a merchant's verification URL. */
export interface HandshakeQuestion {
  readonly url: string
  readonly webhookId: string
  readonly merchantId: bigint
  readonly merchantReference: string
}

/** Asks a merchant whether a payout is theirs. Never rejects because of the merchant's server. */
export interface HandshakeSender {
  ask(question: HandshakeQuestion): Promise<Delivery>
}
