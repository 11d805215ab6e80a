import type { Merchant } from '../domain/merchant.ts'
import { columns } from './rows.ts'

/** The columns of a merchant's own row: keys and enabled options are in tables of their own. */
export type MerchantFields = Omit<Merchant, 'secretKeyDigests' | 'enabledOptions' | 'terms'>

export const MERCHANT = columns<MerchantFields>({
  id: 'bigint',
  name: 'text',
  publicKey: 'text',
  collectionCallbackUrl: 'text',
  payoutCallbackUrl: 'text',
  refundCallbackUrl: 'text',
  verificationUrl: 'text',
  redirectHosts: 'text[]',
  brandColour: 'text',
  logoDigest: 'text',
  supportContact: 'text',
  suspendedAt: 'timestamptz',
  refundsByPayout: 'boolean',
  pageRetries: 'boolean',
  batchHandshake: 'boolean',
})
