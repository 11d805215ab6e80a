import { expect, test } from 'vitest'
import { smallerByDefault } from '../testing/nightly.ts'
import { FORMS } from './form.ts'
import { simulateMany } from './run-many.ts'
import { replay, simulate } from './simulate.ts'

/** The short forms. The nightly run also has a million schedules, from a seed of its own. */
const SCHEDULES = smallerByDefault('schedules', 100, 10_000)
const SHORT_MS = 10 * 60_000
/** With the real adapters; the nightly run has thousands. */
const ON_THE_WIRE = smallerByDefault('schedules on the wire', 10, 150)

test(`after ${SCHEDULES} schedules nothing is lost, doubled, stuck or undelivered`, { timeout: SHORT_MS }, async () => {
  const { schedules, steps, failures, seconds } = await simulateMany({
    seed: 1,
    schedules: SCHEDULES,
    jobs: 2,
    form: 'simulated',
    stopAtFirst: false,
  })
  console.log(`simulation: ${schedules} schedules, ${steps} steps, ${Math.round(schedules / seconds)} schedules/s`)
  const reported = failures.map(
    ({ seed, result }) => `seed ${seed} (npm run simulate -- --trace --seed ${seed}): ${result.faults[0]}`,
  )
  expect(reported).toEqual([])
  expect(schedules).toBe(SCHEDULES)
})

test(
  `after ${ON_THE_WIRE} schedules on the wire the operator's book and ours agree`,
  { timeout: SHORT_MS },
  async () => {
    const { schedules, failures } = await simulateMany({
      seed: 1,
      schedules: ON_THE_WIRE,
      jobs: 1,
      form: 'wire',
      stopAtFirst: false,
    })
    const reported = failures.map(
      ({ seed, result }) => `npm run simulate -- --rails wire --trace --seed ${seed}: ${result.faults[0]}`,
    )
    expect(reported).toEqual([])
    expect(schedules).toBe(ON_THE_WIRE)
  },
)

test.each(FORMS)('a seed repeats its schedule, and so do its decisions alone: %s', async (form) => {
  const [once, twice] = [await simulate(7, form), await simulate(7, form)]
  expect(once.notes.length).toBeGreaterThan(20)
  expect(twice).toEqual(once)
  expect((await replay(once.choices, form)).notes).toEqual(once.notes)
})
