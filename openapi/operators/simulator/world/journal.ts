import type { NewOrder, Order } from './order.ts'

/**
 * The operator's durable state: each entry is stored before anybody is informed of it. Everything else (tokens,
 * exchanges, scenarios, balances that were set) ends with the process.
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
  /** The sum of dropped orders (`carryForward`). */
  | {
      readonly entry: 'carried'
      /** The highest number of a movement of money so far. */
      readonly movement: number
      /** Their changes to each account, in main units; negative for a debit. */
      readonly changes: Readonly<Record<string, string>>
    }

/** Where an operator's book is stored. */
export interface Journal {
  /** The entries from before this start, in order. */
  readonly entries: readonly Entry[]
  append(entry: Entry): void
  /** Resolves when all appended entries are stored; it waits as long as that takes. */
  kept(): Promise<void>
}

/** In memory only: the book ends with the process. */
export const NO_JOURNAL: Journal = { entries: [], append: () => undefined, kept: () => Promise.resolve() }
