import { describe, expect, test } from 'vitest'
import { seededFractions } from '../../../../server/verification/testing/seeded.ts'
import { coveringArray } from './covering-array.ts'

const LEVELS = [13, 3, 3, 2, 2, 2, 3, 3]

function tuplesIn(rows: readonly (readonly number[])[], size: number): ReadonlySet<string> {
  const subsets = (length: number, from: number, left: number): number[][] =>
    left === 0
      ? [[]]
      : Array.from({ length: Math.max(0, length - from) }, (_, index) => from + index).flatMap((first) =>
          subsets(length, first + 1, left - 1).map((rest) => [first, ...rest]),
        )
  return new Set(
    rows.flatMap((row) =>
      subsets(row.length, 0, size).map((factors) => factors.map((factor) => `${factor}=${row[factor]}`).join()),
    ),
  )
}
/** The number of all tuples: the sum of the products of the levels, over all choices of factors. */
function tupleCount(levels: readonly number[], size: number): number {
  if (size === 0) return 1
  return levels.reduce((sum, count, index) => sum + count * tupleCount(levels.slice(index + 1), size - 1), 0)
}

describe.each([
  [2, 60],
  [3, 240],
] as const)('a covering array of strength %i', (strength, rowsMax) => {
  const rows = coveringArray({ levels: LEVELS, strength, random: seededFractions(1) })

  test('has every tuple', () => expect(tuplesIn(rows, strength).size).toBe(tupleCount(LEVELS, strength)))
  test('has few rows', () => expect(rows.length).toBeLessThanOrEqual(rowsMax))
  test('is the same for the same seed, and another for another', () => {
    expect(coveringArray({ levels: LEVELS, strength, random: seededFractions(1) })).toEqual(rows)
    expect(coveringArray({ levels: LEVELS, strength, random: seededFractions(2) })).not.toEqual(rows)
  })
})

test('never combines forbidden levels, and has all other pairs', () => {
  const isAllowed = ([first, , third]: readonly (number | undefined)[]) => !(first === 1 && third === 0)
  const rows = coveringArray({ levels: [2, 3, 2], strength: 2, random: seededFractions(3), isAllowed })
  expect(rows.filter((row) => !isAllowed(row))).toEqual([])
  expect(tuplesIn(rows, 2).size).toBe(tupleCount([2, 3, 2], 2) - 1)
})

test('lists each level once when there is one factor', () => {
  const rows = coveringArray({ levels: [4], strength: 2, random: seededFractions(4) })
  expect(rows.flat().toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3])
})
