import { expect, test } from 'vitest'
import { printable, tableText, type Column } from './output.ts'

const columns: readonly Column<{ name: string; amount: number }>[] = [
  { title: 'NAME', of: ({ name }) => name, cut: true },
  { title: 'AMOUNT', of: ({ amount }) => amount, align: 'right' },
]

test('columns are as wide as their widest cell, numbers end together', () => {
  expect(
    tableText(
      [
        { name: 'a', amount: 5 },
        { name: 'longer', amount: 12_345_678 },
      ],
      columns,
      80,
    ),
  ).toBe('NAME      AMOUNT\na              5\nlonger  12345678')
})

test('a table that is too wide for the terminal loses the ends of its widest texts, never of its numbers', () => {
  const text = tableText([{ name: 'a very long name of a merchant', amount: 12_345_678 }], columns, 24)
  expect(text.split('\n')[1]).toBe('a very long n…  12345678')
})

test('nothing from outside reaches the terminal as an escape sequence', () => {
  expect(printable('red \u001b[31m\nnext\u202eline\u009b2J')).toBe('red \ufffd[31m next\ufffdline\ufffd2J')
})
