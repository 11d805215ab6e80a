import type { ExchangeRate } from '../../domain/exchange.ts'
import type { CallbackSecrets, Merchant } from '../../domain/merchant.ts'
import type { Currency } from '../../domain/money.ts'
import type { Bank, PaymentOption, TransactionType } from '../../domain/provider.ts'

/**
 * Merchants by their keys and ids: looked up when somebody asks, and at most a second behind the database. Rejects with
 * StorageUnavailable when that is away and the merchant is not at hand. Not for use inside a unit: it may need a
 * connection beside that of the unit.
 */
export interface Merchants {
  merchantByPublicKey(publicKey: string): Promise<Merchant | undefined>
  /** Whether a merchant has or had this key, as far as this process knows without asking anybody. */
  isKnownKey(publicKey: string): boolean
  merchantById(id: bigint): Promise<Merchant | undefined>
  /** None of a merchant that does not exist. Also rejects when a secret does not open. */
  callbackSecrets(merchantId: bigint): Promise<CallbackSecrets>
}

/** Merchants; and providers, banks and rates, which are answered from memory, at most a second behind the database. */
export interface ReferenceData extends Merchants {
  option(providerCode: string, type: TransactionType): PaymentOption | undefined
  options(currency: Currency, type: TransactionType): readonly PaymentOption[]
  banks(providerCode: string): readonly Bank[]
  rate(from: Currency, to: Currency): ExchangeRate | undefined
  /** The RSA key that signs now. */
  rsaSigningKey(): RsaSigningKey
}

/** One of the gateway's keys for the RSA signature of callbacks. */
export interface RsaSigningKey {
  /** Goes with every signature: receivers fetch the public half by it. */
  readonly id: string
  /** PKCS#8. */
  readonly privatePem: string
}
