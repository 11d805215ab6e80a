import { expect, test } from 'vitest'
import { freshStart } from './fresh-start.ts'

const MINUTE_MS = 60_000

test('runs of a whole day begin apart, the same time of the next day again', () => {
  const starts = Array.from({ length: 480 }, (_, run) => freshStart({}, 1, 30_000, run * 3 * MINUTE_MS))
  const apart = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  expect(Math.min(...apart)).toBeGreaterThan(60)
  expect(freshStart({}, 1, 30_000, 24 * 60 * MINUTE_MS)).toBe(starts[0])
})
