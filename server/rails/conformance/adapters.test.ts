import { afterAll, describe, expect, test } from 'vitest'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { expectBalancedBooks } from '../../verification/testing/ledger.ts'
import { FEATURES } from './counterpart.ts'
import { COUNTERPARTS } from './counterparts/index.ts'
import { simulatedRail } from './counterparts/simulated.ts'
import { openGatewayStage, switchedKinds } from './gateway-stage.ts'
import { RAIL_KINDS } from '../registry.ts'
import { printAtEnd } from './print-at-end.ts'
import { RULES } from './rules/index.ts'
import { runRule, wireSubject } from './run-rule.ts'
import { ConformanceTable } from './table.ts'

const { railKinds, install: put } = switchedKinds(RAIL_KINDS)
const around = await gatewayTest({ surroundings: { railKinds } })
const subjects = [
  ...COUNTERPARTS.map((counterpart) =>
    wireSubject(counterpart, () => openGatewayStage(around, counterpart, counterpart.kind, put(counterpart.kind))),
  ),
  simulatedRail(around.gateway.pool),
  simulatedRail(around.gateway.pool, true),
]
const table = new ConformanceTable(subjects)
afterAll(() => printAtEnd('conformance', table.lines(RULES)))

describe.each(subjects)('$name', (subject) => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))('%s', async (_name, rule) => {
    const result = await runRule(rule, subject)
    table.add(rule, subject, result)
    if (result.result === 'broken') throw result.error
  })
})

test('after all of it the books balance', async () => {
  await expectBalancedBooks(around.gateway)
})

test('every rail kind has a counterpart for each direction that it supports', () => {
  const ofPayments = COUNTERPARTS.filter(({ collectionOf }) => collectionOf === undefined)
  const played = new Set(ofPayments.map(({ kind, type }) => `${kind.name} ${type}`))
  expect([...played].toSorted()).toEqual(
    RAIL_KINDS.flatMap(({ name, types }) => types.map((type) => `${name} ${type}`)).toSorted(),
  )
})

test('rules have names of their own, and say why', () => {
  expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length)
  expect(RULES.filter(({ why }) => why.length < 20)).toEqual([])
  const needed = new Set<string>(RULES.flatMap(({ needs }) => needs))
  expect(Object.keys(FEATURES).filter((feature) => !needed.has(feature))).toEqual([])
})
