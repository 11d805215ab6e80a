import { expect, test } from 'vitest'
import { ChargeBook } from './charges.ts'

test('charges of one percentage and one flat amount are explained, rounded half up', () => {
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

test('a charge that fits no rule together with the others is not explained, and teaches nothing', () => {
  const book = new ChargeBook()
  for (const [amount, charge] of [
    [500n, 5n],
    [3_000_000n, 30_000n],
  ])
    book.explains('option', amount!, charge!)
  expect(book.explains('option', 10_000n, 101n)).toBe(false)
  expect(book.explains('option', 10_000n, 100n)).toBe(true)
})

test('options are charged each by its own rule', () => {
  const book = new ChargeBook()
  book.explains('collection', 10_000n, 100n)
  expect(book.explains('payout', 10_000n, 50n)).toBe(true)
})
