import type { CallbackAttempt, NewCallback } from '../../actions/ports/callbacks.ts'
import type { CallbackResult, StoredRailCallback } from '../../actions/ports/rail-callbacks.ts'
import type { FirstOutcome } from '../../actions/ports/idempotency.ts'
import type { PayerReferenceReservation, RailReference } from '../../actions/ports/unit.ts'
import type { WorkKind } from '../../actions/ports/work.ts'
import type { AccountUse } from '../../domain/account-bounds.ts'
import type { AccountKey, Entry, TransferKind } from '../../domain/ledger.ts'
import type { Transaction } from '../../domain/transaction.ts'

// What the tables hold, in the words of the ports.

export interface TransactionRow {
  readonly transaction: Transaction
  readonly description: string
  readonly customerEmail: string | undefined
  readonly redirectUrl: string | undefined
}

export interface EventRow {
  /**
   * From the numbers that transfers have too: of two commits the later has the higher ones, and of one commit the
   * events come after its transfers.
   */
  readonly id: bigint
  readonly transactionId: bigint
  readonly at: Date
  readonly kind: string
  readonly detail: string
}

export interface WorkRow {
  readonly id: bigint
  readonly kind: WorkKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly attempt: number
  /** Of the claim that holds it; absent when nobody does. */
  readonly token: string | undefined
  readonly failures: number
  readonly lastError: string | undefined
  readonly addressee: string | undefined
}

export interface AccountRow {
  readonly id: bigint
  readonly key: AccountKey
  readonly balanceMinor: bigint
}

export interface TransferRow {
  readonly id: bigint
  readonly kind: TransferKind
  readonly transactionId: bigint | undefined
  readonly createdAt: Date
  readonly entries: readonly Entry[]
}

export interface UsageRow {
  readonly limit: string
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly createdAt: Date
  readonly amountMinor: bigint
}

/** What counts toward the bounds of an account number. */
export interface AccountUseRow extends AccountUse {
  readonly account: string
  readonly merchantId: bigint
  readonly transactionId: bigint
}

export interface KeyRow {
  readonly merchantId: bigint
  readonly key: string
  readonly digest: Uint8Array
  readonly outcome: FirstOutcome
  readonly createdAt: Date
}

export interface CallbackRow extends NewCallback {
  readonly id: bigint
  readonly attempts: number
  readonly attemptsBefore: number
  readonly resends: number
  readonly status: 'PENDING' | 'DELIVERED' | 'STOPPED'
  readonly createdAt: Date
  readonly finishedAt: Date | undefined
}

/** One attempt of a callback, or one question of a handshake, which says of no URL. */
export interface AttemptRow extends Omit<CallbackAttempt, 'url'> {
  readonly attempt: number
  readonly url?: string
}

/** A message of an operator; its text is gone once it was read. */
export interface RailCallbackRow extends Omit<StoredRailCallback, 'body'> {
  readonly body: string | undefined
  readonly hasVerdict: boolean
  readonly receivedAt: Date
  readonly result: CallbackResult | undefined
}

/** Which order has a reference that payers read; its key is the reference. */
export type PayerReferenceRow = Omit<PayerReferenceReservation, 'scope' | 'reference'>

/** What an order is called, and since when. */
export interface NamedOrder extends RailReference {
  readonly recordedAt: Date
}
