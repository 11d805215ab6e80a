import { expect, test } from 'vitest'
import { isSameBytes } from './same-bytes.ts'

test.each([
  { a: [], b: [], same: true },
  { a: [1, 2], b: [1, 2], same: true },
  { a: [1, 2], b: [1, 3], same: false },
  { a: [1, 2], b: [3, 2], same: false },
  { a: [1, 2], b: [1], same: false },
  { a: [1], b: [1, 0], same: false },
])('compares $a with $b: $same', ({ a, b, same }) => {
  expect(isSameBytes(Uint8Array.from(a), Buffer.from(b))).toBe(same)
})
