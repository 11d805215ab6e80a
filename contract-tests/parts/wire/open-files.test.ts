import { expect, test } from 'vitest'
import { connectionsPossible } from './open-files.ts'

test.each([
  [5_000, 2, 20_000, 5_000],
  [5_000, 2, 4_096, 1_748],
  [5_000, 1, 1_024, 424],
  [5_000, 1, 256, 0],
  [5_000, 2, Infinity, 5_000],
] as const)('of %i connections with %i ends here and %i open files, %i are opened', (wanted, ends, limit, possible) => {
  expect(connectionsPossible(wanted, ends, limit)).toBe(possible)
})

test('the limit of this process is known', () => expect(connectionsPossible(1, 1)).toBe(1))
