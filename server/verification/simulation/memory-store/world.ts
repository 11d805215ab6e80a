import type { StoredAccountMessage } from '../../../actions/ports/account-messages.ts'
import type { CallbackAttempt, NewCallback } from '../../../actions/ports/callbacks.ts'
import type { StoredExpectation } from '../../../actions/ports/expected-payments.ts'
import type { FirstOutcome } from '../../../actions/ports/idempotency.ts'
import type { JobKind } from '../../../actions/ports/jobs.ts'
import type { Suspension } from '../../../actions/ports/merchant-rows.ts'
import type { PayoutWait } from '../../../actions/ports/payout-waits.ts'
import type { AccountMessageResult, CallbackResult, StoredRailCallback } from '../../../actions/ports/rail-callbacks.ts'
import type { PayerReferenceReservation, RailReference } from '../../../actions/ports/rail-references.ts'
import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import type { AccountUse } from '../../../domain/account-bounds.ts'
import type { Approval, Party, ApprovalRule, Standing } from '../../../domain/approvals.ts'
import type { CallbackStatus } from '../../../domain/deliveries.ts'
import type { AccountKey, Entry, TransferKind } from '../../../domain/ledger.ts'
import type { PaymentSession } from '../../../domain/payment-session.ts'
import type { PayoutBatch } from '../../../domain/payout-batch.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { Table } from './table.ts'

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

/**
 * The content of a database: everything that is committed, and nothing else. The store alone changes it, under locks;
 * everybody else reads.
 */
export class MemoryWorld {
  readonly transactions = new Table<bigint, TransactionRow>()
  readonly internalReferences = new Table<string, bigint>()
  /** Ids of transactions by `merchant id:merchant reference`. */
  readonly references = new Table<string, bigint>()
  /** Ids of refunds by their collection. */
  readonly refunds = new Table<bigint, readonly bigint[]>()
  /** Ids of attempts by their collection, oldest first. */
  readonly attempts = new Table<bigint, readonly bigint[]>()
  /** Ids of collections by their attempts. */
  readonly triedCollections = new Table<bigint, bigint>()
  readonly sessions = new Table<bigint, PaymentSession>()
  readonly work = new Table<bigint, JobRow>((id, before, after) => {
    if (before && before.kind !== after?.kind) this.workOf(before.kind).delete(id)
    if (after) this.workOf(after.kind).set(id, after)
  })
  /** Ids of jobs by `kind:subject id`, which is unique. */
  readonly workKeys = new Table<string, bigint>()
  /** By accountName. */
  readonly accounts = new Map<string, AccountRow>()
  /** In the order of their commits, like every append-only table. */
  readonly transfers: TransferRow[] = []
  readonly transferKeys = new Set<string>()
  readonly collections = new Map<bigint, TransferRow>()
  readonly events: EventRow[] = []
  readonly callbacks = new Table<bigint, CallbackRow>()
  readonly webhookIds = new Table<string, bigint>()
  readonly callbackAttempts = new Table<bigint, readonly AttemptRow[]>()
  /** By transaction. */
  readonly handshakes = new Table<bigint, readonly AttemptRow[]>()
  /** Keys that are only locked, without rows. */
  readonly limits = new Table<string, never>()
  /** By `provider:type:account#transaction id`. */
  readonly limitUsage = new Table<string, UsageRow>((key, before, after) => {
    if (after) this.usageOf(after.limit).set(key, after)
    else if (before) this.usageOf(before.limit).delete(key)
  })
  /** By `account#kind#transaction id#number`. */
  readonly accountUsage = new Table<string, AccountUseRow>((key, before, after) => {
    if (after) this.usesOf(after.account).set(key, after)
    else if (before) this.usesOf(before.account).delete(key)
  })
  /** By `merchant id:key`. */
  readonly idempotencyKeys = new Table<string, KeyRow>()
  /** By `transaction id:name:reference`, in the order in which they arrived. */
  readonly railReferences = new Table<string, NamedOrder>()
  /** By `scope:reference in upper case`. */
  readonly payerReferences = new Table<string, PayerReferenceRow>()
  readonly payoutWaits = new Table<bigint, PayoutWait>()
  /** What payouts may take, by rail account. */
  readonly floats = new Table<string, FloatRow>()
  readonly railCallbacks = new Table<bigint, RailCallbackRow>()
  /** By `order id/tail method body`, which is unique. */
  readonly railCallbackKeys = new Table<string, bigint>()
  readonly accountMessages = new Table<bigint, AccountMessageRow>()
  /** By `rail account/tail method body`, which is unique. */
  readonly accountMessageKeys = new Table<string, bigint>()
  /** Payments that nobody asked for, by `rail account receipt`. */
  readonly unrequested = new Table<string, UnrequestedRow>()
  /** Payments that customers start, by transaction. */
  readonly expected = new Table<bigint, StoredExpectation>()
  /** The latest one with a reference, by `paid to reference`. */
  readonly typedReferences = new Table<string, { readonly id: bigint; readonly isOpen: boolean }>()
  /** By `merchant id:type`: all that the database is queried for about merchants. Set by whoever plays the staff. */
  readonly callbackUrls = new Map<string, string>()
  /** Of merchants that are suspended, or were. Set by whoever plays the staff, too. */
  readonly suspensions = new Map<bigint, Suspension>()
  /** By transaction. */
  readonly approvals = new Table<bigint, ApprovalRow>()
  readonly batches = new Table<bigint, BatchRow>()
  /** Ids of batches by `merchant id:reference`. */
  readonly batchNames = new Table<string, bigint>()
  /** Set once, before the first payout. */
  readonly approvalRules: ApprovalRule[] = []
  /** By id: who has access now. */
  readonly people = new Table<bigint, Standing>()

  private readonly kinds = new Map<JobKind, Map<bigint, JobRow>>()
  private readonly usages = new Map<string, Map<string, UsageRow>>()
  private readonly uses = new Map<string, Map<string, AccountUseRow>>()
  private lastId = 0n

  /** One sequence of ids for all tables: an id used for the wrong table finds nothing. */
  nextId(): bigint {
    this.lastId += 1n
    return this.lastId
  }

  /** The history of a transaction, or those events of it that are of one kind. */
  eventsOf(transactionId: bigint, kind?: string): EventRow[] {
    return this.events.filter((one) => one.transactionId === transactionId && (!kind || one.kind === kind))
  }

  /** As staff do, except that payouts that waited are not hastened: each goes on at its next turn. */
  setSuspended(merchantId: bigint, isSuspended: boolean, now: Date): void {
    const before = this.suspensions.get(merchantId)
    this.suspensions.set(merchantId, isSuspended ? { ...before, suspendedAt: now } : { resumedAt: now })
  }

  workOf(kind: JobKind): Map<bigint, JobRow> {
    return rowsOf(this.kinds, kind)
  }

  usageOf(limit: string): Map<string, UsageRow> {
    return rowsOf(this.usages, limit)
  }

  usesOf(account: string): Map<string, AccountUseRow> {
    return rowsOf(this.uses, account)
  }
}

/** The rows that an index holds under a value, to be read and changed; empty at first. */
function rowsOf<Value, Key, Row>(index: Map<Value, Map<Key, Row>>, value: Value): Map<Key, Row> {
  const known = index.get(value)
  if (known) return known
  const rows = new Map<Key, Row>()
  index.set(value, rows)
  return rows
}
