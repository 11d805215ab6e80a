/**
 * Before or after the operator has processed the request: after it, the order is in the book although no reply
 * arrives.
 */
export type Moment = 'before' | 'after'

/** Effects on the reply to a call. */
export type WireEffect =
  | { readonly do: 'refuse'; readonly code: string; readonly status?: number; readonly message?: string }
  | { readonly do: 'unauthorized' }
  | { readonly do: 'hang'; readonly when?: Moment }
  | { readonly do: 'close'; readonly when?: Moment }
  | { readonly do: 'empty'; readonly when?: Moment; readonly status?: number }
  | { readonly do: 'html'; readonly when?: Moment; readonly status?: number }
  | {
      readonly do: 'answer'
      readonly when?: Moment
      readonly status: number
      readonly content_type?: string
      readonly body?: unknown
    }
  | { readonly do: 'truncate'; readonly bytes?: number }
  | { readonly do: 'drip'; readonly ms_per_byte: number }
  | { readonly do: 'delay'; readonly ms: number }
  | { readonly do: 'lie'; readonly set: Readonly<Record<string, unknown>> }

/** Effects on the outcome of an order, and on its callbacks. */
export type OrderEffect =
  | { readonly do: 'settle'; readonly as: 'succeeded'; readonly after_ms?: number }
  | { readonly do: 'settle'; readonly as: 'failed'; readonly code: string; readonly after_ms?: number }
  | { readonly do: 'stay' }
  | { readonly do: 'pay_after_all'; readonly after_ms?: number; readonly untold?: boolean }
  | { readonly do: 'lag'; readonly ms: number }
  | {
      readonly do: 'callback'
      readonly times?: number
      readonly every_ms?: number
      readonly after_ms?: number
      readonly method?: 'PUT' | 'POST'
      readonly before_reply?: boolean
      readonly set?: Readonly<Record<string, unknown>>
    }
  | {
      readonly do: 'forge'
      readonly set: Readonly<Record<string, unknown>>
      readonly after_ms?: number
      readonly method?: 'PUT' | 'POST'
    }
  | {
      readonly do: 'plant'
      readonly difference: 'missing' | 'doubled' | 'amount' | 'fee' | 'late'
      /** The wrong amount or fee, in main units. */
      readonly value?: string
      readonly late_ms?: number
    }
  /** An effect of one operator only; its handlers look it up by `name`. */
  | { readonly do: 'quirk'; readonly name: string; readonly value?: string | number | boolean }

export type Effect = WireEffect | OrderEffect

export interface Scenario {
  readonly on?: { readonly operation?: string; readonly msisdn?: string }
  /** Calls without effect before the first one. */
  readonly skip?: number
  readonly times?: number | 'always'
  readonly effect: Effect
}

const ORDER_EFFECTS: readonly string[] = [
  'settle',
  'stay',
  'pay_after_all',
  'lag',
  'callback',
  'forge',
  'plant',
  'quirk',
] satisfies OrderEffect['do'][]

export const isOrderEffect = (effect: Effect): effect is OrderEffect => ORDER_EFFECTS.includes(effect.do)
