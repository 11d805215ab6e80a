import type { Callbacks } from './callbacks.ts'
import type { OpenOperator, Operator } from './operator.ts'
import type { Scenarios } from './scenarios/scenarios.ts'
import type { Lifecycle } from './world/lifecycle.ts'
import type { OperatorState } from './world/world.ts'

/** The parts of a running simulator. */
export interface Parts {
  readonly operator: Operator
  readonly open: OpenOperator
  readonly world: OperatorState
  readonly scenarios: Scenarios
  readonly lifecycle: Lifecycle
  readonly callbacks: Callbacks
}
