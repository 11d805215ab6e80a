import type { Order } from '../world/order.ts'
import type { WireEffect } from './effects.ts'

type Direction = Order['direction']

/** How an operator puts what the test numbers of Malipo's sandbox ask for, by the direction of the money. */
export interface NumberWords {
  /** The calls that take orders. */
  readonly operations: Readonly<Record<Direction, string>>
  /** The kinds of those orders. */
  readonly kinds: readonly string[]
  /** The code of one who cannot pay, or cannot receive. */
  readonly unable: Readonly<Record<Direction, string>>
  readonly declined: Readonly<Record<Direction, string>>
  /** Absent: an order of this direction has no such end. */
  readonly expired: Readonly<Partial<Record<Direction, string>>>
  /** A try that certainly did nothing, or may be made again. */
  readonly away: Readonly<Record<Direction, WireEffect>>
  /** Whether it tells a result more than once, and one that takes back another. */
  readonly tellsAgain: boolean
  /** Quirks that every call has. */
  readonly always: readonly string[]
  /** The quirk of an order that would expire where nothing does. */
  readonly insteadOfExpiry?: string
}
