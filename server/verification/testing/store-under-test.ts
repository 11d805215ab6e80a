import type { AccountMessageStore, UnrequestedPayments } from '../../actions/ports/account-messages.ts'
import type { Acceptance } from '../../actions/ports/acceptance.ts'
import type { CallbackAttempt, CallbackStore } from '../../actions/ports/callbacks.ts'
import type { IdempotencyStore } from '../../actions/ports/idempotency.ts'
import type { Lookups } from '../../actions/ports/lookups.ts'
import type { PayoutBatches } from '../../actions/ports/payout-batches.ts'
import type { RailCallbackStore } from '../../actions/ports/rail-callbacks.ts'
import type { Store } from '../../actions/ports/store.ts'
import type { Standing } from '../../domain/approvals.ts'
import type { Money } from '../../domain/money.ts'
import type { TransactionEvent } from '../../actions/ports/transactions.ts'
import type { JobKind, JobStore } from '../../actions/ports/jobs.ts'

/** The ports of a store, as actions use them, and what tests read from it directly. */
export interface StoreUnderTest {
  readonly store: Store
  readonly acceptance: Acceptance
  readonly batches: PayoutBatches
  readonly queue: JobStore
  readonly callbacks: CallbackStore
  readonly idempotency: IdempotencyStore
  readonly lookups: Pick<Lookups, 'payment' | 'transactionByMerchantReference'>
  readonly railCallbacks: RailCallbackStore
  readonly accountMessages: AccountMessageStore
  readonly unrequested: UnrequestedPayments
  readonly read: StoreReader
  /**
   * A merchant whose callback URLs are this one. Absent: none yet.
   * @returns its id
   */
  newMerchant(url?: string): Promise<bigint>
  setUrl(merchantId: bigint, url: string): Promise<void>
  /** Suspends the merchant, or ends that, as staff do. */
  setSuspended(merchantId: bigint, isSuspended: boolean, now: Date): Promise<void>
  /** @returns the name of a rail account whose operator reported this float then */
  newFloat(floatMinor: bigint, readAt: Date): Promise<string>
  /** From now on payouts of this merchant wait for its approver from this amount on. */
  coverPayouts(merchantId: bigint, from: Money): Promise<void>
  /** @returns the id of somebody with this role */
  newPerson(standing: Standing): Promise<bigint>
  endAccess(personId: bigint): Promise<void>
  /** Resends a callback as staff do. */
  resend(callbackId: bigint, now: Date, dueAt: Date): Promise<void>
  /** Resolves when this many statements wait for locks. */
  lockIsWaitedFor(waiting?: number): Promise<unknown>
}

export interface StoreReader {
  /** By kind and subject. */
  work(): Promise<readonly StoredJob[]>
  /** In their order. */
  events(transactionId: bigint): Promise<readonly (TransactionEvent & { readonly at: Date })[]>
  callback(
    transactionId: bigint,
  ): Promise<
    | { readonly id: bigint; readonly status: string; readonly attempts: number; readonly finishedAt: Date | undefined }
    | undefined
  >
  callbackAttempts(callbackId: bigint): Promise<readonly StoredAttempt[]>
  handshakes(transactionId: bigint): Promise<readonly StoredAttempt[]>
  /** Usage that counts toward the limit of an account number, by transaction. */
  usage(account: string): Promise<ReadonlyMap<bigint, bigint>>
  /**
   * Usage that counts, or has counted, toward the bounds of an account number: in the order of transactions and kinds.
   */
  accountUses(account: string): Promise<
    readonly {
      readonly transactionId: bigint
      readonly kind: string
      readonly number: number
      readonly countsUntil: Date
    }[]
  >
  transfersOf(transactionId: bigint): Promise<readonly string[]>
  /** What lies on suspense at a rail account. */
  suspense(railAccount: string): Promise<bigint>
}

export interface StoredJob {
  readonly kind: JobKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly attempt: number
  readonly held: boolean
  readonly failures: number
  readonly lastError: string | undefined
}

export type StoredAttempt = Pick<CallbackAttempt, 'at' | 'durationMs' | 'httpStatus' | 'error'> & {
  readonly attempt: number
  readonly url?: string
}

export interface OpenedStore {
  /** A store without any jobs; other rows of earlier tests do not affect a test that uses ids of its own. */
  fresh(): Promise<StoreUnderTest>
  close(): Promise<void>
}
