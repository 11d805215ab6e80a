import type { CollectionCallback, PayoutCallback, RedirectQuery } from '../generated/schema.d.ts'

/**
 * What Malipo posts to your callback URLs. `event` tells completed from failed; in `payload`, `transaction_type` and
 * `transaction_status` tell the rest.
 */
export type CallbackEvent = CollectionCallback | PayoutCallback

/** What the customer's browser brings to your `redirect_url`, without the signatures. */
export interface RedirectOutcome extends Readonly<
  Omit<RedirectQuery, 'rsa_key_id' | 'rsa_signature' | 'hmac_signature'>
> {}
