import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { smallerByDefault, oneOfByDefault } from '../testing/nightly.ts'
import { PLANTED } from './planted/faults.ts'
import { findPlanted } from './planted/drill.ts'
import { editedText, plant } from './planted/plant.ts'
import { FORMS } from './form.ts'
import { simulateMany } from './run-many.ts'
import type { shrink } from './shrink.ts'
import { replay, simulate } from './simulate.ts'

/** The short forms. The nightly run also has a million schedules, from a seed of its own. */
const SCHEDULES = smallerByDefault('schedules', 300, 10_000)
const SHORT_MS = 10 * 60_000
/** With the real adapters; the nightly run has thousands. */
const ON_THE_WIRE = smallerByDefault('schedules on the wire', 30, 150)
/** A planted fault is found within this many schedules, from the seed in its row on. */
const UNTIL_FOUND = 3_000

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

describe('planted faults', () => {
  test('each stands in the sources as they are now, exactly once per text', async () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(23)
    expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length)
    for (const { edits } of PLANTED) {
      expect(edits.length).toBeGreaterThan(0)
      for (const edit of edits) expect(await editedText(edit)).toContain(edit.to)
    }
  })

  // Seeds from which each is found soon; the rest of the table, from 1 on: npm run simulate -- --faults
  test.each(
    oneOfByDefault('planted faults')([
      ['late-result-beside-its-failure', 640],
      ['token-repeats', 225],
      ['poisoned-batch', 20],
      ['message-is-believed', 150],
    ] as const),
  )('%s is found', { timeout: SHORT_MS }, async (name, firstSeed) => {
    const found = await findPlanted(
      PLANTED.find((fault) => fault.name === name)!,
      UNTIL_FOUND,
      firstSeed,
    )
    expect(found).toBeDefined()
  })

  test('simplifies a failing schedule, which still fails', { timeout: SHORT_MS }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'malipo-simulation-'))
    try {
      const cli = await plant(
        PLANTED.find(({ name }) => name === 'hold-kept')!,
        folder,
      )
      const faulty = {
        ...(await import(join(cli, '../simulate.ts'))),
        ...(await import(join(cli, '../shrink.ts'))),
      } as { simulate: typeof simulate; shrink: typeof shrink }
      let seed = 1
      let failed = await faulty.simulate(seed)
      while (failed.faults.length === 0) failed = await faulty.simulate(++seed)
      const simple = await faulty.shrink(failed)
      expect(simple.faults.length).toBeGreaterThan(0)
      expect(simple.steps).toBeLessThan(failed.steps)
      expect(simple.choices.filter((choice) => choice !== 0).length).toBeLessThan(
        failed.choices.filter((choice) => choice !== 0).length,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
