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
import type { NewWork, Postponed, WorkItem, WorkKind } from './work.ts'

/** A step in the history of a transaction, for operators. */
export interface TransactionEvent {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
}

/** A name of an order on one side of an installation: ours (`OUR_REFERENCE`), a receipt, a request id. */
export interface RailReference {
  readonly transactionId: bigint
  readonly installation: string
  readonly name: string
  readonly reference: string
  /** Absent: an older version stored it, which did not say. */
  readonly origin?: ReferenceOrigin
}

/**
 * Where a reference comes from. `own`: from us. `call`: from the operator's answer to a call of ours. `statement`: from its
 * statement. `message`: from a message, which anybody can write who knows the order's address.
 */
export type ReferenceOrigin = 'own' | 'call' | 'statement' | 'message'

export interface WalletBalance {
  readonly wallet: AccountKey
  readonly balanceMinor: bigint
}

/** What an order's own id is called among its references. */
export const OUR_REFERENCE = 'order'
/** What the operator's ids of our queries about the order are called, where it answers them by callback. */
export const QUESTION_REFERENCE = 'question'
/** An order that hangs is asked about for weeks: of its queries only so many are known, the latest. */
export const QUESTIONS_MAX = 50

/**
 * What the reference that the payer reads is called among an order's external ids: M-PESA's word for it. Its text is the
 * merchant's choice, so it identifies an order only together with amount, number and time.
 */
export const PAYER_REFERENCE = 'AccountReference'

/** One reference for the payer of one order, and until when no other order of its scope may have it. */
export interface PayerReferenceReservation {
  readonly transactionId: bigint
  readonly scope: string
  readonly reference: string
  readonly reservedUntil: Date
}

/** What an order is called, and since when. */
export interface OrderNames {
  /** When the latest id of ours was committed. */
  readonly orderedAt?: Date
  /** What the operator calls it; of several under one name the latest of a call, or else the latest. */
  readonly theirs: RailReferences
  /** Where each of these comes from, by name, as far as that is known. */
  readonly origins?: Readonly<Record<string, ReferenceOrigin>>
  /** The operator's ids of our queries about it, where their answers come by callback. */
  readonly questions?: readonly string[]
}

/**
 * One database transaction: everything done through it commits together or not at all. No network call may wait inside
 * it.
 */
export interface Unit {
  /**
   * Those of the items that are still ours, locked until commit: a worker whose lease was taken over must not write.
   */
  holdWork(items: readonly WorkItem[]): Promise<readonly WorkItem[]>
  finishWork(items: readonly WorkItem[]): Promise<void>
  /**
   * Turns each item that is still ours into other work, or the same at a later time: nothing has to be held before. In
   * the order of the subjects, as far as a plan keeps it; of two that met the other way round one is begun again.
   */
  replaceWork(items: readonly WorkItem[], kind: WorkKind, dueAt: Date): Promise<void>
  /** Puts it off, each to its own time, as if it had not been begun: it only waited for its turn. */
  postponeWork(postponed: readonly Postponed[]): Promise<void>
  addWork(work: readonly NewWork[]): Promise<void>
  /** Ends all work that was to bring these transactions to an end, whoever holds it: their outcome is known. */
  finishPaymentWork(transactionIds: readonly bigint[]): Promise<void>
  /** In the order of their ids, locked until commit. */
  lockTransactions(
    by: { readonly ids: readonly bigint[] } | { readonly internalReferences: readonly string[] },
  ): Promise<readonly Transaction[]>
  saveStates(transactions: readonly Transaction[]): Promise<void>
  /** Account and bank that the customer chose on the payment page. */
  saveAccount(transaction: Transaction): Promise<void>
  /** Of a transaction that is locked; undefined when its customer never had anything to do. */
  loadSession(transactionId: bigint): Promise<PaymentSession | undefined>
  saveSession(session: PaymentSession): Promise<void>
  /**
   * Counts the transaction toward its daily limit, unless that would exceed it.
   * @returns the limit that it would exceed; undefined when it fits
   */
  claimDailyLimit(transaction: Transaction, limit: DailyLimit, now: Date): Promise<bigint | undefined>
  /**
   * What counts for an account number now, which is locked until commit. After claimDailyLimit where a commit does both:
   * that one locks the account number too, and in the right order.
   */
  lockAccountUsage(account: string, now: Date): Promise<readonly AccountTally[]>
  /** Counts for the transaction's account number from now on. */
  addAccountUsage(transaction: Transaction, uses: readonly AccountUse[]): Promise<void>
  /** The transaction's page is no longer open: it counts no more. */
  endPageUsage(transaction: Transaction): Promise<void>
  /** Counts these prompts as declined or left unanswered. Locks no account number: a cool-down begins with the commit. */
  addPromptDeclines(transactions: readonly Transaction[], now: Date): Promise<void>
  /** An approval: declines of these account numbers count no more, but for those that another commit holds. */
  endPromptDeclines(accounts: readonly string[]): Promise<void>
  /**
   * Keeps the first outcome of a key. @returns false when the key has one already: then this request was carried out
   * before
   */
  rememberOutcome(claim: IdempotencyClaim, outcome: FirstOutcome, now: Date): Promise<boolean>
  /** What one kind of transfer brought into an account kind, by transaction. */
  bookedInto(kind: AccountKind, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>
  releaseDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Takes up again what a failed transaction had released: a late completion counts toward the daily limit. */
  countTowardDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Booked right before the commit, whenever it is called. The commit fails when a wallet would fall below zero. */
  book(transfers: readonly Transfer[], now: Date): Promise<void>
  /** Balances by accountName, not locked: what is booked on the strength of them is checked again by the commit. */
  balances(keys: readonly AccountKey[]): Promise<ReadonlyMap<string, bigint>>
  /**
   * What was judged not to be covered, was judged by these balances, read without a lock. The commit fails with
   * WalletFilled when one of the wallets holds more by then.
   */
  holdsAtMost(balances: readonly WalletBalance[]): Promise<void>
  /** At most one per transaction, each of them locked. @returns the number of each attempt, from 1, by transaction */
  recordHandshakes(attempts: readonly HandshakeAttempt[]): Promise<ReadonlyMap<bigint, number>>
  /** Stores them with the work to deliver them, and with where their merchants hear of such a transaction now. */
  addCallbacks(callbacks: readonly AddressedCallback[], now: Date): Promise<void>
  addEvents(events: readonly TransactionEvent[], now: Date): Promise<void>
  /** What the history has of one kind, by transaction. */
  eventDetails(kind: string, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly string[]>>
  /**
   * Those that are known already stay as they are; what a call or a statement confirms is no longer a message's word. Of
   * the queries of an order the latest are kept (`QUESTIONS_MAX`).
   */
  addRailReferences(references: readonly RailReference[], now: Date): Promise<void>
  /**
   * Reserves each reference that is free: never reserved, expired, or this transaction's own, which is extended. Upper and
   * lower case are the same; of several transactions that want the same one, one gets it.
   * @returns the transactions that got theirs
   */
  reservePayerReferences(reservations: readonly PayerReferenceReservation[], now: Date): Promise<ReadonlySet<bigint>>
  /** What is known of these transactions' orders beside what they move. */
  railReferences(transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, OrderNames>>
  /** What came of an operator's message: its text is not kept. */
  endRailCallback(id: bigint, result: CallbackResult, now: Date): Promise<void>
}
