import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLines } from './csv.ts'

test('escapes texts that a spreadsheet would execute, and no number', () => {
  const texts = ['=1+1', '+256772000123', '-1', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0", 'Duka = 1', '']
  expect(parse(csvLines([texts]))).toEqual([
    ["'=1+1", "'+256772000123", "'-1", "'@SUM(A1)", "'\t=1", "'\r=1", "'=cmd|' /C calc'!A0", 'Duka = 1', ''],
  ])
  expect(csvLines([[-5, -7n, 1.5, true, undefined, null, new Date(0)]])).toBe(
    '-5,-7,1.5,true,,,1970-01-01T00:00:00.000Z\r\n',
  )
})

test('gives every text back to a reader of CSV, behind at most an apostrophe', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', 'x', "'") }))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
      const given = [...cells, 'end']
      const [row = []] = parse(csvLines([given]))
      expect(row.map((cell, n) => (cell === given[n] ? cell : cell.slice(1)))).toEqual(given)
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }),
  )
})
