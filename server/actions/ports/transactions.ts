import type { Transaction } from '../../domain/transaction.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'

/** A step in the history of a transaction, for staff. */
export interface TransactionEvent {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
}

/** Transactions and their history. Lock order: transactions before jobs, rows by id. */
export interface TransactionWrites {
  /** Locked until commit, in the order of their ids. */
  lockTransactions(
    by: { readonly ids: readonly bigint[] } | { readonly internalReferences: readonly string[] },
  ): Promise<readonly Transaction[]>
  saveStates(transactions: readonly Transaction[]): Promise<void>
  /** Stores how the customer pays: provider, account and bank, amount, charge and total. */
  saveAccount(transaction: Transaction): Promise<void>
  /** The refunds of collections, by the id of the collection, oldest first. */
  refundsOf(collectionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly Transaction[]>>
  addEvents(events: readonly TransactionEvent[], now: Date): Promise<void>
  /** The history's events of one kind, by transaction. */
  eventDetails(kind: string, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly string[]>>
}

/** The steps of a customer: confirmation and OTP. */
export interface SessionWrites {
  /** For a locked transaction; undefined when its customer never had a step to do. */
  loadSession(transactionId: bigint): Promise<PaymentSession | undefined>
  saveSession(session: PaymentSession): Promise<void>
}
