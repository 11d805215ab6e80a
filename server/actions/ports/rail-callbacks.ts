import type { ReceivedCallback } from './rail.ts'
import type { WorkItem } from './work.ts'

/** A message of an operator about one of our orders. Nothing in it is believed. */
export interface RailCallback extends ReceivedCallback {
  readonly installation: string
  /** From the address that it came to. */
  readonly orderId: string
  /** It claims that the order has succeeded or failed: it is stored before what claims neither. */
  readonly hasVerdict?: boolean
  /**
   * The token of its address is that of an order only if the order is not younger: milliseconds since 1970, so that it
   * survives JSON. Absent: of the order alone.
   */
  readonly orderedUntilMs?: number
  /** It waited in a spool, and 200 was answered: no bound keeps it out. */
  readonly isAcknowledged?: boolean
}

/**
 * `unknown_order`: no such order went to that installation, or not by that token. `known`: the same message came before.
 * `too_many`: it is not stored, and the order's history says so.
 */
export type Reception = 'stored' | 'known' | 'unknown_order' | 'too_many'

/** How many messages of each sort about one order are stored within an hour, at all of its addresses together. */
export const MESSAGES_PER_ORDER = {
  /**
   * Far above what any operator sends within an hour. Answers to our own questions come for as long as an order is open,
   * and must not take the place of its result.
   */
  withoutVerdict: 50,
  /** Far above the results that one order can have: more is somebody who knows its address. */
  withVerdict: 200,
} as const
export const MESSAGES_COUNTED_MS = 60 * 60_000

/** How many messages of its sort may be stored before it is refused. */
export function messagesMax({ hasVerdict, isAcknowledged }: RailCallback): number {
  if (isAcknowledged) return Number.MAX_SAFE_INTEGER
  return hasVerdict ? MESSAGES_PER_ORDER.withVerdict : MESSAGES_PER_ORDER.withoutVerdict
}

/** The event of an order whose messages are refused: the first of each sort is recorded, and no other. */
export const messagesRefused = (hasVerdict: boolean): { readonly kind: string; readonly detail: string } => ({
  kind: 'rail_callback_refused',
  detail: hasVerdict
    ? `More than ${MESSAGES_PER_ORDER.withVerdict} messages with a verdict within an hour: the operator gets 503 for more`
    : `More than ${MESSAGES_PER_ORDER.withoutVerdict} messages without a verdict within an hour: the operator gets 503 for more`,
})

/** One that is to be looked at. */
export interface StoredRailCallback extends Omit<RailCallback, 'hasVerdict' | 'orderedUntilMs' | 'isAcknowledged'> {
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
