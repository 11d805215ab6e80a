import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { seeded } from './choose.ts'
import { FAULTS } from './all.ts'
import { DRILL_PARTS, type DrillPart } from './drill-parts.ts'
import { ControlFailed, drillFaults } from './fault-drill.ts'
import { DrillStopped } from './run.ts'
import { tableText, totalsOf } from './table.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'

const SEED = 20_261_120
/** Gateways start slowly on a busy machine. */
const BUSY_MS = 240_000
const databases = { create: async () => (await createTestDatabase()).connection }
const quiet = { databases, seed: SEED, jobs: 2, full: false, log: () => undefined }

/** A part with the same finding about every server. */
const saying = (name: string, findings: readonly { readonly about: string; readonly what: string }[]): DrillPart => ({
  name,
  receives: false,
  reaches: () => true,
  run: async () => ({
    part: name,
    status: findings.length > 0 ? 'findings' : 'passed',
    cases: 1,
    checks: 1,
    findings,
    durationMs: 0,
  }),
})

test('there are at least 60 uniquely named faults, 15 of them beyond the API', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  expect(FAULTS.length).toBeGreaterThanOrEqual(60)
  expect(FAULTS.filter(({ at }) => at === undefined).length).toBeGreaterThanOrEqual(15)
  for (const fault of FAULTS)
    expect(
      DRILL_PARTS.some((part) => part.reaches(fault)),
      fault.name,
    ).toBe(true)
})

testNightly(
  'finds a seeded handful of faults by their part, and none in a sound gateway',
  { timeout: BUSY_MS },
  async () => {
    const parts = DRILL_PARTS.filter(({ name }) => ['declared', 'receiver'].includes(name))
    const inReplies = FAULTS.filter(({ group, at = [] }) => ['keys', 'replies'].includes(group) && at.length > 2)
    const sent = FAULTS.filter(({ group }) => ['callbacks', 'handshake', 'redirect'].includes(group))
    const drill = await drillFaults({
      ...quiet,
      parts,
      faults: [...seeded(inReplies, SEED, 2), ...seeded(sent, SEED, 1)],
    })
    console.log(tableText(drill))
    expect(totalsOf(drill)).toMatchObject({
      faults: 3,
      killed: 3,
      survivors: [],
      perPart: { declared: { killed: 2, asked: 2 }, receiver: { killed: 1, asked: 1 } },
    })
    expect(drill.outcomes.filter(({ fault }) => fault === 'none').map(({ verdict }) => verdict)).toEqual([
      'survived',
      'survived',
    ])
  },
)

test('rejects a part that has a finding about a gateway without any fault', { timeout: BUSY_MS }, async () => {
  const parts = [saying('grumbler', [{ about: 'everything', what: 'was better before' }])]
  await expect(drillFaults({ ...quiet, parts, faults: FAULTS.slice(0, 1) })).rejects.toThrow(ControlFailed)
})

test('lists a fault that no part finds as a survivor below the table', { timeout: BUSY_MS }, async () => {
  const drill = await drillFaults({
    ...quiet,
    parts: [saying('blind', []), saying('also blind', [])],
    faults: FAULTS.slice(0, 1),
  })
  const [{ name }] = FAULTS as [(typeof FAULTS)[number]]
  expect(totalsOf(drill)).toMatchObject({
    faults: 1,
    killed: 0,
    survivors: [name],
    notAsked: [],
    perPart: { blind: { killed: 0, asked: 1, sees: 1 }, 'also blind': { killed: 0, asked: 1, sees: 1 } },
  })
  expect(tableText(drill)).toContain(`not found: ${name}`)
})

testNightly('a part that throws, or is skipped, has no verdict', { timeout: BUSY_MS }, async () => {
  const isControl = (name: string) => name === 'none'
  const thrower: DrillPart = {
    ...saying('thrower', []),
    run: (target, options, { name }) =>
      isControl(name) ? saying('', []).run(target, options, FAULTS[0]!) : Promise.reject(new Error('broken')),
  }
  const drill = await drillFaults({ ...quiet, parts: [thrower], faults: FAULTS.slice(0, 1) })
  const none = { killed: 0, noVerdict: 1, asked: 1, sees: 1 }
  expect(totalsOf(drill).perPart).toEqual({ thrower: none, everywhere: none })
})

testNightly('a resumed drill reuses known outcomes and lists what has not run yet', { timeout: BUSY_MS }, async () => {
  const [one, two] = FAULTS as [(typeof FAULTS)[number], (typeof FAULTS)[number]]
  const requested: string[] = []
  const blind = saying('blind', [])
  const parts: DrillPart[] = [
    {
      ...blind,
      run: (target, options, fault) => {
        requested.push(fault.name)
        return blind.run(target, options, fault)
      },
    },
  ]
  const known = { fault: one.name, part: 'blind', verdict: 'killed', durationMs: 1 } as const
  const soFar: string[] = []
  const drill = await drillFaults({
    ...quiet,
    parts,
    faults: [one, two],
    kept: () => [known],
    onOutcome: (drill) => soFar.push(totalsOf(drill).notAsked.join()),
  })
  expect(requested).toEqual(['none', two.name])
  expect(soFar).toEqual([two.name, ''])
  expect(totalsOf(drill)).toMatchObject({ killed: 1, survivors: [two.name], notAsked: [] })
})

testNightly('a stopped drill closes the running gateway and starts nothing more', { timeout: BUSY_MS }, async () => {
  const stop = new AbortController()
  let url = ''
  const endless: DrillPart = {
    ...saying('endless', []),
    run: async (target) => {
      url = target.url
      stop.abort()
      return new Promise(
        (resolve) =>
          void setTimeout(
            () => resolve({ part: 'endless', status: 'passed', cases: 0, checks: 0, findings: [], durationMs: 0 }),
            500,
          ).unref(),
      )
    },
  }
  await expect(
    drillFaults({ ...quiet, parts: [endless], faults: FAULTS.slice(0, 3), signal: stop.signal }),
  ).rejects.toThrow(DrillStopped)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
