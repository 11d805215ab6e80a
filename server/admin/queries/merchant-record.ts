import type { MerchantView } from './merchants.ts'

type BrandColumns = Pick<MerchantView, 'brand_colour' | 'logo_digest' | 'support_contact'>

/** What customers see of a merchant. */
export const brandRecord = ({ brand_colour, logo_digest, support_contact }: BrandColumns) => ({
  brand_colour,
  logo_digest,
  support_contact,
})

/** A merchant as the command line prints it and the admin API returns it. */
export const merchantRecord = ({
  id,
  name,
  public_key,
  collection_callback_url,
  payout_callback_url,
  refund_callback_url,
  verification_url,
  refunds_by_payout,
  page_retries,
  batch_handshake,
  redirect_hosts,
  sandbox_only,
  created_at,
  suspended_at,
  options,
  keys,
  ...others
}: MerchantView) => ({
  id,
  name,
  public_key,
  collection_callback_url,
  payout_callback_url,
  refund_callback_url,
  verification_url,
  refunds_by_payout,
  page_retries,
  batch_handshake,
  redirect_hosts,
  ...brandRecord(others),
  sandbox_only,
  created_at,
  suspended_at,
  options,
  keys: keys.map((key) => ({
    ...key,
    created_at: new Date(key.created_at),
    expires_at: key.expires_at === null ? null : new Date(key.expires_at),
  })),
})
