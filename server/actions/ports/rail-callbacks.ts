import type { ReceivedCallback } from './rail.ts'
import type { Job } from './jobs.ts'

/** A message of an operator about one of our orders. Nothing in it is trusted. */
export interface RailCallback extends ReceivedCallback {
  readonly railAccount: string
  /** From the address that it was sent to; `ACCOUNT_ADDRESS` for a message to the rail account itself. */
  readonly orderId: string
  /** It claims that the order has succeeded or failed: it is stored before messages without a verdict. */
  readonly hasVerdict?: boolean
  /**
   * The token of its address is valid for an order only if that order is not younger. In milliseconds since 1970, so
   * that it survives JSON. Absent: the token belongs to the order alone.
   */
  readonly orderedUntilMs?: number
  /** It waited in a spool and was acknowledged with 200: no limit rejects it. */
  readonly isAcknowledged?: boolean
}

/**
 * `unknown_order`: no such order went to that rail account, or not with that token. `known`: a duplicate. `too_many`:
 * it is not stored, and the order's history records that.
 */
export type Reception = 'stored' | 'known' | 'unknown_order' | 'too_many'

/** How many messages of each type about one order are stored within an hour, over all of its addresses. */
const MESSAGES_PER_ORDER = {
  /**
   * Far above what any operator sends within an hour. Answers to our own queries come for as long as an order is open,
   * and must not displace its result.
   */
  withoutVerdict: 50,
  /** Far above the number of results that one order can have: more come from somebody who knows its address. */
  withVerdict: 200,
} as const
export const MESSAGES_COUNTED_MS = 60 * 60_000

/** How many messages of its type may be stored before it is rejected. */
export function messagesMax({ hasVerdict, isAcknowledged }: RailCallback): number {
  if (isAcknowledged) return Number.MAX_SAFE_INTEGER
  return hasVerdict ? MESSAGES_PER_ORDER.withVerdict : MESSAGES_PER_ORDER.withoutVerdict
}

/** The event of an order whose messages are rejected: only the first of each type is recorded. */
export const messagesRefused = (hasVerdict: boolean): { readonly kind: string; readonly detail: string } => ({
  kind: 'rail_callback_refused',
  detail: hasVerdict
    ? `More than ${MESSAGES_PER_ORDER.withVerdict} messages with a verdict within an hour: the operator gets 503 for more`
    : `More than ${MESSAGES_PER_ORDER.withoutVerdict} messages without a verdict within an hour: the operator gets 503 for more`,
})

/** A stored message that is due for processing. */
export interface StoredRailCallback extends Omit<RailCallback, 'hasVerdict' | 'orderedUntilMs' | 'isAcknowledged'> {
  readonly id: bigint
  readonly transactionId: bigint
}

/**
 * Result of a message. `confirmed`: the operator, queried, gave a result. `agreed`: the operator cannot be queried,
 * and the message agrees with the order. `unconfirmed`: after repeated queries the operator gave no result.
 * `no_verdict`: the message claims none. `unreadable`: it breaks the operator's contract. `mismatch`: it names another
 * order, amount or account.
 */
export type CallbackResult = 'confirmed' | 'agreed' | 'unconfirmed' | 'no_verdict' | 'unreadable' | 'mismatch'

/**
 * Result of a message to a rail account itself. `handed_on`: it is about an order, whose messages it joined. `unknown_order`: the rail
 * account has no such order. `booked`: money that nobody asked for, which the operator confirmed. `unconfirmed`: it did
 * not, and only a statement can. `known_payment`: that money is booked already.
 * `answered`: it answers a question of ours; `unasked`: it answers none.
 */
export type AccountMessageResult =
  | 'handed_on'
  | 'unknown_order'
  | 'expected'
  | 'booked'
  | 'unconfirmed'
  | 'known_payment'
  | 'answered'
  | 'unasked'
  | 'unreadable'

/** Records a processed message for support. It masks what it stores, never fails, and no payment waits for it. */
export type KeepMessage = (
  callback: Omit<StoredRailCallback, 'id' | 'transactionId'>,
  conclusion: MessageConclusion,
) => void

/** The result of a message, with the reason in words. */
export interface MessageConclusion {
  readonly result: CallbackResult | AccountMessageResult
  readonly detail: string
}

/** Operator messages, stored before they are processed. Everything rejects with StorageUnavailable. */
export interface RailCallbackStore {
  /** Stores the message and its job in one commit; a duplicate is stored once. */
  receive(callback: RailCallback, now: Date): Promise<Reception>
  load(items: readonly Job[]): Promise<readonly StoredRailCallback[]>
  /** Transactions that have one of these external ids. */
  transactionsCalled(railAccount: string, references: readonly string[]): Promise<readonly bigint[]>
}

/** The end of an operator message commits together with its effect. */
export interface RailCallbackWrites {
  /** Stores the result of an operator's message and deletes its text. */
  endRailCallback(id: bigint, result: CallbackResult, now: Date): Promise<void>
}
