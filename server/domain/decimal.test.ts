import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf, exactly } from './decimal.ts'

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

test('a long row of zeros in the middle of a number is read once, not over and over', () => {
  expect(decimalOf(`1${'0'.repeat(60_000)}1`).digits).toHaveLength(60_002)
})

test.each(['', '1,000', '0x1f', 'NaN', 'Infinity', '.5', '5.', '+5', '1e', ' 1'])('%j is no JSON number', (text) =>
  expect(() => decimalOf(text)).toThrow(expect.objectContaining({ name: 'SyntaxError', message: 'not a JSON number' })),
)

test('however a number is written, it is the same', () => {
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

test('what JSON.parse rounded is known by its text', () => {
  expect([exactly(5000, '5e3'), exactly(5000, '5000.0'), exactly(0.1, '0.10')]).toEqual([5000, 5000, 0.1])
  expect([exactly(5000, '5000.0000000000001'), exactly(9007199254740992, '9007199254740993')]).toEqual([
    '5000.0000000000001',
    '9007199254740993',
  ])
})

test('another number than what was written is not taken for it: of another size or sign, or none to us', () => {
  expect([exactly(5, '50'), exactly(5, '-5'), exactly(Infinity, '1e999')]).toEqual(['50', '-5', '1e999'])
})
