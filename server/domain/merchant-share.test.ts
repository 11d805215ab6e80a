import { expect, test } from 'vitest'
import { merchantPart, merchantPartMinor } from './merchant-share.ts'

test.each([
  [20, 50, 10],
  [3, 50, 1],
  [1, 50, 1],
  [20, 1, 1],
  [20, 99, 19],
  [20, 100, 20],
])('of a bound of %d a merchant with %d percent has %d', (max, share, part) =>
  expect(merchantPart(max, share)).toBe(part),
)

test('of a sum a merchant has whole minor units, rounded down', () => {
  expect(merchantPartMinor(9_007_199_254_740_993n, 100)).toBe(9_007_199_254_740_993n)
  expect(merchantPartMinor(999n, 50)).toBe(499n)
})
