import { createCallbacks, type Callbacks, type Deliver } from '../../../../openapi/operators/simulator/callbacks.ts'
import type { ContractRequest } from '../../../../openapi/operators/simulator/contract/backend.ts'
import { compiledOf, type CompiledContract } from '../../../../openapi/operators/simulator/contract/compiled.ts'
import type {
  CustomerPayment,
  OpenOperator,
  Operator,
  OperatorReply,
} from '../../../../openapi/operators/simulator/operator.ts'
import type { OrderEffect } from '../../../../openapi/operators/simulator/scenarios/effects.ts'
import { chanceOf } from '../../../../openapi/operators/simulator/world/chance.ts'
import type { Clock } from '../../../../openapi/operators/simulator/world/clock.ts'
import { createLifecycle, type Lifecycle } from '../../../../openapi/operators/simulator/world/lifecycle.ts'
import type { NewOrder, Order } from '../../../../openapi/operators/simulator/world/order.ts'
import { createWorld, type OperatorState } from '../../../../openapi/operators/simulator/world/world.ts'
import { present } from '../../../domain/present.ts'
import { WIRED_KINDS } from './wired-kinds.ts'

/** The simulator of an operator without its server: requests and replies are objects. */
export interface Engine {
  readonly operator: Operator
  readonly open: OpenOperator
  readonly world: OperatorState
  readonly callbacks: Callbacks
  /** The `operationId` of a call; undefined if it is not an operation. */
  operationOf(queried: Pick<ContractRequest, 'method' | 'path'>): string | undefined
  answer(queried: ContractRequest): Promise<OperatorReply>
  /** A customer pays without being asked. */
  pay(payment: CustomerPayment, details: NewOrder['details']): Order
}

interface EngineOptions {
  readonly clock: Clock
  /** For the ids that it issues. */
  readonly seed: number
  readonly deliver: Deliver
  /** What happens to an order that it accepts, and how that is reported. */
  readonly planFor: (order: NewOrder) => readonly OrderEffect[]
  readonly onTaken: (order: Order) => void
  /** Whether the operator behaves oddly in its own way in this call. */
  readonly quirk: (name: string, operation: string, params: Readonly<Record<string, string>>) => boolean
}

/** Contracts are compiled once for all schedules: compiling takes longer than a schedule. */
const COMPILED: ReadonlyMap<string, CompiledContract> = new Map(
  await Promise.all(
    WIRED_KINDS.map(async ({ simulated }): Promise<[string, CompiledContract]> => {
      const { name, document } = simulated()
      return [name, await compiledOf(document)]
    }),
  ),
)

export function createEngine(operator: Operator, options: EngineOptions): Engine {
  const { backend, faults } = present(COMPILED.get(operator.name), 'a contract')
  const world = createWorld(options.clock, chanceOf(options.seed), operator.accounts)
  const callbacks = createCallbacks(operator, world, faults, options.deliver)
  const lifecycle: Lifecycle = createLifecycle({ operator, world, report: callbacks.report, autoAfterMs: undefined })
  const open = operator.open(world, callbacks)
  return {
    operator,
    open,
    world,
    callbacks,
    operationOf: (queried) => backend.operationOf(queried)?.id,
    pay: (payment, details) => lifecycle.accept({ ...open.unrequested.orderOf(payment), details }, []),
    async answer(queried) {
      const { id = '', params = {} } = backend.operationOf(queried) ?? {}
      const msisdn = open.msisdnOf({ operation: id, params, body: queried.body })
      const { reply } = await backend.answer(queried, {
        operator,
        open,
        msisdn,
        ...(queried.text !== undefined && { text: queried.text }),
        quirk: (name) => options.quirk(name, id, params) || undefined,
        accept(taken) {
          const order = lifecycle.accept(taken, options.planFor(taken))
          options.onTaken(order)
          return order
        },
      })
      return reply
    },
  }
}
