import { GIVE_UP_AFTER_MS, isFinal } from '../../domain/transaction.ts'
import { ScheduleActors } from './actors.ts'
import { Choices } from './choices.ts'
import type { Form } from './form.ts'
import { SimulatedGateway } from './gateway.ts'
import { judge, judgeWithPoison } from './judge.ts'
import { operatorMaker } from './operators-by-form.ts'
import { ScheduleStuck, type Note } from './scheduler.ts'

export interface ScheduleResult {
  /** Every decision, in order: a replay gives the same result. */
  readonly choices: readonly number[]
  /** Findings, in words; empty when there are none. */
  readonly faults: readonly string[]
  readonly steps: number
  readonly notes: readonly Note[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long the other payments continue next to poisoned ones. */
const POISON_MS = 3 * HOUR_MS
/** How long a payment may need after an approval, which may come as late as its request expires, or after it is given up. */
const AFTERWARDS_MS = 8 * HOUR_MS
/** How long what staff give back in the end may need, with its wait before. */
const RETURN_MS = 6 * HOUR_MS
/** How long faults are injected, the harmless value first, and after how long nothing is in progress any more. */
const TIMES = {
  simulated: { hostileMs: [30 * MINUTE_MS, 2 * MINUTE_MS, 100 * HOUR_MS], endMs: 200 * HOUR_MS },
  // Polls of an operator that reports nothing go on for as long as a schedule lasts.
  wire: { hostileMs: [30 * MINUTE_MS, 2 * MINUTE_MS, 6 * HOUR_MS], endMs: 34 * HOUR_MS },
} as const satisfies Readonly<Record<Form, unknown>>

/** Runs one schedule from its seed. */
export const simulate = (seed: number, form: Form = 'simulated'): Promise<ScheduleResult> =>
  run(Choices.fromSeed(seed), form)

/** Runs one schedule from its decisions; decisions missing at the end are harmless. */
export const replay = (choices: readonly number[], form: Form = 'simulated'): Promise<ScheduleResult> =>
  run(Choices.replay(choices), form)

/** What begins late ends later than other schedules: what waits for an approval, and refunds that are not sent. */
const lateEndsMs = ({ world, suspensions }: SimulatedGateway): number[] => [
  ...[...world.approvals.values()]
    .filter(({ state }) => state === 'waiting')
    .map(({ expiresAt }) => expiresAt.getTime() + AFTERWARDS_MS),
  ...[...world.transactions.values()]
    .filter(({ transaction: { type, status } }) => type === 'REFUND' && !isFinal(status))
    .map(({ transaction: { createdAt } }) =>
      Math.max(createdAt.getTime(), ...suspensions.map(({ untilMs }) => untilMs)),
    )
    .map((countedFromMs) => countedFromMs + GIVE_UP_AFTER_MS + AFTERWARDS_MS),
]

async function run(choices: Choices, form: Form): Promise<ScheduleResult> {
  const operator = await operatorMaker(form)
  const perStep = choices.of(0.02, 0, 0.05, 0.15)
  const slowSteps = choices.of(0.05, 0.4)
  const hostileMs = choices.of<number>(...TIMES[form].hostileMs)
  const gateway = new SimulatedGateway(choices, { perStep, slowSteps }, operator)
  const actors = new ScheduleActors(gateway, choices)
  const { scheduler } = gateway
  const { reports } = gateway.rail
  if (reports) reports.onDue = () => actors.play(actors.report(reports))
  const startMs = scheduler.nowMs
  const faults: string[] = []
  try {
    actors.start()
    await scheduler.run(startMs + hostileMs)
    // From here on nothing fails any more: everything that was begun must end.
    scheduler.calm()
    if (gateway.poisoned.size > 0) {
      await scheduler.run(scheduler.nowMs + POISON_MS)
      faults.push(...judgeWithPoison(gateway))
      gateway.heal()
    }
    await scheduler.run(startMs + TIMES[form].endMs - RETURN_MS)
    actors.givesBack()
    await scheduler.run(startMs + TIMES[form].endMs)
    const endMs = Math.max(startMs + TIMES[form].endMs, ...lateEndsMs(gateway))
    await scheduler.run(endMs)
    // Payments that the rail never reports, and callbacks that have waited for a URL since they were made.
    actors.play(gateway.resolveUnknownOutcomes())
    await scheduler.run(endMs + HOUR_MS)
    actors.play(gateway.resendWithheld())
    await scheduler.run(endMs + 2 * HOUR_MS)
    faults.push(...judge(gateway, actors))
  } catch (error) {
    if (!(error instanceof ScheduleStuck)) throw error
    faults.push(`it never ends: ${error.message}`)
  }
  return { choices: choices.taken, faults, steps: scheduler.steps, notes: scheduler.notes }
}
