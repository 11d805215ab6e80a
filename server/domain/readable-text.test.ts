import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDescription, directionControlIn, refuseDirectionControls } from './readable-text.ts'

/** Listed by their names; all of them are invisible. */
const BLANKS = {
  space: ' ',
  'line break': '\n',
  'no-break space': '\u00A0',
  'ideographic space': '\u3000',
  'line separator': '\u2028',
  control: '\u0007',
  'zero-width space': '\u200B',
  'soft hyphen': '\u00AD',
  'right-to-left mark': '\u200F',
  'Hangul choseong filler': '\u115F',
  'Hangul jungseong filler': '\u1160',
  'Hangul filler': '\u3164',
  'halfwidth Hangul filler': '\uFFA0',
  'empty Braille cell': '\u2800',
} as const

const refused = expect.objectContaining({ code: 'invalid_field', message: 'description must not be blank' })

test.each(Object.entries(BLANKS))('%s alone is empty', (_what, blank) => {
  expect(() => checkDescription(blank)).toThrow(refused)
})

test('a blank description is empty, however many blanks it has', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.values(BLANKS))), (blanks) => {
      expect(() => checkDescription(blanks.join(''))).toThrow(refused)
    }),
  )
})

test.each(['Order 7', 'x', '注文', 'طلب', '⠓', '한', '🎫', '-'])('%s is content, between whatever blanks', (words) => {
  expect(() => checkDescription(words)).not.toThrow()
  expect(() => checkDescription(`\u3164 ${words}\u200B`)).not.toThrow()
})

const CONTROLS = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]

test.each(CONTROLS.map((code) => code.toString(16).toUpperCase()))('names the control U+%s', (code) => {
  const control = String.fromCharCode(Number.parseInt(code, 16))
  for (const text of [control, `Amina ${control}Nakato`, `${control}محمد`, `Nakato${control}`])
    expect(directionControlIn(text)).toBe(`U+${code}`)
})

test('keeps letters of every script, marks, joiners and emoji', () => {
  for (const text of [
    'محمد عبد الله',
    'דוד בן־גוריון',
    'אבא \u200fabc\u200e',
    'አበበ ቢቂላ',
    'Rene\u0301e A\u030angstro\u0308m',
    'می\u200cخواهم',
    '👩\u200d🌾 👍🏽 🇺🇬',
    '\u2029\u202f\u2065\u206a',
  ])
    expect(directionControlIn(text)).toBeUndefined()
})

test('names the first field with a control, and skips absent ones', () => {
  expect(() => refuseDirectionControls({ customer_name: undefined, description: 'Two coffees' })).not.toThrow()
  expect(() => refuseDirectionControls({ description: 'Two \u2067coffees', customer_name: '\u202e' })).toThrow(
    expect.objectContaining({
      code: 'invalid_field',
      message: 'description must not contain the control character U+2067',
    }),
  )
})
