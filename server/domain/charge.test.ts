import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargeOf, collectionChargeOf, creditOf } from './charge.ts'
import { convert } from './exchange.ts'
import { decimalsOf, money } from './money.ts'

test('one percent of 5,000 is 50, and the flat part comes on top', () => {
  expect(chargeOf(5_000n, { chargeBps: 100, chargeFlatMinor: 0n })).toBe(50n)
  expect(chargeOf(5_000n, { chargeBps: 100, chargeFlatMinor: 7n })).toBe(57n)
})

test('the percentage is rounded half up to the minor unit', () => {
  expect(chargeOf(150n, { chargeBps: 100, chargeFlatMinor: 0n })).toBe(2n) // 1.5
  expect(chargeOf(149n, { chargeBps: 100, chargeFlatMinor: 0n })).toBe(1n) // 1.49
})

test('merchant and Malipo together get what the customer pays, whoever pays the charge', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.bigInt({ min: 0n, max: 10_000n }),
      fc.boolean(),
      fc.constantFrom(1n, 5n, 100n),
      (amount, chargeBps, chargeFlatMinor, chargeCustomer, amountStepMinor) => {
        const charge = collectionChargeOf(amount, { chargeBps, chargeFlatMinor, amountStepMinor }, chargeCustomer)
        const credit = creditOf(amount, charge, chargeCustomer)
        const paid = chargeCustomer ? amount + charge : amount
        expect(credit).toBeGreaterThanOrEqual(0n)
        expect(credit).toBeLessThanOrEqual(paid)
        expect(credit + charge).toBe(paid)
      },
    ),
  )
})

test('a merchant who bears the charge pays at most the amount, with no credit then', () => {
  const rule = { chargeBps: 0, chargeFlatMinor: 70n }
  expect([69n, 70n, 71n].map((amount) => collectionChargeOf(amount, rule, false))).toEqual([69n, 70n, 70n])
  expect([69n, 70n, 71n].map((amount) => creditOf(amount, 70n, false))).toEqual([0n, 0n, 1n])
})

test('rounds a charge on top up to an amount the operator takes, by under one step', () => {
  const rule = { chargeBps: 100, chargeFlatMinor: 0n }
  const inShillings = { ...rule, amountStepMinor: 100n }
  // 550 and 5.50 are 556 shillings.
  expect(collectionChargeOf(55_000n, inShillings, true)).toBe(600n)
  expect(collectionChargeOf(50_000n, inShillings, true)).toBe(500n)
  expect(collectionChargeOf(55_000n, rule, true)).toBe(550n)
  // A customer who does not bear the charge pays the amount alone.
  expect(collectionChargeOf(55_000n, inShillings, false)).toBe(550n)
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: 10_000 }), (amount, chargeBps) => {
      const exact = collectionChargeOf(amount, { ...rule, chargeBps }, true)
      const charge = collectionChargeOf(amount, { ...inShillings, chargeBps }, true)
      expect((amount + charge) % 100n).toBe(0n)
      expect([charge >= exact, charge - exact < 100n]).toEqual([true, true])
    }),
  )
})

test('USD 100 at 3,800 with 1 % charge is 380,000 UGX, charge 3,800, credit 376,200', () => {
  const amount = convert(money(10_000n, 'USD'), { from: 'USD', to: 'UGX', rate: '3800' })
  expect(amount).toEqual(money(380_000n, 'UGX'))
  const charge = chargeOf(amount.amountMinor, { chargeBps: 100, chargeFlatMinor: 0n })
  expect([charge, creditOf(amount.amountMinor, charge, false)]).toEqual([3_800n, 376_200n])
})

test('a fractional rate is applied exactly and rounded half up', () => {
  expect(convert(money(100_000n, 'UGX'), { from: 'UGX', to: 'USD', rate: '0.000263' })).toEqual(money(2_630n, 'USD'))
  // 49.9963 cents
  expect(convert(money(1_901n, 'UGX'), { from: 'UGX', to: 'USD', rate: '0.000263' })).toEqual(money(50n, 'USD'))
})

test('converts any exponents exactly to half a minor unit; charge and credit add up', () => {
  const currency = fc.constantFrom('UGX', 'KES', 'KWD', 'CLF')
  const rate = fc
    .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 999_999 }))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`)
  fc.assert(
    fc.property(
      currency,
      currency,
      rate,
      fc.bigInt({ min: 1n, max: 10n ** 10n }),
      fc.integer({ min: 0, max: 10_000 }),
      (from, to, rateText, amountMinor, chargeBps) => {
        const converted = convert(money(amountMinor, from), { from, to, rate: rateText })
        // In integers: exact = amount × rate × 10^to / (10^6 × 10^from); twice the distance is at most one unit of the
        // denominator.
        const numerator = amountMinor * BigInt(rateText.replace('.', '')) * 10n ** BigInt(decimalsOf(to))
        const denominator = 10n ** BigInt(6 + decimalsOf(from))
        const distance = converted.amountMinor * denominator - numerator
        expect(2n * (distance < 0n ? -distance : distance)).toBeLessThanOrEqual(denominator)
        const charge = chargeOf(converted.amountMinor, { chargeBps, chargeFlatMinor: 0n })
        expect(creditOf(converted.amountMinor, charge, false) + charge).toBe(converted.amountMinor)
      },
    ),
  )
})
