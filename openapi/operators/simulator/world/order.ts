import type { OrderEffect } from '../scenarios/effects.ts'

/** What somebody does at the virtual phone; `expired` is time's doing. */
export type Decision = 'approved' | 'wrong_pin' | 'cancelled' | 'expired'

/** How an order ended. */
export type Verdict = { readonly state: 'succeeded' } | { readonly state: 'failed'; readonly code: string }

/** A verdict that comes by itself. Without one the order stays as it is. */
export interface Plan {
  readonly verdict: Verdict | undefined
  readonly afterMs: number
}

/** What an operator gives to the book when it takes an order. */
export interface NewOrder {
  /** The id by which the operator finds it again. */
  readonly id: string
  readonly kind: string
  /** `in`: from the customer to the merchant. */
  readonly direction: 'in' | 'out'
  /** The merchant's account at the operator, a key of `Operator.accounts`. */
  readonly account: string
  readonly msisdn: string
  /** As it was ordered, a decimal number in main units. */
  readonly amount: string
  readonly currency: string
  /** The merchant's own reference: what a double charge is counted by. */
  readonly externalId: string
  /** Whether the customer has to approve at the phone. */
  readonly asks: boolean
  /** What becomes of it, where that is known when it is taken; scenarios can still change it. */
  readonly plan?: Plan
  /** Whatever the operator's replies and callbacks need again. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface Order extends NewOrder {
  readonly acceptedAt: Date
  /** When the customer's time is over. */
  readonly expiresAt: Date
  readonly effects: readonly OrderEffect[]
  state: 'waiting' | 'succeeded' | 'failed'
  /** The operator's code of the failure. */
  code: string | undefined
  settledAt: Date | undefined
  /** How often money moved for it. More than once is what a merchant must never bring about. */
  moved: number
  /** The operator's number of each movement. */
  readonly receipts: string[]
  wrongPins: number
  /** What happened to it, for the pages. */
  readonly history: { readonly at: Date; readonly text: string }[]
}

export type AcceptOrder = (order: NewOrder) => Order
