import type { ReceiverReply } from '../../driver/merchant-replies.ts'
import type { Outcome } from '../../driver/test-numbers.ts'

/** Action of a collection's customer. */
export type CustomerPlan = 'pays' | 'cancels' | 'never comes' | 'guesses OTPs' | 'authorizes'

/** One payment: its request, the merchant's answers, and the expected outcome. */
export interface Scenario {
  readonly name: string
  readonly operation: 'initializeCollection' | 'sendFunds'
  readonly body: Readonly<Record<string, unknown>>
  /** Account number that the customer enters on the page. */
  readonly account: string
  readonly customer?: CustomerPlan
  /** In turn; the last one repeats. */
  readonly handshakes: readonly ReceiverReply[]
  readonly callbacks: readonly ReceiverReply[]
  /** One callback each, in that order; empty: it never ends on its own. */
  readonly outcomes: readonly Outcome[]
  /** Earliest time of the outcome after acceptance. */
  readonly finalAfterMs: number
}
