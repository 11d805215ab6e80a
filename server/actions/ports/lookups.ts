import type { Currency } from '../../domain/money.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { Transaction } from '../../domain/transaction.ts'

/** A wallet as the API contract shows it: the ledger's accounts, in minor units. */
export interface Wallet {
  readonly type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT'
  readonly currency: Currency
  readonly availableMinor: bigint
  readonly unclearedMinor: bigint
  readonly reserveMinor: bigint
}

/** A collection with what its payment page needs. */
export interface Payment {
  readonly transaction: Transaction
  readonly session?: PaymentSession
  /** Its last attempt, while its customer may try again. */
  readonly lastAttempt?: Transaction
  /** What was refunded of it by now, in minor units; absent: nothing. */
  readonly refundedMinor?: bigint
  readonly description: string
  readonly redirectUrl?: string
}

/** Queries that need no database transaction. */
export interface Lookups {
  transactionByMerchantReference(merchantId: bigint, merchantReference: string): Promise<Transaction | undefined>
  /** Whether this reference belongs to a payment that only the archive has. */
  isArchived(merchantId: bigint, merchantReference: string): Promise<boolean>
  payment(internalReference: string): Promise<Payment | undefined>
  /** The operator's ids of a transaction's order so far. */
  externalIds(transactionId: bigint): Promise<Readonly<Record<string, string>>>
  wallets(merchantId: bigint, currency: Currency | undefined): Promise<readonly Wallet[]>
}
