import type { ReceivedCallback } from './rail.ts'
import type { WorkItem } from './work.ts'

/** A message of an operator about one of our orders. Nothing in it is believed. */
export interface RailCallback extends ReceivedCallback {
  readonly installation: string
  /** From the address that it came to. */
  readonly orderId: string
}

/** `unknown_order`: no such order went to that installation. `known`: the same message came before. */
export type Reception = 'stored' | 'known' | 'unknown_order' | 'too_many'

/** One that is to be looked at. */
export interface StoredRailCallback extends RailCallback {
  readonly id: bigint
  readonly transactionId: bigint
}

/**
 * What came of a message. `confirmed`: the operator, asked, gave a result. `agreed`: it could not be asked, and the
 * message agrees with the order. `unconfirmed`: asked again and again, the operator gave none. `no_verdict`: it claims
 * none. `unreadable`: it breaks the operator's contract. `mismatch`: it speaks of another order, amount or account.
 */
export type CallbackResult = 'confirmed' | 'agreed' | 'unconfirmed' | 'no_verdict' | 'unreadable' | 'mismatch'

/** A message that was looked at, for support: it never fails, and no payment waits for it. Masks what it keeps. */
export type KeepMessage = (callback: StoredRailCallback, conclusion: MessageConclusion) => void

/** What came of a message, and why in words. */
export interface MessageConclusion {
  readonly result: CallbackResult
  readonly detail: string
}

/** The messages of operators, stored before anybody looks at them. Everything rejects with StorageUnavailable. */
export interface RailCallbackStore {
  /** Stores it with the work to look at it, in one commit; the same one twice is one. */
  receive(callback: RailCallback, now: Date): Promise<Reception>
  load(items: readonly WorkItem[]): Promise<readonly StoredRailCallback[]>
  /** Transactions that the operator calls by one of these names. */
  transactionsCalled(installation: string, references: readonly string[]): Promise<readonly bigint[]>
}
