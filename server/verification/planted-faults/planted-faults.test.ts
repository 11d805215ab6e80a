import { expect, test } from 'vitest'
import { oneOfByDefault } from '../testing/nightly.ts'
import { read } from '../testing/source-tree.ts'
import { BLIND_FAULTS, CATALOGUE } from './catalogue.ts'
import { findInSchedules } from './find-in-schedules.ts'
import { SCHEDULE_FAULTS } from './in-schedules.ts'
import { WIRE_SCHEDULE_FAULTS } from './in-wire-schedules.ts'
import { editedText, sourceFaults } from './planted-fault.ts'
import { outputOf } from './run-planted.ts'

const { signal } = new AbortController()
const BUSY_MS = 10 * 60_000

test('names are unique and in kebab-case, and each kind has two faults', () => {
  const names = [...CATALOGUE, ...BLIND_FAULTS].map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
  const kinds = [...Map.groupBy(CATALOGUE, ({ kind }) => kind)]
  expect(kinds.filter(([, faults]) => faults.length < 2).map(([kind]) => kind)).toEqual([])
})

test('each edit fits its file exactly once, and changes it', () => {
  for (const { name, plant } of [...CATALOGUE, ...BLIND_FAULTS]) {
    if (plant.in !== 'source') continue
    expect(plant.edits.length, name).toBeGreaterThan(0)
    for (const edit of plant.edits) {
      const text = read(`server/${edit.file}`)
      expect(editedText(text, edit), name).not.toBe(text)
    }
  }
})

test('refuses an edit whose text is missing or there twice', () => {
  const edit = { file: 'a.ts', from: 'one', to: 'two' }
  expect(() => editedText('none', { ...edit, from: 'some' })).toThrow('a.ts contains 0 times: some')
  expect(() => editedText('one and one', edit)).toThrow('a.ts contains 2 times: one')
})

// Seeds from which each is found soon; `npm run faults` begins with 1.
test.each(
  oneOfByDefault('faults in schedules')([
    ['message-is-believed', 70],
    ['token-repeats', 20],
    ['late-result-beside-its-failure', 505],
    ['poisoned-batch', 20],
    ['spool-gives-up', 1],
  ] as const),
)('the simulation finds %s', { timeout: BUSY_MS }, async (name, firstSeed) => {
  const fault = [...SCHEDULE_FAULTS, ...WIRE_SCHEDULE_FAULTS].find((each) => each.name === name)!
  expect(await findInSchedules(fault, signal, { firstSeed })).toContain('schedule ')
})

test('the simulation finds nothing in sources that only look different', { timeout: BUSY_MS }, async () => {
  const [sound] = sourceFaults('jobs', 'simulation', {
    sound: ['is right', ['jobs/leases.ts', 'LEASE_MS = 30_000', 'LEASE_MS = 30_001 - 1']],
  })
  expect(await findInSchedules(sound!, signal, { schedules: 20 })).toBeUndefined()
})

test('simplifies a failing schedule, which still fails', { timeout: BUSY_MS }, async () => {
  const { plant } = SCHEDULE_FAULTS.find(({ name }) => name === 'hold-kept')!
  const simulation = new URL('../simulation/cli.ts', import.meta.url)
  const settings = { timeoutMs: BUSY_MS, signal }
  const output = await outputOf(plant.edits, simulation, ['--first', '--jobs', '1'], settings)
  const [, before, after] = /made simpler, from (\d+) to (\d+) steps/.exec(output) ?? []
  expect(Number(after)).toBeLessThan(Number(before))
  expect(output.split('made simpler')[1]).toContain('WRONG: ')
})
