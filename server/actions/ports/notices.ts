import type { Transaction } from '../../domain/transaction.ts'

/** Hears of what an operator must look at, after it has been committed. */
export interface Notices {
  /** The rail has paid what is FAILED here, and it could not be booked. */
  paidNotBooked(transaction: Transaction): void
}
