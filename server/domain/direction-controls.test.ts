import { expect, test } from 'vitest'
import { directionControlIn, refuseDirectionControls } from './direction-controls.ts'

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

test('names the first field with a control, and passes over absent ones', () => {
  expect(() => refuseDirectionControls({ customer_name: undefined, description: 'Two coffees' })).not.toThrow()
  expect(() => refuseDirectionControls({ description: 'Two \u2067coffees', customer_name: '\u202e' })).toThrow(
    expect.objectContaining({
      code: 'control_character',
      message: 'description must not contain the control character U+2067',
    }),
  )
})
