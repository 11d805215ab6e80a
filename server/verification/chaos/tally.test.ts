import { expect, test } from 'vitest'
import { tally, type ReconciliationInput } from './tally.ts'

const paid = { merchant_reference: 'A', status: 'COMPLETED' }
const open = { merchant_reference: 'B', status: 'PROCESSING' }
const sides = (given: Partial<ReconciliationInput>): ReconciliationInput => ({
  acknowledged: [],
  received: [],
  stored: [],
  ...given,
})
const reported = (reference: string) => [reference, new Map([['COMPLETED', new Set(['id'])]])] as const

test('passes acknowledged payments stored once, and unacknowledged ones', () => {
  const found = tally(sides({ acknowledged: ['A'], received: [reported('A')], stored: [paid, open] }))
  expect(found).toEqual({ lost: [], doubled: [], forgotten: [] })
})

test('an acknowledged payment that is not stored is lost', () => {
  expect(tally(sides({ acknowledged: ['A', 'B'], stored: [paid] })).lost).toEqual(['B'])
})

test('an acknowledged payment that is stored twice is doubled', () => {
  expect(tally(sides({ acknowledged: ['A'], stored: [paid, paid] })).doubled).toEqual(['A'])
})

test('an acknowledged end missing from the database counts as forgotten', () => {
  const found = tally(sides({ received: [reported('A'), reported('B'), reported('C')], stored: [paid, open] }))
  expect(found.forgotten).toEqual(['B', 'C'])
})
