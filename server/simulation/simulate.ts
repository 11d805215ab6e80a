import { Actors } from './actors.ts'
import { Choices } from './choices.ts'
import { SimulatedGateway } from './gateway.ts'
import { judge, judgeWithPoison } from './judge.ts'
import { ScheduleStuck, type Note } from './scheduler.ts'

export interface ScheduleResult {
  /** Every decision, in order: played again it gives the same result. */
  readonly choices: readonly number[]
  /** What is wrong, in words; empty when nothing is. */
  readonly faults: readonly string[]
  readonly steps: number
  readonly notes: readonly Note[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long the others go on beside payments that cannot be done. */
const POISONED_MS = 3 * HOUR_MS
/** After this nothing is under way any more, however late a rail may be. */
const END_MS = 200 * HOUR_MS

/** One schedule from its seed. */
export const simulate = (seed: number): Promise<ScheduleResult> => run(Choices.fromSeed(seed))

/** One schedule from its decisions; what is missing at their end is harmless. */
export const replay = (choices: readonly number[]): Promise<ScheduleResult> => run(Choices.replay(choices))

async function run(choices: Choices): Promise<ScheduleResult> {
  const perStep = choices.of(0.02, 0, 0.05, 0.15)
  const slowSteps = choices.of(0.05, 0.4)
  const hostileMs = choices.of(30 * MINUTE_MS, 2 * MINUTE_MS, 100 * HOUR_MS)
  const gateway = new SimulatedGateway(choices, { perStep, slowSteps })
  const actors = new Actors(gateway, choices)
  const { scheduler } = gateway
  gateway.rail.onDue = () => actors.play(actors.report())
  const startMs = scheduler.nowMs
  const faults: string[] = []
  try {
    actors.start()
    await scheduler.run(startMs + hostileMs)
    // From here on nothing goes wrong any more: everything that was begun has to come to its end.
    scheduler.calm()
    if (gateway.poisoned.size > 0) {
      await scheduler.run(scheduler.nowMs + POISONED_MS)
      faults.push(...judgeWithPoison(gateway))
      gateway.heal()
    }
    await scheduler.run(startMs + END_MS)
    // What its rail never tells, and what has waited for a URL since it was made.
    actors.play(gateway.resolveUnresolved())
    await scheduler.run(startMs + END_MS + HOUR_MS)
    actors.play(gateway.resendWithheld())
    await scheduler.run(startMs + END_MS + 2 * HOUR_MS)
    faults.push(...judge(gateway, actors))
  } catch (error) {
    if (!(error instanceof ScheduleStuck)) throw error
    faults.push(`it never ends: ${error.message}`)
  }
  return { choices: choices.taken, faults, steps: scheduler.steps, notes: scheduler.notes }
}
