import type { NewOrder, Order } from './order.ts'

/**
 * What an operator does not forget when its process ends: each is kept before anybody is told of it. Everything else
 * (tokens, exchanges, scenarios, balances that somebody set) is gone with the process.
 */
export type Entry =
  | { readonly entry: 'taken'; readonly at: string; readonly order: NewOrder & Pick<Order, 'effects'> }
  | {
      readonly entry: 'settled'
      readonly at: string
      readonly kind: string
      readonly id: string
      /** The number of the movement of money; absent when none moved. */
      readonly movement?: number
      /** Of the failure. */
      readonly code?: string
    }
  | { readonly entry: 'told'; readonly kind: string; readonly id: string }
  /** The sum of orders that are kept no longer (`carryForward`). */
  | {
      readonly entry: 'carried'
      /** The highest number that a movement of money had. */
      readonly movement: number
      /** What they changed of each account, in main units; less is written with a minus. */
      readonly changes: Readonly<Record<string, string>>
    }

/** Where an operator's book is kept. */
export interface Journal {
  /** What was kept before this start, in its order. */
  readonly entries: readonly Entry[]
  append(entry: Entry): void
  /** When all that was appended is kept; it waits as long as that takes. */
  kept(): Promise<void>
}

/** In memory alone: the book is gone with the process. */
export const NO_JOURNAL: Journal = { entries: [], append: () => undefined, kept: () => Promise.resolve() }
