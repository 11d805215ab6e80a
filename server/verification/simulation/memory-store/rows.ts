import type { CallbackAttempt, NewCallback } from '../../../actions/ports/callbacks.ts'
import type { StoredAccountMessage } from '../../../actions/ports/account-messages.ts'
import type { AccountMessageResult, CallbackResult, StoredRailCallback } from '../../../actions/ports/rail-callbacks.ts'
import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import type { FirstOutcome } from '../../../actions/ports/idempotency.ts'
import type { PayerReferenceReservation, RailReference } from '../../../actions/ports/rail-references.ts'
import type { JobKind } from '../../../actions/ports/jobs.ts'
import type { Approval, Party } from '../../../domain/approvals.ts'
import type { AccountUse } from '../../../domain/account-bounds.ts'
import type { CallbackStatus } from '../../../domain/deliveries.ts'
import type { AccountKey, Entry, TransferKind } from '../../../domain/ledger.ts'
import type { PayoutBatch } from '../../../domain/payout-batch.ts'
import type { Transaction } from '../../../domain/transaction.ts'

// The content of the tables, as types of the ports.

export interface TransactionRow {
  readonly transaction: Transaction
  readonly description: string
  readonly redirectUrl: string | undefined
}

export interface EventRow {
  /**
   * From the sequence that transfers also use: the later of two commits has the higher ids, and within one commit the
   * events come after its transfers.
   */
  readonly id: bigint
  readonly transactionId: bigint
  readonly at: Date
  readonly kind: string
  readonly detail: string
}

export interface JobRow {
  readonly id: bigint
  readonly kind: JobKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly attempt: number
  /** The token of the claim that holds it; absent when it is not claimed. */
  readonly token: string | undefined
  readonly failures: number
  readonly lastError: string | undefined
  readonly destination: string | undefined
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
  readonly digest: Uint8Array
  readonly outcome: FirstOutcome
  readonly createdAt: Date
}

export interface CallbackRow extends NewCallback {
  readonly id: bigint
  readonly attempts: number
  readonly attemptsBefore: number
  readonly resends: number
  readonly status: CallbackStatus
  readonly createdAt: Date
  readonly finishedAt: Date | undefined
}

/** One attempt of a callback, or one attempt of a handshake, which stores no URL. */
export interface AttemptRow extends Omit<CallbackAttempt, 'url'> {
  readonly attempt: number
  readonly url?: string
}

/** A batch with its rows. */
export interface BatchRow {
  readonly batch: PayoutBatch
  readonly rows: readonly {
    readonly line: number
    readonly transactionId: bigint
    readonly retryOf: bigint | undefined
  }[]
}

/** A request for the approval of a payout, and its end. */
export interface ApprovalRow extends Approval {
  readonly decidedAt?: Date
  readonly decider?: Party | undefined
}

/** A message of an operator; its text is deleted once it has been read. */
export interface RailCallbackRow extends Omit<StoredRailCallback, 'body'> {
  readonly body: string | undefined
  readonly hasVerdict: boolean
  readonly receivedAt: Date
  readonly result: CallbackResult | undefined
}

/** A message to a rail account itself. */
export interface AccountMessageRow extends StoredAccountMessage {
  readonly result?: AccountMessageResult
}

/** A payment that nobody asked for: a claim until it is booked. */
export interface UnrequestedRow extends UnrequestedPayment {
  readonly railAccount: string
  /** On suspense, for nobody. */
  readonly isBooked: boolean
  /** The collection that it is booked for. */
  readonly transactionId?: bigint
}

/** Which order has a reference that payers read; the reference is its key. */
export type PayerReferenceRow = Omit<PayerReferenceReservation, 'scope' | 'reference'>

/** An external id of an order, and since when. */
export interface NamedOrder extends RailReference {
  readonly recordedAt: Date
}

/** What payouts through a rail account may take, and all that was ever handed over. */
export interface FloatRow {
  readonly floatMinor: bigint
  readonly handedMinor: bigint
  /** Absent: it was queried, and has not answered yet. */
  readonly readAt?: Date
}
