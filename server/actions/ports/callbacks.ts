import type { CallbackEvent, NextStep } from '../../domain/callback.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { WorkItem } from './work.ts'

/** What a merchant is to be told; `body` is what is signed, byte for byte. */
export interface NewCallback {
  readonly webhookId: string
  readonly transactionId: bigint
  readonly merchantId: bigint
  readonly event: CallbackEvent
  /** Empty when the merchant had none. */
  readonly url: string
  readonly body: string
}

/** Before it is stored: where it goes is what its merchant has set when the commit writes it, if anything. */
export interface AddressedCallback extends Omit<NewCallback, 'url'> {
  /** Of its transaction: collections and payouts have URLs of their own. */
  readonly type: TransactionType
  /** What the work of its delivery is found by (domain/addressee.ts). */
  readonly addressee: string
}

export interface Callback extends NewCallback {
  readonly id: bigint
  readonly attempts: number
  readonly status: 'PENDING' | 'DELIVERED' | 'STOPPED'
}

/** One try, as merchants and operators see it in the record. */
export interface CallbackAttempt {
  readonly at: Date
  /** Where it went, masked. */
  readonly url: string
  readonly durationMs: number
  readonly httpStatus?: number
  readonly error?: string
  readonly replyExcerpt?: string
}

/** A callback to deliver, with what its signatures cover. */
export interface DueCallback extends Callback {
  /** When its transaction became final. */
  readonly createdAt: Date
  /** Whether the merchant had a URL then: if not, its first attempt comes when an operator sends it. */
  readonly hadUrl: boolean
  /** How often an operator has sent it again: an answer to an attempt from before that decides nothing any more. */
  readonly resends: number
  /** Attempts made before it was last sent again: then its schedule began anew. */
  readonly attemptsBefore: number
  readonly signed: Pick<Transaction, 'merchantReference' | 'internalReference' | 'type' | 'status'>
  /** Of its transaction: it is masked in what the merchant replies. */
  readonly account: string
  /** Of its transaction. */
  readonly traceparent?: string
}

/** An attempt, and what follows from it. */
export interface DeliveryRecord {
  readonly item: WorkItem
  readonly callback: DueCallback
  readonly attempt: CallbackAttempt
  readonly next: NextStep
}

/** Callbacks that are due, outside of a unit. Everything rejects with StorageUnavailable when the database is away. */
export interface CallbackStore {
  /** The pending ones of these; a callback that has ended in the meantime is left out, and its work finished. */
  load(items: readonly WorkItem[]): Promise<readonly DueCallback[]>
  /**
   * Stores the attempt, and what follows from it. Once the lease was lost that is for the new holder to say, but an
   * acknowledgement ends the delivery all the same, unless it was sent again since. Many at once share one commit.
   */
  record(delivery: DeliveryRecord): Promise<void>
  /** Puts it off without an attempt. */
  postpone(item: WorkItem, dueAt: Date): Promise<void>
  /**
   * Stops it without an attempt, because its merchant has no URL for it: it goes out when one is set and an operator
   * resends it. Where a URL has come that this process does not know yet, it is only put off for a moment.
   */
  withhold(item: WorkItem, callback: DueCallback, now: Date): Promise<void>
}
