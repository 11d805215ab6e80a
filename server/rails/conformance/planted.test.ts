import { afterAll, expect, test } from 'vitest'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { openGatewayStage, switchedKinds } from './gateway-stage.ts'
import { RAIL_FAULTS } from './planted/index.ts'
import { RAIL_KINDS } from '../registry.ts'
import { printAtEnd } from './print-at-end.ts'
import { RULES } from './rules/index.ts'
import { runRule, wireSubject } from './run-rule.ts'

// Faulty adapters: each breaks the rules that its row names. `npm run faults` runs all of them.

const { railKinds, install: put } = switchedKinds(RAIL_KINDS)
const around = await gatewayTest({ surroundings: { railKinds } })
/** A broken adapter may wait for a reply that never comes. */
const EACH_MS_MAX = 300_000
let seen = 0
afterAll(() =>
  printAtEnd('planted', [`${seen} of ${RAIL_FAULTS.length} wrong adapters break the rules that their rows name.`]),
)

/** The faults of `npm run faults`; by default some. */
const chosen = process.env['MALIPO_PLANTED']?.split(',')
const planted = RAIL_FAULTS.filter(({ name }, index) => chosen?.includes(name) ?? index % 6 === 0)

test.each(planted)('$name', { timeout: EACH_MS_MAX }, async ({ plant: { rail, breaks, wrong } }) => {
  const kind = wrong(rail.kind)
  const subject = wireSubject(rail, () => openGatewayStage(around, rail, kind, put(kind)), kind)
  const kept: string[] = []
  for (const rule of RULES.filter(({ name }) => breaks.includes(name)))
    if ((await runRule(rule, subject)).result !== 'broken') kept.push(rule.name)
  expect(kept).toEqual([])
  seen += 1
})

test('every rule that a fault names exists', () => {
  const rules = new Set(RULES.map(({ name }) => name))
  expect(RAIL_FAULTS.flatMap(({ plant }) => plant.breaks).filter((name) => !rules.has(name))).toEqual([])
})
