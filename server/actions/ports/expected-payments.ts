import type { ExpectedPayment } from '../../domain/expected-payment.ts'
import type { UnrequestedPayment } from './rail.ts'

/** An expected payment and its collection. */
export interface StoredExpectation extends ExpectedPayment {
  readonly transactionId: bigint
}

/** Payments that customers start. Lock order: their collections first, then receipts. */
export interface ExpectedWrites {
  /** The open one that has this reference, or else the latest that had it. Not locked. */
  expectedAt(paidTo: string, reference: string): Promise<StoredExpectation | undefined>
  /** Those of these collections. */
  expectedOf(transactionIds: readonly bigint[]): Promise<readonly StoredExpectation[]>
  /** Their references are free again. */
  endExpected(transactionIds: readonly bigint[]): Promise<void>
  /**
   * Books a receipt for a collection: each receipt once, whoever reports it.
   * @returns false when it is booked already, for a collection or on suspense
   */
  takeReceipt(paidTo: string, payment: UnrequestedPayment, transactionId: bigint, now: Date): Promise<boolean>
}
