import type { OrderEffect } from '../scenarios/effects.ts'

/** Actions at the virtual phone; `expired` comes by time. */
export type Decision = 'approved' | 'wrong_pin' | 'cancelled' | 'expired'

/** How an order ended. */
export type Verdict = { readonly state: 'succeeded' } | { readonly state: 'failed'; readonly code: string }

/** An automatic verdict. Without one the order stays as it is. */
export interface Plan {
  readonly verdict: Verdict | undefined
  readonly afterMs: number
}

/** The fields of an order that an operator adds to the book. */
export interface NewOrder {
  /** The id by which the operator finds it. */
  readonly id: string
  readonly kind: string
  /** `in`: from the customer to the merchant. */
  readonly direction: 'in' | 'out'
  /** The merchant's account at the operator, a key of `Operator.accounts`. */
  readonly account: string
  readonly msisdn: string
  /** The ordered amount, a decimal number in main units. */
  readonly amount: string
  readonly currency: string
  /** The merchant's own reference, by which double charges are counted. */
  readonly externalId: string
  /** Whether the customer has to approve at the phone. */
  readonly asks: boolean
  /** The customer pays without an order of the merchant's: again under the same reference is no double charge. */
  readonly isUnrequested?: true
  /** Without a scenario or a phone it ends when it is taken. */
  readonly endsAtOnce?: boolean
  /** Its outcome, if it is known on acceptance; scenarios can still change it. */
  readonly plan?: Plan
  /** Fields that the operator's replies and callbacks need. */
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
  /** How often money moved for it. A merchant must never cause more than one. */
  moved: number
  /** The operator's number of each movement. */
  readonly receipts: string[]
  wrongPins: number
  /** Its history, for the pages. */
  readonly history: { readonly at: Date; readonly text: string }[]
}

export type AcceptOrder = (order: NewOrder) => Order
