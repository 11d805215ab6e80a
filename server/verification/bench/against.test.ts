import { expect, test } from 'vitest'
import { figuresOf } from './against.ts'
import type { Cost } from './meter.ts'

const expense = (totalUs: number): { readonly cost: Cost } => ({
  cost: { count: 1, processorUs: { API: totalUs }, totalUs, idleCores: 0 },
})
const pair = (today: number, other: number) => ({ name: 'whole payment', today: expense(today), other: expense(other) })
/** The second round meets another load of the machine, which slows both trees. */
const roundsWith = (ratio: number) => [
  pair(1_000 * ratio, 1_000),
  pair(3_000 * ratio, 3_000),
  pair(1_100 * ratio, 1_100),
]

test.each([
  [1.2, false],
  [1.05, true],
  [0.7, true],
])('a payment that costs %s × as much is within bounds: %s', (ratio, reached) => {
  const [first] = figuresOf(roundsWith(ratio), 'the last tag')
  expect(first).toMatchObject({ reached, target: '≤ 1.1 ×' })
  expect(first?.ratio).toBeCloseTo(ratio)
})

test('one disturbed pair moves the spread, not the verdict', () => {
  const [first, spread] = figuresOf([pair(1_000, 1_000), pair(4_000, 1_000), pair(900, 1_000)], 'the last tag')
  expect(first).toMatchObject({ ratio: 1, reached: true })
  expect(spread).toMatchObject({ value: '0.90 to 4.00 ×' })
})
