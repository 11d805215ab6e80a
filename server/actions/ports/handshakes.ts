import type { CallbackAttempt } from './callbacks.ts'
import type { Delivery } from './delivery.ts'

/** A recorded request to a verification URL. */
export interface HandshakeAttempt extends Omit<CallbackAttempt, 'url'> {
  readonly transactionId: bigint
}

/** A request to a merchant's verification URL. */
export interface HandshakeQuestion {
  readonly url: string
  /** The payout to verify; of a batch its first one. */
  readonly transactionId: bigint
  readonly webhookId: string
  readonly merchantId: bigint
  /** Of the payout, or of the batch. */
  readonly merchantReference: string
  /** JSON of a question about a whole batch: it is sent by POST. */
  readonly body?: string
}

/** Calls the verification URL: is this payout the merchant's own? Never rejects because of the merchant's server. */
export interface HandshakeSender {
  /** @param traceparent of the span that sends it: no signature covers it */
  request(question: HandshakeQuestion, traceparent?: string): Promise<Delivery>
}

/** Attempts to verify a payout commit together with their effect on it. */
export interface HandshakeWrites {
  /**
   * At most one per transaction, and each transaction locked. @returns the number of each attempt, from 1, by
   * transaction
   */
  recordHandshakes(attempts: readonly HandshakeAttempt[]): Promise<ReadonlyMap<bigint, number>>
}
