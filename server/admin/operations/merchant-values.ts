import { maskUrl } from '../../domain/mask-url.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { DisplayValues } from '../queries/audit-log.ts'
import type { MerchantSettings, MerchantView } from '../queries/merchants.ts'
import { displayValues } from './display-values.ts'

/** The codes of the providers that a merchant may use. */
export const providersOf = ({ options }: MerchantView, type: TransactionType): string =>
  options
    .filter(({ transaction_type }) => transaction_type === type)
    .map(({ provider_code }) => provider_code)
    .join(' ') || '(none)'

/**
 * A merchant's values for the audit entry. URLs are masked, because merchants put tokens into them.
 * @param set what was just set: a masked URL alone would not show that it changed
 */
export const merchantValues = (merchant: MerchantView, set: Partial<MerchantSettings> = {}): DisplayValues =>
  displayValues({
    name: merchant.name,
    'collection callback URL': urlText(merchant.collection_callback_url, set.collectionCallbackUrl),
    'payout callback URL': urlText(merchant.payout_callback_url, set.payoutCallbackUrl),
    'refund callback URL': urlText(merchant.refund_callback_url, set.refundCallbackUrl),
    'refunds by payout': merchant.refunds_by_payout ? 'yes' : undefined,
    'retries on the payment page': merchant.page_retries ? 'yes' : undefined,
    'verification URL': urlText(merchant.verification_url, set.verificationUrl),
    'one handshake per batch': merchant.batch_handshake ? 'yes' : undefined,
    'redirect hosts': merchant.redirect_hosts?.join(' '),
    collections: providersOf(merchant, 'COLLECTION'),
    payouts: providersOf(merchant, 'PAYOUT'),
  })

function urlText(url: string | null, set: string | undefined): string | undefined {
  if (url === null) return undefined
  const masked = maskUrl(url)
  return set !== undefined && masked !== url ? `${masked} (replaced)` : masked
}
