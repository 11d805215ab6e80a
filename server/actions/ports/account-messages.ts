import type { RailBalance, RailReferences, ReceivedCallback, UnrequestedPayment } from './rail.ts'
import type { AccountMessageResult, RailCallback, Reception } from './rail-callbacks.ts'

/** A stored message that came to an address of a rail account itself. Nothing in it is trusted. */
export interface StoredAccountMessage extends ReceivedCallback {
  readonly id: bigint
  readonly railAccount: string
}

/**
 * What a message names may not be committed yet; an order whose own payment this may be ends within hours; and the
 * operator's list may lag behind its messages.
 */
export const AGAIN_AFTER_MS = [2_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const
/** For how long the operator is asked about a payment that a message claims, at least. */
export const CLAIM_ASKED_MS = AGAIN_AFTER_MS.reduce((sum, afterMs) => sum + afterMs, 0)

/** How many messages of a rail account may wait to be read: more get 503, and the operator sends them again. */
export const ACCOUNT_MESSAGES_MAX = 20_000

/** The messages of operators with one address for all orders. Everything rejects with StorageUnavailable. */
export interface AccountMessageStore {
  /** Stores the message and its job in one commit; a duplicate is stored once. */
  receive(message: Omit<RailCallback, 'orderId'>, now: Date): Promise<Reception>
  load(id: bigint): Promise<StoredAccountMessage | undefined>
  /** Stores the result and deletes the text. */
  end(id: bigint, result: AccountMessageResult, now: Date): Promise<void>
  /**
   * The order of this rail account that has our id, or one of the operator's ids.
   * @returns our id of it; undefined if there is none, or the ids are those of several
   */
  orderCalled(railAccount: string, ids: AccountOrderIds): Promise<string | undefined>
  /**
   * Whether a collection that may be paid under this reference has no result yet: the payment may be its own.
   * @param receipt also one that was ordered since then, and completed without its receipt
   */
  isAwaited(
    railAccount: string,
    payerReference: string,
    receipt?: { readonly name: string; readonly since: Date },
  ): Promise<boolean>
}

export interface AccountOrderIds {
  readonly orderId?: string
  readonly externalIds: RailReferences
}

/** Money that nobody asked for, each receipt once. */
export interface UnrequestedPayments {
  /** Stores what a message claims, which books nothing. @returns false for a receipt that is booked or on a statement */
  claim(railAccount: string, payment: UnrequestedPayment, now: Date): Promise<boolean>
  /** Books what the operator has confirmed. @returns whether it was booked now; false if a statement had it before */
  book(railAccount: string, payment: UnrequestedPayment, now: Date): Promise<boolean>
}

/** Takes balances that an operator reported by a message. */
export interface ReportedBalances {
  /** @returns false unless we asked this question */
  take(railAccount: string, question: string, balances: readonly RailBalance[], now: Date): Promise<boolean>
}
