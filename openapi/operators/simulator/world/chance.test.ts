import { expect, test } from 'vitest'
import { chanceOf } from './chance.ts'

const drawn = (seed?: number): readonly string[] => {
  const chance = chanceOf(seed)
  return [chance.hex(2), chance.hex(40), chance.uuid(), chance.uuid()]
}

test('a seed repeats its values; another seed, or none, differs', () => {
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(2)).not.toEqual(drawn(1))
  expect(drawn()).not.toEqual(drawn())
})

test('lengths are as requested, and ids are UUIDs of version 4', () => {
  const [short, long, one, other] = drawn(1)
  expect([short?.length, long?.length]).toEqual([4, 80])
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(other).not.toBe(one)
})
