import type { Rail, RailOrder } from '../../actions/ports/rail.ts'
import type { FixedClock } from '../../verification/testing/fixed-clock.ts'

/** The outcome of an order once the customer or recipient has decided. */
export type OrderOutcome = 'paid' | 'failed'

/** A rail as the gateway sees it, whatever is behind it. */
export interface RailStage {
  readonly rail: Rail
  readonly clock: FixedClock
  /** Creates a unique order that is not sent yet. */
  order(fate?: OrderOutcome, changes?: Partial<RailOrder>): RailOrder
  /** Applies the order's fate, if the operator has the order. */
  decide(order: RailOrder): Promise<void>
  /** How often the operator has moved the money of an order, or will. */
  moved(order: RailOrder): Promise<number>
}

/** A stage that closes when its rule ends. */
export type Closable<Stage> = Stage & { close(): Promise<void> }
