import type {
  CollectionCallback,
  PayoutBatchCallback,
  PayoutCallback,
  RedirectQuery,
  RefundCallback,
} from '../generated/schema.d.ts'

/**
 * What Malipo posts to your callback URLs. `event` distinguishes completed from failed; in `payload`,
 * `transaction_type` and `transaction_status` give the rest.
 */
export type CallbackEvent = CollectionCallback | PayoutCallback | RefundCallback

/** The end of a batch of payouts. It is about no transaction of its own: each payout reports itself. */
export type BatchEvent = PayoutBatchCallback

/** The query parameters of your `redirect_url` when the customer returns, without the signatures. */
export interface RedirectOutcome extends Readonly<
  Omit<RedirectQuery, 'rsa_key_id' | 'rsa_signature' | 'hmac_signature'>
> {}
