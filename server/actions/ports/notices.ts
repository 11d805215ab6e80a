import type { Transaction } from '../../domain/transaction.ts'

/** Hears of what an operator must look at, after it has been committed. */
export interface Notices {
  /** The rail has paid what is FAILED here, and it could not be booked. */
  paidNotBooked(transaction: Transaction): void
  /** The operator answers about an open order with a result code that no table explains: once per order and code. */
  unmappedResult(transaction: Transaction, code: string): void
}
