import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  amountText,
  amountToWire,
  decimalsOf,
  divideHalfUp,
  formatMoney,
  money,
  moneyFromWire,
  moneyText,
  decimalOf,
  exactly,
} from './money.ts'

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

test('an amount survives the round trip on the wire for every currency exponent', () => {
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

test('rejects more digits than any limit has as too much, without parsing them', () => {
  const { amountMinor } = moneyFromWire('1'.repeat(65_000), 'UGX')
  expect(amountMinor).toBe(10n ** 100n)
  expect(moneyFromWire('1'.repeat(100), 'UGX').amountMinor).toBe(BigInt('1'.repeat(100)))
})

test('refuses negative money', () => {
  expect(() => money(-1n, 'UGX')).toThrow(new RangeError('negative amount: -1'))
  expect(() => moneyFromWire('-1.00', 'UGX')).toThrow(new RangeError('negative amount: -1'))
  expect(money(0n, 'UGX')).toEqual({ amountMinor: 0n, currency: 'UGX' })
})

test('too many decimals are a refusal with a code, not a fault', () =>
  expect(() => moneyFromWire(1.5, 'UGX')).toThrow(expect.objectContaining({ code: 'invalid_amount' })))

test('messages name amount and currency, tables have all decimals', () =>
  expect([formatMoney(money(1050n, 'KES')), amountText(1050n, 'KES'), amountText(500n, 'UGX')]).toEqual([
    '10.5 KES',
    '10.50',
    '500',
  ]))

test('a total in a table is exact above 2^53 and below zero', () =>
  expect([amountText(9_007_199_254_740_993n, 'KES'), amountText(-5n, 'KES'), amountText(-10_500n, 'KWD')]).toEqual([
    '90071992547409.93',
    '-0.05',
    '-10.500',
  ]))

test('half is rounded up', () => {
  expect([divideHalfUp(5n, 10n), divideHalfUp(4n, 10n), divideHalfUp(15n, 10n), divideHalfUp(14n, 10n)]).toEqual([
    1n,
    0n,
    2n,
    1n,
  ])
})

test.each(['1e400', `500e${'9'.repeat(1000)}`, `1${'0'.repeat(60_000)}`])(
  'reads an amount above all bounds as more than any limit',
  (written) => {
    expect(moneyFromWire(written, 'UGX').amountMinor).toBeGreaterThan(10n ** 90n)
  },
)

test.each([
  ['0', '', 0, false],
  ['-0', '', 0, false],
  ['0.000', '', 0, false],
  [`0e${'9'.repeat(400)}`, '', 0, false],
  ['100', '1', 2, false],
  ['100.00', '1', 2, false],
  ['1e2', '1', 2, false],
  ['1E+2', '1', 2, false],
  ['10000e-2', '1', 2, false],
  ['0.25', '25', -2, false],
  ['0.0025', '25', -4, false],
  ['-12.50', '125', -1, true],
  ['3000000.0000000001', '30000000000000001', -10, false],
  ['1e-7', '1', -7, false],
])('%s', (text, digits, exponent, isNegative) => expect(decimalOf(text)).toEqual({ digits, exponent, isNegative }))

test('reads a long row of zeros in the middle of a number once', () => {
  expect(decimalOf(`1${'0'.repeat(60_000)}1`).digits).toHaveLength(60_002)
})

test.each(['', '1,000', '0x1f', 'NaN', 'Infinity', '.5', '5.', '+5', '1e', ' 1'])('%j is no JSON number', (text) =>
  expect(() => decimalOf(text)).toThrow(expect.objectContaining({ name: 'SyntaxError', message: 'not a JSON number' })),
)

test('however a number is written, its value is the same', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 0, max: 30 }),
      (value, zeros, exponent) => {
        const plain = `${value}${'0'.repeat(exponent)}`
        expect(decimalOf(`${value}${zeros > 0 ? `.${'0'.repeat(zeros)}` : ''}e${exponent}`)).toEqual(decimalOf(plain))
      },
    ),
  )
})

test('recognises by its text what JSON.parse rounded', () => {
  expect([exactly(5000, '5e3'), exactly(5000, '5000.0'), exactly(0.1, '0.10')]).toEqual([5000, 5000, 0.1])
  expect([exactly(5000, '5000.0000000000001'), exactly(9007199254740992, '9007199254740993')]).toEqual([
    '5000.0000000000001',
    '9007199254740993',
  ])
})

test('refuses a number of another size or sign, or one that we do not read', () => {
  expect([exactly(5, '50'), exactly(5, '-5'), exactly(Infinity, '1e999')]).toEqual(['50', '-5', '1e999'])
})

test.each([
  [0n, 'UGX', '0 UGX'],
  [999n, 'UGX', '999 UGX'],
  [1_500_000n, 'UGX', '1,500,000 UGX'],
  [5n, 'KES', '0.05 KES'],
  [-123_456_789n, 'KES', '-1,234,567.89 KES'],
  [90_071_992_547_409_931n, 'KES', '900,719,925,474,099.31 KES'],
])('people read %s %s with separators, to the minor unit', (amountMinor, currency, text) => {
  expect(moneyText({ amountMinor, currency })).toBe(text)
})
