import { expect, test } from 'vitest'
import { chargeOf, converted, leastFor, oddAmount, roundedUpFrom } from './charges.ts'

test('a charge is a percentage, rounded half up, plus a flat amount', () => {
  expect(chargeOf(5_000n, { bps: 100n, flatMinor: 0n })).toBe(50n)
  expect(chargeOf(550n, { bps: 100n, flatMinor: 0n })).toBe(6n)
  expect(chargeOf(549n, { bps: 100n, flatMinor: 250n })).toBe(255n)
})

test('finds an amount whose charge ends in half a minor unit', () => {
  expect(oddAmount(501n, { bps: 100n, flatMinor: 0n }, 1n)).toBe(550n)
  expect(oddAmount(1_100n, { bps: 50n, flatMinor: 0n }, 100n)).toBe(1_100n)
})

test("a conversion uses both currencies' decimals and rounds half up", () => {
  expect(converted(10_000n, 'USD', 'UGX', '3800')).toBe(380_000n)
  expect(converted(100n, 'UGX', 'KES', '0.034567')).toBe(346n)
  expect(leastFor(500n, 'USD', 'UGX', '3812.4567')).toBe(14n)
  expect(converted(13n, 'USD', 'UGX', '3812.4567')).toBeLessThan(500n)
})

test('rounding up gives more than truncating', () => {
  const amount = roundedUpFrom(14n, 'USD', 'UGX', '3812.4567')
  expect(converted(amount, 'USD', 'UGX', '3812.4567')).toBe(BigInt(Math.ceil(Number(amount) * 38.124567)))
})
