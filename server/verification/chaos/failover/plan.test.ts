import { expect, test } from 'vitest'
import { drawFaults } from './plan.ts'

test('no kind repeats before all have run, and a seed repeats its order', () => {
  const kinds = ['one', 'two', 'three', 'four']
  const drawn = drawFaults(kinds, 10, 5)
  expect(drawn).toHaveLength(10)
  for (const from of [0, 4]) expect(drawn.slice(from, from + 4).toSorted()).toEqual(kinds.toSorted())
  expect(drawFaults(kinds, 10, 5)).toEqual(drawn)
  const orders = new Set(Array.from({ length: 20 }, (_, seed) => drawFaults(kinds, 4, seed).join()))
  expect(orders.size).toBeGreaterThan(1)
})
