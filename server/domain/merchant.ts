import type { TransactionType } from './provider.ts'

/** What every request and every payment of a merchant is judged by. */
export interface Merchant {
  readonly id: bigint
  readonly name: string
  readonly publicKey: string
  /** SHA-256 of each valid secret key: two during rotation. */
  readonly secretKeyDigests: readonly Uint8Array[]
  readonly collectionCallbackUrl?: string
  readonly payoutCallbackUrl?: string
  readonly verificationUrl?: string
  /** Where its customers may be sent, as `parseRedirectHosts` gives it; absent: anywhere. */
  readonly redirectHosts?: readonly string[]
  /** What its customers see on the payment page: see `Brand`. */
  readonly brandColour?: string
  readonly logoDigest?: string
  readonly supportContact?: string
  /** The options this merchant may use, as `optionKey` writes them. */
  readonly enabledOptions: ReadonlySet<string>
}

/** What callbacks are signed with: the keys that are valid now, the newest first. */
export interface CallbackSecrets {
  /** The last one, the oldest, signs: receivers may not know the newer ones yet. */
  readonly signingKeys: readonly string[]
  readonly webhookSecrets: readonly string[]
}

/** Under what a merchant's permission for an option is kept. */
export const optionKey = (providerCode: string, type: TransactionType): string => `${providerCode}:${type}`

/** Where a merchant hears of transactions of this type, if anywhere. */
export const callbackUrlOf = (merchant: Merchant | undefined, type: TransactionType): string | undefined =>
  type === 'COLLECTION' ? merchant?.collectionCallbackUrl : merchant?.payoutCallbackUrl
