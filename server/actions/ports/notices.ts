import type { Transaction } from '../../domain/transaction.ts'

/** Alerts for staff, sent after the commit. */
export interface Notices {
  /**
   * The rail has paid a payout that is FAILED here, and it could not be booked; or a customer has paid a collection
   * again by another attempt, and the money is on suspense.
   */
  paidNotBooked(transaction: Transaction): void
  /** The operator answers about an open order with an unmapped result code: once per order and code. */
  unmappedResult(transaction: Transaction, code: string): void
}
