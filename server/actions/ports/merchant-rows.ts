import type { Transaction } from '../../domain/transaction.ts'

/** When a merchant was suspended, while it is, and when its last suspension ended. */
export interface Suspension {
  readonly suspendedAt?: Date
  readonly resumedAt?: Date
}

/** Rows of merchants as they are in the database now, not as a process has cached them. */
export interface MerchantRowReads {
  /**
   * Not from a cache: what a suspension stops must not go on because a process learns of it
   * late. Merchants that were never suspended are missing.
   */
  suspensions(merchantIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Suspension>>
  /** The merchant's own daily limit for the option of this payment. */
  ownDailyLimit(payment: Pick<Transaction, 'merchantId' | 'providerCode' | 'type'>): Promise<bigint | undefined>
}
