import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DOUBLED_COST_MAX, doubledCost } from '../verification/testing/doubling.ts'
import { readForeignJson } from './foreign-json.ts'

const TWICE = { fault: 'the body has a name twice in one object' }
const NO_JSON = { fault: 'the body is no JSON' }

test.each([
  '{"status":"FAILED","status":"SUCCESSFUL"}',
  '{"a":[{"b":{"status":1,"status":1}}]}',
  '{"status":1,"\\u0073tatus":2}',
  '[{"a":1,"a":{}}]',
  '{"__proto__":1,"__proto__":2}',
])('refuses an object that has a name twice: %s', (text) => expect(readForeignJson(text)).toEqual(TWICE))

test.each(['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"Key":"a","Value":"\\"Key\\":"}', '[{"Key":1},{"Key":1}]'])(
  'accepts a name that several objects have: %s',
  (text) => expect(readForeignJson(text)).toEqual({ value: JSON.parse(text) as unknown, hasLongNumbers: false }),
)

test.each(['', 'x', '{"a":1', '{"\\q":1}', '{"a":1}}', '"'])('refuses what is no JSON: %j', (text) =>
  expect(readForeignJson(text)).toEqual(NO_JSON),
)

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['{"id":-12345678901234567890}', { id: '-12345678901234567890' }],
  ['[5000.0000000000000001]', ['5000.0000000000000001']],
  ['[1e999]', ['1e999']],
])('gives a number with too many digits as its text: %s', (text, value) =>
  expect(readForeignJson(text)).toEqual({ value, hasLongNumbers: true }),
)

test.each(['[9007199254740991]', '[20260301080000]', '[5e3]', '[0.1,-1.50,0]', '["12345678901234567890"]'])(
  'leaves every other number a number: %s',
  (text) => expect(readForeignJson(text)).toEqual({ value: JSON.parse(text) as unknown, hasLongNumbers: false }),
)

test('reads what JSON.stringify writes as JSON.parse does', () =>
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      const read = readForeignJson(text)
      fc.pre('value' in read && !read.hasLongNumbers)
      expect(read).toEqual({ value: JSON.parse(text) as unknown, hasLongNumbers: false })
    }),
  ))

test.each([
  ['[', 'the body is nested too deep'],
  ['{"a":', 'the body is nested too deep'],
  ['"\\\\', 'the body is no JSON'],
  ['{"\\"', 'the body is no JSON'],
])('refuses 65 kB of %s in linear time', (piece, fault) => {
  const repeated = (characters: number) => piece.repeat(characters / piece.length)
  expect(readForeignJson(repeated(65_000))).toEqual({ fault })
  expect(doubledCost(readForeignJson, repeated, 65_000)).toBeLessThan(DOUBLED_COST_MAX)
})
