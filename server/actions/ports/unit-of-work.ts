import type { AccountTally, AccountUse } from '../../domain/account-bounds.ts'
import type { DailyLimit } from '../../domain/amount-limits.ts'
import type { AccountKey, AccountKind, Transfer } from '../../domain/ledger.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { AddressedCallback } from './callbacks.ts'
import type { CallbackResult } from './rail-callbacks.ts'
import type { RailReferences } from './rail.ts'
import type { HandshakeAttempt } from './handshakes.ts'
import type { FirstOutcome, IdempotencyClaim } from './idempotency.ts'
import type { NewJob, RescheduledJob, Job, JobKind } from './jobs.ts'

/** A step in the history of a transaction, for staff. */
export interface TransactionEvent {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
}

/** An id of an order at a rail account: ours (`OUR_REFERENCE`), a receipt, a request id. */
export interface RailReference {
  readonly transactionId: bigint
  readonly railAccount: string
  readonly name: string
  readonly reference: string
  /** Absent: stored by an older version without origins. */
  readonly origin?: ReferenceOrigin
}

/**
 * Origin of a reference. `own`: from us. `call`: from the operator's reply to a call of ours. `statement`: from its
 * statement. `message`: from a message, which anybody can forge who knows the order's address.
 */
export type ReferenceOrigin = 'own' | 'call' | 'statement' | 'message'

export interface WalletBalance {
  readonly wallet: AccountKey
  readonly balanceMinor: bigint
}

/** The name of our order id among the references of an order. */
export const OUR_REFERENCE = 'order'
/** The name of the operator's ids of our queries about the order, where it answers them by callback. */
export const QUESTION_REFERENCE = 'question'
/** How many query ids are kept per order, the latest ones: an order without a result is queried for weeks. */
export const QUESTIONS_MAX = 50

/**
 * The name of the reference that the payer reads, among the external ids of an order: M-PESA's term. The merchant
 * chooses its text, so it identifies an order only together with amount, number and time.
 */
export const PAYER_REFERENCE = 'AccountReference'

/** A payer's reference for one order, and until when no other order of its scope may have it. */
export interface PayerReferenceReservation {
  readonly transactionId: bigint
  readonly scope: string
  readonly reference: string
  readonly reservedUntil: Date
}

/** The ids of an order, and when ours was committed. */
export interface OrderNames {
  /** When our latest order id was committed. */
  readonly orderedAt?: Date
  /** The operator's ids. Of several with one name: the latest from a call, otherwise the latest. */
  readonly externalIds: RailReferences
  /** The origin of each external id by name, as far as it is known. */
  readonly origins?: Readonly<Record<string, ReferenceOrigin>>
  /** The operator's ids of our queries about the order, if it answers them by callback. */
  readonly questions?: readonly string[]
}

/**
 * One database transaction: everything done through it commits together or not at all. No network call may run inside
 * it.
 */
export interface UnitOfWork {
  /**
   * The jobs of these that this worker still holds, locked until commit: a worker whose lease was taken over must not
   * write.
   */
  holdJobs(items: readonly Job[]): Promise<readonly Job[]>
  finishJobs(items: readonly Job[]): Promise<void>
  /**
   * Turns each job that this worker still holds into another job, or the same at a later time; no prior lock is
   * needed. Locks rows in the order of the subjects, as far as the query plan keeps that order; in a deadlock one of
   * the two transactions is retried.
   */
  replaceJobs(items: readonly Job[], kind: JobKind, dueAt: Date): Promise<void>
  /** Reschedules each job to its own time. The attempt does not count: the job only waited for capacity. */
  rescheduleJobs(rescheduled: readonly RescheduledJob[]): Promise<void>
  addJobs(work: readonly NewJob[]): Promise<void>
  /** Finishes all jobs that were to resolve these transactions, whoever holds them: their outcome is known. */
  finishPaymentJobs(transactionIds: readonly bigint[]): Promise<void>
  /** Locked until commit, in the order of their ids. */
  lockTransactions(
    by: { readonly ids: readonly bigint[] } | { readonly internalReferences: readonly string[] },
  ): Promise<readonly Transaction[]>
  saveStates(transactions: readonly Transaction[]): Promise<void>
  /** Stores the account and bank that the customer chose on the payment page. */
  saveAccount(transaction: Transaction): Promise<void>
  /** For a locked transaction; undefined when its customer never had a step to do. */
  loadSession(transactionId: bigint): Promise<PaymentSession | undefined>
  saveSession(session: PaymentSession): Promise<void>
  /**
   * Counts the transaction toward its daily limit, unless that would exceed it.
   * @returns the limit that it would exceed; undefined when it fits
   */
  claimDailyLimit(transaction: Transaction, limit: DailyLimit, now: Date): Promise<bigint | undefined>
  /**
   * The current usage of an account number, which stays locked until commit. Lock order: after claimDailyLimit where a
   * commit calls both, since that one locks the account number too.
   */
  lockAccountUsage(account: string, now: Date): Promise<readonly AccountTally[]>
  /** Adds uses to the transaction's account number. */
  addAccountUsage(transaction: Transaction, uses: readonly AccountUse[]): Promise<void>
  /** Stops counting the transaction's page: it is no longer open. */
  endPageUsage(transaction: Transaction): Promise<void>
  /** Counts these prompts as declined or unanswered. It locks no account number: a cool-down starts with the commit. */
  addPromptDeclines(transactions: readonly Transaction[], now: Date): Promise<void>
  /** After an approval: resets the declines of these account numbers, except those that another commit has locked. */
  endPromptDeclines(accounts: readonly string[]): Promise<void>
  /**
   * Stores the first outcome of a key. @returns false when the key already has one: then this request was executed
   * before
   */
  rememberOutcome(claim: IdempotencyClaim, outcome: FirstOutcome, now: Date): Promise<boolean>
  /** The amount that one kind of transfer has added to an account kind, by transaction. */
  bookedInto(kind: AccountKind, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>
  releaseDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Counts again what a failed transaction had released: a late completion counts toward the daily limit. */
  countTowardDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Booked right before the commit, whenever it is called. The commit fails if a wallet would fall below zero. */
  book(transfers: readonly Transfer[], now: Date): Promise<void>
  /** Balances by accountName, not locked: the commit checks again whatever is booked because of them. */
  balances(keys: readonly AccountKey[]): Promise<ReadonlyMap<string, bigint>>
  /**
   * Optimistic check for a decision that these balances, read without a lock, do not cover a payout: the commit fails
   * with WalletFilled when one of the wallets holds more by then.
   */
  holdsAtMost(balances: readonly WalletBalance[]): Promise<void>
  /**
   * At most one per transaction, and each transaction locked. @returns the number of each attempt, from 1, by
   * transaction
   */
  recordHandshakes(attempts: readonly HandshakeAttempt[]): Promise<ReadonlyMap<bigint, number>>
  /** Stores them with their delivery jobs and the current callback URLs of their merchants. */
  addCallbacks(callbacks: readonly AddressedCallback[], now: Date): Promise<void>
  addEvents(events: readonly TransactionEvent[], now: Date): Promise<void>
  /** The history's events of one kind, by transaction. */
  eventDetails(kind: string, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly string[]>>
  /**
   * References that are stored already stay as they are, but one that a call or a statement confirms no longer has the
   * origin `message`. The latest queries of an order are kept (`QUESTIONS_MAX`).
   */
  addRailReferences(references: readonly RailReference[], now: Date): Promise<void>
  /**
   * Reserves each reference that is free: never reserved, expired, or this transaction's own, which is extended. Case
   * is ignored. If several transactions want the same reference, one gets it.
   * @returns the transactions that got theirs
   */
  reservePayerReferences(reservations: readonly PayerReferenceReservation[], now: Date): Promise<ReadonlySet<bigint>>
  /** The ids of these transactions' orders. */
  railReferences(transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, OrderNames>>
  /** Stores the result of an operator's message and deletes its text. */
  endRailCallback(id: bigint, result: CallbackResult, now: Date): Promise<void>
}
