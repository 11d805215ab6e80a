import type { Form } from '../simulation/form.ts'
import type { SourceFault } from './planted-fault.ts'
import { resultOf } from './run-planted.ts'

/** Forms of the simulation, by the names under which faults are found. */
const SIMULATIONS = { simulation: 'simulated', 'wire simulation': 'wire' } as const satisfies Readonly<
  Record<string, Form>
>
/** A planted fault is found within this many schedules; most are within some hundred. */
const SCHEDULES = 10_000
const TIMEOUT_MS = 20 * 60_000
const SIMULATION = new URL('../simulation/cli.ts', import.meta.url)

/**
 * Runs schedules on sources with the fault until one fails.
 * @returns what fails; undefined when none does
 */
export async function findInSchedules(
  { foundBy: [by], plant }: SourceFault,
  signal: AbortSignal,
  { firstSeed = 1, schedules = SCHEDULES } = {},
): Promise<string | undefined> {
  const form = SIMULATIONS[by as keyof typeof SIMULATIONS]
  const args = { seed: firstSeed, schedules, rails: form, jobs: 1 }
  const options = Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)])
  const settings = { timeoutMs: TIMEOUT_MS, signal }
  const { failures } = (await resultOf(
    plant.edits,
    SIMULATION,
    ['--json', '--first', '--no-shrink', ...options],
    settings,
  )) as { readonly failures: readonly { readonly seed: number; readonly faults: readonly string[] }[] }
  const [first] = failures
  return first && `schedule ${first.seed}: ${first.faults[0]}`
}
