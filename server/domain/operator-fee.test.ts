import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedFee, readFeeRule } from './operator-fee.ts'

/** The given number of steps, each a minor unit further. */
const stepsUpTo = (count: number): string => Array.from({ length: count }, (_, n) => `${n + 1}:1`).join(',')

test.each([
  ['0', 'UGX', 5_000n, 0n],
  ['25', 'UGX', 5_000n, 25n],
  ['0.5', 'KES', 5_000n, 50n],
  ['1.5%', 'UGX', 5_000n, 75n],
  ['1%', 'UGX', 150n, 2n],
  ['1%+10', 'UGX', 5_000n, 60n],
  ['100:0,500:5,1000:7', 'UGX', 100n, 0n],
  ['100:0,500:5,1000:7', 'UGX', 101n, 5n],
  ['100:0,500:5,1000:7', 'UGX', 1_001n, undefined],
  ['100:0,1%', 'UGX', 1_001n, 10n],
  ['100:0, 500:5', 'UGX', 101n, 5n],
  [stepsUpTo(50), 'UGX', 50n, 1n],
  ['any', 'UGX', 5_000n, undefined],
])('%s in %s takes of %d minor units %d', (rule, currency, amountMinor, fee) => {
  expect(expectedFee(readFeeRule(rule, currency), amountMinor)).toBe(fee)
})

test.each([
  ['', 'UGX', /^must be an amount \(0, 25\), a share \(1\.5%\), .* or any: "" is none of them$/],
  ['free', 'UGX', /"free" is none of them/],
  ['-5', 'UGX', /none of them/],
  ['0.5', 'UGX', /has too many decimals/],
  ['500:5,100:0', 'UGX', /rising order/],
  ['1%,100:0', 'UGX', /rising order/],
  ['100:0,100:5', 'UGX', /rising order/],
  ['1%,2%', 'UGX', /rising order/],
  [stepsUpTo(51), 'UGX', /more than 50 steps/],
])('%j in %s is refused', (rule, currency, fault) => {
  expect(() => readFeeRule(rule, currency)).toThrow(fault)
})

test('a share is never off by more than half a minor unit', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 0, max: 10_000 }), (amountMinor, hundredths) => {
      const rule = readFeeRule(`${(hundredths / 100).toFixed(2)}%`, 'UGX')
      const fee = expectedFee(rule, amountMinor) ?? -1n
      const off = fee * 10_000n - amountMinor * BigInt(hundredths)
      expect(off > -5_000n && off <= 5_000n).toBe(true)
    }),
  )
})
