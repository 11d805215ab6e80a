import type { Currency } from '../../domain/money.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { Transaction } from '../../domain/transaction.ts'

/** What the contract shows of a wallet: the ledger's accounts, in minor units. */
export interface Wallet {
  readonly type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT'
  readonly currency: Currency
  readonly availableMinor: bigint
  readonly unclearedMinor: bigint
  readonly reserveMinor: bigint
}

/** A collection as its customer meets it. */
export interface Payment {
  readonly transaction: Transaction
  readonly session?: PaymentSession
  readonly description: string
  readonly redirectUrl?: string
}

/** Questions that need no transaction of the database. */
export interface Lookups {
  transactionByMerchantReference(merchantId: bigint, merchantReference: string): Promise<Transaction | undefined>
  /** Whether this reference is of a payment that only the archive has. */
  isArchived(merchantId: bigint, merchantReference: string): Promise<boolean>
  payment(internalReference: string): Promise<Payment | undefined>
  wallets(merchantId: bigint, currency: Currency | undefined): Promise<readonly Wallet[]>
}
