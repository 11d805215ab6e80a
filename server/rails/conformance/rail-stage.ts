import type { Rail, RailOrder } from '../../actions/ports/rail.ts'
import type { FixedClock } from '../../testing/gateway.ts'

/** What becomes of an order once the customer or recipient has decided. */
export type Fate = 'paid' | 'failed'

/** A rail as the gateway has it, whatever is behind it. */
export interface RailStage {
  readonly rail: Rail
  readonly clock: FixedClock
  /** One that no other is like: not sent yet. */
  order(fate?: Fate, changes?: Partial<RailOrder>): RailOrder
  /** Its fate comes about, as far as the operator has the order. */
  decide(order: RailOrder): Promise<void>
  /** How often the operator moves the money of an order, or will. */
  moved(order: RailOrder): Promise<number>
}

/** A stage that ends with its rule. */
export type Closing<Stage> = Stage & { close(): Promise<void> }
