import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { pino } from 'pino'
import { humanLine, LOG_HOOKS } from './log.ts'
import { jsonText, printable, printableJson, printableLines, tableText, type Column } from './output.ts'

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

test('a table wider than the terminal truncates its widest texts, never numbers', () => {
  const text = tableText([{ name: 'a very long name of a merchant', amount: 12_345_678 }], columns, 24)
  expect(text.split('\n')[1]).toBe('a very long n…  12345678')
})

test('nothing foreign reaches the terminal as an escape sequence', () => {
  expect(printable('red \u001b[31m\nnext\u202eline\u009b2J')).toBe('red \ufffd[31m next\ufffdline\ufffd2J')
})

const FOREIGN = 'red \u001b[31m \u009b2J \u007f \u202eevil\u2069 \u200f'
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200f\u202e\u2069]/

test('lines keep their breaks and the letters of every script', () => {
  expect(printableLines('a\u202eb\nc\u0007\td')).toBe('a\ufffdb\nc\ufffd\ufffdd')
  for (const text of ['محمد دוד አበበ', 'e\u0301', '👩\u200d🌾', 'می\u200cخواهم']) expect(printableLines(text)).toBe(text)
})

test('JSON escapes terminal controls, and parses to the same value', () => {
  const text = printableJson(JSON.stringify({ name: FOREIGN }, null, 2))
  expect(text).not.toMatch(OBEYED)
  expect(text).toContain('\\u202eevil')
  expect(JSON.parse(text)).toEqual({ name: FOREIGN })
})

test('JSON of a command has neither a name in camelCase nor bytes: they do not compile', () => {
  expect(JSON.parse(jsonText({ rows: [{ order_id: 1n, at: new Date(0) }] }))).toEqual({
    rows: [{ order_id: 1, at: '1970-01-01T00:00:00.000Z' }],
  })
  // @ts-expect-error a name in camelCase, in a list
  expect(jsonText({ rows: [{ orderId: 1n }] })).toContain('orderId')
  // @ts-expect-error bytes
  expect(jsonText({ sealed: new Uint8Array(1) })).toContain('sealed')
})

test.each([
  ['a message', { msg: FOREIGN }],
  ['a field', { msg: 'x', name: FOREIGN }],
  ['an error', { msg: 'x', err: { message: FOREIGN, stack: `Error\n at ${FOREIGN}` } }],
])('a log line for a person has no terminal control in %s', (_where, fields) => {
  const line = humanLine(JSON.stringify({ level: 50, time: 0, ...fields }))
  expect(stripVTControlCharacters(line.slice(0, line.indexOf('  '))) + line.slice(line.indexOf('  '))).not.toMatch(
    OBEYED,
  )
})

test('a JSON log line escapes terminal controls', () => {
  let written = ''
  const logger = pino({ hooks: LOG_HOOKS }, { write: (line: string) => void (written += line) })
  logger.info({ name: FOREIGN }, FOREIGN)
  expect(written).not.toMatch(OBEYED)
  expect(JSON.parse(written)).toMatchObject({ name: FOREIGN, msg: FOREIGN })
})
