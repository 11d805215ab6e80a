import { expect, test } from 'vitest'
import { longestSilenceMs } from './silence.ts'

test('the longest time without an acceptance includes the beginning and the end', () => {
  expect(longestSilenceMs([1, 12, 14, 30], 10, 20)).toBe(6)
  expect(longestSilenceMs([1, 18, 30], 10, 20)).toBe(8)
  expect(longestSilenceMs([15], 10, 20)).toBe(5)
  expect(longestSilenceMs([], 10, 20)).toBe(10)
})
