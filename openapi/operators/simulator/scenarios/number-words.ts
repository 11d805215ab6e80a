import type { Order } from '../world/order.ts'
import type { WireEffect } from './effects.ts'

type Direction = Order['direction']

/** How an operator plays the test numbers of Malipo's sandbox, by the direction of the money. */
export interface NumberWords {
  /** The calls that accept orders. */
  readonly operations: Readonly<Record<Direction, string>>
  /** The kinds of those orders. */
  readonly kinds: readonly string[]
  /** The code for a customer who cannot pay, or cannot receive. */
  readonly unable: Readonly<Record<Direction, string>>
  readonly declined: Readonly<Record<Direction, string>>
  /** Absent: an order of this direction has no such end. */
  readonly expired: Readonly<Partial<Record<Direction, string>>>
  /** An attempt that certainly had no effect, or may be repeated. */
  readonly away: Readonly<Record<Direction, WireEffect>>
  /** The calls about an account's holder. Absent: it has none. */
  readonly holderCalls?: RegExp
  /** Whether it reports a result more than once, and a later one that reverses an earlier one. */
  readonly reportsAgain: boolean
  /** Quirks of every call. */
  readonly always: readonly string[]
  /** The quirk for an order that would expire, where nothing expires. */
  readonly insteadOfExpiry?: string
}
