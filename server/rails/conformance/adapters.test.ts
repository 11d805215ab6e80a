import { expect, test } from 'vitest'
import { RAIL_KINDS } from '../registry.ts'
import { FEATURES } from './counterpart.ts'
import { COUNTERPARTS, HELD_AT_ONCE } from './counterparts/index.ts'
import { simulatedRail } from './counterparts/simulated.ts'
import { holdRails } from './hold-rails.ts'
import { RULES } from './rules/index.ts'

await holdRails('conformance', HELD_AT_ONCE, (pool) => [simulatedRail(pool), simulatedRail(pool, true)])

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
