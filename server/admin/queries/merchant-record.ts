import type { MerchantView } from './merchants.ts'

type BrandColumns = Pick<MerchantView, 'brand_colour' | 'logo_digest' | 'support_contact'>

/** What customers see of a merchant. */
export const brandRecord = ({ brand_colour, logo_digest, support_contact }: BrandColumns) => ({
  brand_colour,
  logo_digest,
  support_contact,
})

/** A merchant as the command line prints it and the admin API returns it. */
export const merchantRecord = (merchant: MerchantView) => ({
  id: merchant.id,
  name: merchant.name,
  public_key: merchant.public_key,
  collection_callback_url: merchant.collection_callback_url,
  payout_callback_url: merchant.payout_callback_url,
  refund_callback_url: merchant.refund_callback_url,
  verification_url: merchant.verification_url,
  refunds_by_payout: merchant.refunds_by_payout,
  page_retries: merchant.page_retries,
  batch_handshake: merchant.batch_handshake,
  redirect_hosts: merchant.redirect_hosts,
  ...brandRecord(merchant),
  sandbox_only: merchant.sandbox_only,
  created_at: merchant.created_at,
  suspended_at: merchant.suspended_at,
  options: merchant.options,
  keys: merchant.keys.map((key) => ({
    ...key,
    created_at: new Date(key.created_at),
    expires_at: key.expires_at === null ? null : new Date(key.expires_at),
  })),
})
