import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDescription } from './description.ts'

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

const refused = expect.objectContaining({ code: 'invalid_description', message: 'description must not be blank' })

test.each(Object.entries(BLANKS))('%s alone says nothing', (_what, blank) => {
  expect(() => checkDescription(blank)).toThrow(refused)
})

test('an empty description says nothing, however many blanks it is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.values(BLANKS))), (blanks) => {
      expect(() => checkDescription(blanks.join(''))).toThrow(refused)
    }),
  )
})

test.each(['Order 7', 'x', '注文', 'طلب', '⠓', '한', '🎫', '-'])(
  '%s says something, between whatever blanks',
  (words) => {
    expect(() => checkDescription(words)).not.toThrow()
    expect(() => checkDescription(`\u3164 ${words}\u200B`)).not.toThrow()
  },
)
