import type { ExchangeRate } from '../../domain/exchange.ts'
import type { CallbackSecrets, Merchant } from '../../domain/merchant.ts'
import type { Currency } from '../../domain/money.ts'
import type { Bank, PaymentOption, TransactionType } from '../../domain/provider.ts'

/** Merchants, providers, banks and rates: answered from memory, at most a second behind the database. */
export interface ReferenceData {
  merchantByPublicKey(publicKey: string): Merchant | undefined
  merchantById(id: bigint): Merchant | undefined
  option(providerCode: string, type: TransactionType): PaymentOption | undefined
  options(currency: Currency, type: TransactionType): readonly PaymentOption[]
  banks(providerCode: string): readonly Bank[]
  rate(from: Currency, to: Currency): ExchangeRate | undefined
  callbackSecrets(merchantId: bigint): CallbackSecrets
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
