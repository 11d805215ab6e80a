import type { Form } from './form.ts'
import { present } from '../../domain/present.ts'
import { replay, type ScheduleResult } from './simulate.ts'

/** How many schedules are tried to simplify one. */
const TRIES_MAX = 600

/** The same kind of finding: a simpler schedule may have another number or amount in it. */
const kindOf = (fault: string): string => fault.replace(/\d+/g, '#').split(' ').slice(0, 3).join(' ')

/**
 * Finds a simpler schedule with the same kind of finding: truncated, and with more of its decisions harmless. A failing
 * schedule has thousands of decisions, of which a handful matters.
 */
export async function shrink(failed: ScheduleResult, form: Form = 'simulated'): Promise<ScheduleResult> {
  const wanted = kindOf(present(failed.faults[0], 'a fault'))
  let best = failed
  let tries = 0
  const attempt = async (choices: readonly number[]): Promise<boolean> => {
    tries += 1
    const result = await replay(choices, form)
    // Without a decision that ended it early, a schedule may go on for longer.
    if (result.steps > best.steps || !result.faults.some((fault) => kindOf(fault) === wanted)) return false
    best = { ...result, choices: trimmed(choices) }
    return true
  }
  await attempt(trimmed(failed.choices))
  for (
    let length = Math.ceil(best.choices.length / 2);
    length >= 1 && tries < TRIES_MAX;
    length = Math.floor(length / 2)
  ) {
    for (let from = 0; from < best.choices.length && tries < TRIES_MAX; from += length) {
      const zeroed = best.choices.map((choice, index) => (index >= from && index < from + length ? 0 : choice))
      if (zeroed.some((choice, index) => choice !== best.choices[index])) await attempt(zeroed)
    }
  }
  return best
}

/** Drops zeros at the end, which are implied. */
function trimmed(choices: readonly number[]): number[] {
  const last = choices.findLastIndex((choice) => choice !== 0)
  return choices.slice(0, last + 1)
}
