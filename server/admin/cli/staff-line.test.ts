import { InvalidArgumentError } from 'commander'
import { expect, test } from 'vitest'
import { parseLine, parseReferenceLine } from './staff-line.ts'

const reason = parseLine({ min: 3, max: 500 })
const reference = parseReferenceLine({ min: 1, max: 100 })

test.each([
  ['', 'It must have 3 to 500 readable characters, on one line.'],
  ['ab', 'It must have 3 to 500'],
  ['x'.repeat(501), 'It must have 3 to 500'],
  ['two\nlines', 'It must have 3 to 500'],
  ['two\u2028lines', 'It must have 3 to 500'],
  ['\u001b[31mred', 'It must have 3 to 500'],
  ['turned \u202e around', 'It must have 3 to 500'],
  ['\u200b\u200b\u200b\u200b', 'It must have 3 to 500'],
  ['a\u200bb', 'It must have 3 to 500'],
  ['\u3164\u3164\u3164', 'It must have 3 to 500'],
  ['not UTF-8: \ufffd', 'It must have 3 to 500'],
  ['...', 'It must have a letter or a digit.'],
  ['- - -', 'It must have a letter or a digit.'],
])('refuses the reason %j', (text, why) => {
  expect(() => reason(text)).toThrow(InvalidArgumentError)
  expect(() => reason(text)).toThrow(why)
})

test.each([
  'Kwa sababu ya “bei” – ndiyo',
  'العميل اتصل بنا',
  'می‌خواهم',
  '客户来电',
  '👍🏽 by the bank',
  '🎉'.repeat(248) + 'yes',
])('accepts the reason %j', (text) => {
  expect(reason(text)).toBe(text)
})

test('takes two spellings of one reference for one', () => {
  expect(reference(' Cafe\u0301-1 ')).toBe(reference('Caf\u00e9-1'))
})

test.each([
  ['FT-1\u200b', 'It has an invisible character (U+200B): type it again.'],
  ['FT\u00ad-1', 'U+00AD'],
  ['\ufeffFT-1', 'U+FEFF'],
  ['FT-1\u3164', 'U+3164'],
])('refuses the reference %j', (text, why) => {
  expect(() => reference(text)).toThrow(why)
})
