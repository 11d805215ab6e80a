import type { ReceiverReply } from './replies.ts'

/** What a payment comes to; without a message any text will do. */
export interface Outcome {
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED'
  readonly message?: string
}

/** What the customer of a collection does. */
export type CustomerPlan = 'pays' | 'cancels' | 'never comes' | 'guesses passwords' | 'authorizes'

/** One payment: how it is made, what the merchant answers, and what has to come of it. */
export interface Scenario {
  readonly name: string
  readonly operation: 'initializeCollection' | 'sendFunds'
  readonly body: Readonly<Record<string, unknown>>
  /** Account number that the customer enters on the page. */
  readonly account: string
  readonly customer?: CustomerPlan
  /** In turn, the last one for ever. */
  readonly handshakes: readonly ReceiverReply[]
  readonly callbacks: readonly ReceiverReply[]
  /** A callback each, in that order; empty: it never ends by itself. */
  readonly outcomes: readonly Outcome[]
  /** Not before so long after acceptance. */
  readonly finalAfterMs: number
}
