import { expect, test } from 'vitest'
import { createTestDatabase } from '../../server/testing/database.ts'
import { seeded } from './faults/choose.ts'
import { FAULTS } from './faults/all.ts'
import { DRILL_PARTS, type DrillPart } from './faults/drill-parts.ts'
import { ControlFailed, drillFaults } from './faults/fault-drill.ts'
import { tableText, totalsOf } from './faults/table.ts'

const SEED = 20_261_120
const databases = { create: async () => (await createTestDatabase()).connection }
const quiet = { databases, seed: SEED, jobs: 2, full: false, log: () => undefined }

/** A part that says this of every server. */
const saying = (name: string, findings: readonly { readonly about: string; readonly what: string }[]): DrillPart => ({
  name, receives: false, reaches: () => true,
  run: async () => ({ part: name, status: findings.length > 0 ? 'findings' : 'passed', cases: 1, checks: 1, findings, durationMs: 0 }),
})

test('there are at least 60 faults, 15 of them beyond the API, each with a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  expect(FAULTS.length).toBeGreaterThanOrEqual(60)
  expect(FAULTS.filter(({ at }) => at === undefined).length).toBeGreaterThanOrEqual(15)
  for (const fault of FAULTS) expect(DRILL_PARTS.some((part) => part.reaches(fault)), fault.name).toBe(true)
})

test('a seeded handful of faults is found by the part that is there for them, and nothing in a gateway without faults', { timeout: 90_000 }, async () => {
  const parts = DRILL_PARTS.filter(({ name }) => ['declared', 'receiver'].includes(name))
  const inReplies = FAULTS.filter(({ group, at = [] }) => ['keys', 'replies'].includes(group) && at.length > 2)
  const sent = FAULTS.filter(({ group }) => ['callbacks', 'handshake', 'redirect'].includes(group))
  const drill = await drillFaults({ ...quiet, parts, faults: [...seeded(inReplies, SEED, 3), ...seeded(sent, SEED, 1)] })
  console.log(tableText(drill))
  expect(totalsOf(drill)).toMatchObject({ faults: 4, killed: 4, survivors: [], perPart: { declared: { killed: 3, asked: 3 }, receiver: { killed: 1, asked: 1 } } })
  expect(drill.outcomes.filter(({ fault }) => fault === 'none').map(({ verdict }) => verdict)).toEqual(['survived', 'survived'])
})

test('a part that finds something in a gateway without any fault is no judge', async () => {
  const parts = [saying('grumbler', [{ about: 'everything', what: 'was better before' }])]
  await expect(drillFaults({ ...quiet, parts, faults: FAULTS.slice(0, 1) })).rejects.toThrow(ControlFailed)
})

test('a fault that no part finds is a survivor, and is named below the table', async () => {
  const drill = await drillFaults({ ...quiet, parts: [saying('blind', []), saying('also blind', [])], faults: FAULTS.slice(0, 1) })
  const [{ name }] = FAULTS as [(typeof FAULTS)[number]]
  expect(totalsOf(drill)).toMatchObject({ faults: 1, killed: 0, survivors: [name], perPart: { blind: { killed: 0, asked: 1 }, 'also blind': { killed: 0, asked: 1 } } })
  expect(tableText(drill)).toContain(`not found: ${name}`)
})

test('a part that throws, or is skipped, has given no verdict', async () => {
  const isControl = (name: string) => name === 'none'
  const thrower: DrillPart = { ...saying('thrower', []), run: (target, options, { name }) => (isControl(name) ? saying('', []).run(target, options, FAULTS[0]!) : Promise.reject(new Error('broken'))) }
  const drill = await drillFaults({ ...quiet, parts: [thrower], faults: FAULTS.slice(0, 1) })
  expect(totalsOf(drill).perPart).toEqual({ thrower: { killed: 0, noVerdict: 1, asked: 1 } })
})
