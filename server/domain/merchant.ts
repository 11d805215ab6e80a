import type { OrderType, TransactionType } from './provider.ts'
import { Refusal } from './refusal.ts'

/** The settings that apply to every request and every payment of a merchant. */
export interface Merchant {
  readonly id: bigint
  readonly name: string
  readonly publicKey: string
  /** SHA-256 of each valid secret key: two during rotation. */
  readonly secretKeyDigests: readonly Uint8Array[]
  readonly collectionCallbackUrl?: string
  readonly payoutCallbackUrl?: string
  readonly refundCallbackUrl?: string
  readonly verificationUrl?: string
  /** Whether one handshake confirms all payouts of a batch. Absent: each has its own. */
  readonly batchHandshake?: boolean
  /** Whether a collection may be refunded by a payout where its operator has no such refund. Absent: no. */
  readonly refundsByPayout?: boolean
  /** Whether its customers may try again on the payment page after a failure. Absent: no. */
  readonly pageRetries?: boolean
  /** Allowed hosts for redirects of its customers, as `parseRedirectHosts` gives them; absent: any. */
  readonly redirectHosts?: readonly string[]
  /** The merchant's brand on the payment page: see `Brand`. */
  readonly brandColour?: string
  readonly logoDigest?: string
  readonly supportContact?: string
  /** Set while staff suspend it: it may start no payment. */
  readonly suspendedAt?: Date
  /** Its own limits and charges, by `optionKey`. Absent: it has none. */
  readonly terms?: ReadonlyMap<string, MerchantTerms>
  /** The options this merchant may use, as `optionKey` writes them. */
  readonly enabledOptions: ReadonlySet<string>
}

/** A merchant's own limits and charge for one payment option. What is absent is the provider's. */
export interface MerchantTerms {
  readonly minAmountMinor?: bigint
  readonly maxAmountMinor?: bigint
  /** Per account number in any 24 hours, through this merchant. */
  readonly maxDailyAmountMinor?: bigint
  readonly chargeBps?: number
  readonly chargeFlatMinor?: bigint
}

/** The valid signing secrets of callbacks, newest first. */
export interface CallbackSecrets {
  /** The last and oldest one signs: receivers may not have the newer ones yet. */
  readonly signingKeys: readonly string[]
  readonly webhookSecrets: readonly string[]
}

/** The key of a merchant's permission for an option. */
export const optionKey = (providerCode: string, type: TransactionType): string => `${providerCode}:${type}`

/** The merchant's callback URL for transactions of this type, if any. */
export const callbackUrlOf = (merchant: Merchant | undefined, type: OrderType): string | undefined =>
  merchant?.[CALLBACK_URLS[type]]

const CALLBACK_URLS = {
  COLLECTION: 'collectionCallbackUrl',
  PAYOUT: 'payoutCallbackUrl',
  REFUND: 'refundCallbackUrl',
} as const

/** What a suspended merchant gets for everything that starts a payment or takes it further. */
export const merchantSuspended = (): Refusal =>
  new Refusal('merchant_suspended', 'This merchant account is suspended: it can start no payments')
