import type { CallbackEvent, NextStep } from '../../domain/callback.ts'
import type { CallbackOfTransaction, CallbackStatus } from '../../domain/deliveries.ts'
import type { OrderType } from '../../domain/provider.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Job } from './jobs.ts'

/** A notification to a merchant; the signature covers exactly the bytes of `body`. */
export interface NewCallback {
  readonly webhookId: string
  readonly transactionId: bigint
  readonly merchantId: bigint
  readonly event: CallbackEvent
  /** Empty when the merchant had none. */
  readonly url: string
  readonly body: string
}

/** A callback that is not stored yet: the commit that writes it sets its URL to the merchant's current one, if any. */
export interface AddressedCallback extends Omit<NewCallback, 'url'> {
  /** The transaction's type: each has a URL of its own. */
  readonly type: OrderType
  /** The destination of its delivery job (domain/destination.ts). */
  readonly destination: string
}

interface Callback extends NewCallback {
  readonly id: bigint
  readonly attempts: number
  readonly status: CallbackStatus
}

/** One attempt, as merchants and staff see it in the record. */
export interface CallbackAttempt {
  readonly at: Date
  /** The URL, masked. */
  readonly url: string
  readonly durationMs: number
  readonly httpStatus?: number
  readonly error?: string
  readonly replyExcerpt?: string
}

/** A callback to deliver, with the data that its signatures cover. */
export interface DueCallback extends Callback {
  /** When its transaction became final. */
  readonly createdAt: Date
  /** Whether the merchant had a URL then: if not, the first attempt follows when staff resends it. */
  readonly hadUrl: boolean
  /**
   * How often staff has resent it. The result of an attempt from before the last resend has no effect on the delivery.
   */
  readonly resends: number
  /** Attempts made before it was last resent: its schedule restarted then. */
  readonly attemptsBefore: number
  readonly signed: Pick<Transaction, 'merchantReference' | 'internalReference' | 'type' | 'status'>
  /** The transaction's: it is masked in the stored replies of the merchant. */
  readonly account: string
  /** The transaction's. */
  readonly traceparent?: string
}

/** An attempt and the next step. */
export interface DeliveryRecord {
  readonly item: Job
  readonly callback: DueCallback
  readonly attempt: CallbackAttempt
  readonly next: NextStep
}

/**
 * Due callbacks, outside of a unit of work. Everything rejects with StorageUnavailable when the database is
 * unavailable.
 */
export interface CallbackStore {
  /** The pending ones of these. A callback that has ended in the meantime is skipped, and its job finished. */
  load(items: readonly Job[]): Promise<readonly DueCallback[]>
  /**
   * Stores the attempt and the next step. After the lease was lost only the new holder decides the next step, but an
   * acknowledgement still ends the delivery, unless the callback was resent since. Concurrent ones share one commit.
   */
  record(delivery: DeliveryRecord): Promise<void>
  /** Reschedules it without an attempt. */
  reschedule(item: Job, dueAt: Date): Promise<void>
  /**
   * Stops it without an attempt, because its merchant has no URL for it: it goes out when one is set and staff resends
   * it. If a URL exists that this process has not loaded yet, the callback is only rescheduled for a moment.
   */
  withhold(item: Job, callback: DueCallback, now: Date): Promise<void>
}

/** Callbacks that commit together with the state that they report. */
export interface CallbackWrites {
  /**
   * Stores them with the current callback URLs of their merchants, and a delivery job for each that has one. The others
   * are stopped from the start: they go out when their merchant has a URL and staff resends them.
   * @returns those that are stopped
   */
  addCallbacks(callbacks: readonly AddressedCallback[], now: Date): Promise<readonly CallbackOfTransaction[]>
}
