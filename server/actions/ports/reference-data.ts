import type { ExchangeRate } from '../../domain/exchange.ts'
import type { CallbackSecrets, Merchant } from '../../domain/merchant.ts'
import type { Currency } from '../../domain/money.ts'
import type { Bank, PaymentOption, TransactionType } from '../../domain/provider.ts'

/**
 * Merchants by their keys and ids: loaded on demand, and at most a second behind the database. Rejects with
 * StorageUnavailable when the database is unavailable and the merchant is not cached. Do not use it inside a unit of
 * work: it may need a connection besides the one of the unit.
 */
export interface Merchants {
  merchantByPublicKey(publicKey: string): Promise<Merchant | undefined>
  /** Whether a merchant has or had this key, according to the cache of this process: it queries nothing. */
  isKnownKey(publicKey: string): boolean
  merchantById(id: bigint): Promise<Merchant | undefined>
  /** Empty for a merchant that does not exist. Also rejects when a secret cannot be decrypted. */
  callbackSecrets(merchantId: bigint): Promise<CallbackSecrets>
}

/** Merchants; and providers, banks and rates, which come from memory, at most a second behind the database. */
export interface ReferenceData extends Merchants {
  option(providerCode: string, type: TransactionType): PaymentOption | undefined
  options(currency: Currency, type: TransactionType): readonly PaymentOption[]
  banks(providerCode: string): readonly Bank[]
  rate(from: Currency, to: Currency): ExchangeRate | undefined
  /** The current RSA signing key. */
  rsaSigningKey(): RsaSigningKey
}

/** One of the gateway's keys for the RSA signature of callbacks. */
export interface RsaSigningKey {
  /** Sent with every signature: receivers fetch the public key by it. */
  readonly id: string
  /** PKCS#8. */
  readonly privatePem: string
}
