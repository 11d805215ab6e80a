import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountToWire, decimalsOf, divideHalfUp, formatMoney, money, moneyFromWire } from './money.ts'

test.each([
  ['UGX', 0],
  ['KES', 2],
  ['KWD', 3],
  ['CLF', 4],
  ['RWF', 0],
  ['TZS', 2],
])('%s has %d decimals (ISO 4217)', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals)
})

test('an amount survives the way from the wire and back for every currency exponent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('UGX', 'KES', 'KWD', 'CLF'),
      fc.bigInt({ min: 0n, max: 10n ** 14n }),
      (currency, amountMinor) => {
        expect(moneyFromWire(amountToWire(amountMinor, currency), currency)).toEqual(money(amountMinor, currency))
      },
    ),
  )
})

test.each([
  [1.5, 'UGX'],
  [0.001, 'KES'],
  [1e-7, 'KES'],
  [0.1 + 0.2, 'KES'],
  [5e-324, 'KWD'],
])('%d %s has too many decimals', (amount, currency) => {
  expect(() => moneyFromWire(amount, currency)).toThrow(
    `amount must have at most ${decimalsOf(currency)} decimals for ${currency}`,
  )
})

test('large amounts in exponent notation are read exactly', () => {
  expect(moneyFromWire(1e12, 'KES').amountMinor).toBe(100_000_000_000_000n)
  expect(moneyFromWire(1e21, 'UGX').amountMinor).toBe(10n ** 21n)
})

test.each([
  ['3000000.0000000001', 'UGX'],
  ['100.01', 'UGX'],
  ['10.0000000000000000001', 'KES'],
  ['5e-1', 'UGX'],
  ['1e-400', 'KES'],
])('%s %s has too many decimals, although JSON.parse rounds them away or not', (amount, currency) => {
  expect(() => moneyFromWire(amount, currency)).toThrow(
    `amount must have at most ${decimalsOf(currency)} decimals for ${currency}`,
  )
})

test.each([
  ['100', 'UGX', 100n],
  ['100.0', 'UGX', 100n],
  ['100.00', 'UGX', 100n],
  ['1e2', 'UGX', 100n],
  ['10.50', 'KES', 1050n],
  ['999999999999.99', 'KES', 99_999_999_999_999n],
  ['-0', 'UGX', 0n],
  ['0e999999999', 'KES', 0n],
])('zeros at the end of %s %s are no decimals', (amount, currency, amountMinor) =>
  expect(moneyFromWire(amount, currency).amountMinor).toBe(amountMinor),
)

test('more digits than any limit has are too much money, whatever they are, and are not read', () => {
  const { amountMinor } = moneyFromWire('1'.repeat(65_000), 'UGX')
  expect(amountMinor).toBe(10n ** 100n)
  expect(moneyFromWire('1'.repeat(100), 'UGX').amountMinor).toBe(BigInt('1'.repeat(100)))
})

test('no money is negative', () => {
  expect(() => money(-1n, 'UGX')).toThrow(new RangeError('negative amount: -1'))
  expect(() => moneyFromWire('-1.00', 'UGX')).toThrow(new RangeError('negative amount: -1'))
  expect(money(0n, 'UGX')).toEqual({ amountMinor: 0n, currency: 'UGX' })
})

test('too many decimals are a refusal with a code, not a fault', () =>
  expect(() => moneyFromWire(1.5, 'UGX')).toThrow(expect.objectContaining({ code: 'invalid_amount' })))

test('messages name amount and currency', () => expect(formatMoney(money(1050n, 'KES'))).toBe('10.5 KES'))

test('half is rounded up', () => {
  expect([divideHalfUp(5n, 10n), divideHalfUp(4n, 10n), divideHalfUp(15n, 10n), divideHalfUp(14n, 10n)]).toEqual([
    1n,
    0n,
    2n,
    1n,
  ])
})

test.each(['1e400', `500e${'9'.repeat(1000)}`, `1${'0'.repeat(60_000)}`])(
  'an amount beyond all bounds is read, as more than any limit',
  (written) => {
    expect(moneyFromWire(written, 'UGX').amountMinor).toBeGreaterThan(10n ** 90n)
  },
)
