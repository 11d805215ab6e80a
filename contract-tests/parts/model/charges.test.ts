import { expect, test } from 'vitest'
import { ChargeBook } from './charges.ts'

test('explains charges of a percentage plus a flat amount, rounded half up', () => {
  const book = new ChargeBook()
  expect(
    [
      [500n, 5n],
      [550n, 6n],
      [549n, 5n],
      [3_000_000n, 30_000n],
    ].map(([amount, charge]) => book.explains('option', amount!, charge!)),
  ).toEqual([true, true, true, true])
})

test('a charge that contradicts the others is unexplained and is not learned', () => {
  const book = new ChargeBook()
  for (const [amount, charge] of [
    [500n, 5n],
    [3_000_000n, 30_000n],
  ])
    book.explains('option', amount!, charge!)
  expect(book.explains('option', 10_000n, 101n)).toBe(false)
  expect(book.explains('option', 10_000n, 100n)).toBe(true)
})

test('each option has its own charge rule', () => {
  const book = new ChargeBook()
  book.explains('collection', 10_000n, 100n)
  expect(book.explains('payout', 10_000n, 50n)).toBe(true)
})
