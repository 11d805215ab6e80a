import type { Choices } from './choices.ts'
import type { Form } from './form.ts'
import type { OperatorSide, Receivers } from './operator-side.ts'
import { SimulatedRail } from './rail.ts'
import type { Scheduler } from './scheduler.ts'

export type MakeOperator = (scheduler: Scheduler, choices: Choices, receivers: Receivers) => OperatorSide

/** Adapters and contracts are loaded only for the form that needs them: loading takes longer than many schedules. */
export async function operatorMaker(form: Form): Promise<MakeOperator> {
  if (form === 'simulated') return (scheduler, choices) => new SimulatedRail(scheduler, choices)
  const { WiredOperator } = await import('./wire/wired-operator.ts')
  return (scheduler, choices, receivers) => new WiredOperator(scheduler, choices, receivers)
}
