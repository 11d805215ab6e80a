import { sensitivityOf, type Sensitivity } from './field-names.ts'
import { maskCertainNumbers, maskDigits } from './numbers.ts'

export const MASK = '***'

/** An account number, its holder's name beside it too, as Daraja writes them: `254708374149 - Jane Doe`. */
export const maskAccountText = (text: string): string =>
  text.replace(ACCOUNT_DIGITS, maskDigits).replace(HOLDER, `$1${MASK}`)
const ACCOUNT_DIGITS = /\d(?:[ \t\u00a0\u202f().\u2010-\u2015-]{0,3}\d){3,}/g
const HOLDER = /(\d ?- ?)\p{L}[^"<\r\n]*/u

/** @returns the value of a field by what its name says; undefined where only the value itself can say it */
export function maskValueOf(sensitivity: Sensitivity, value: string): string | undefined {
  switch (sensitivity) {
    case 'secret':
    case 'person':
      return MASK
    case 'account':
      return maskAccountText(value)
    case 'address':
      return maskAddress(value)
    case 'plain':
      return maskCertainNumbers(value)
    case 'unknown':
      return undefined
  }
}

const maskAddress = (text: string): string => {
  const url = URL.parse(text)
  return url ? `${url.origin}/${MASK}` : MASK
}

/**
 * What stands between a name and its value: in JSON (also in half of it, and in a text of JSON), a form, a header, a
 * part of multipart/form-data, or where the value stands beside the name: `"Key":"Pin","Value":1`.
 */
const PART = String.raw`["'][ \t]{0,9}\r?\n\r?\n`
const BESIDE = String.raw`(?:\\{0,8}["']\s{0,9}(?:,\s{0,9}\\{0,8}["']?)?|</(?:\w{1,20}:)?(?:key|name)>\s{0,9}<(?:\w{1,20}:)?)value\\{0,8}["']?\s{0,9}[:=>]`
const FIELD = String.raw`(?:\]|%5D)?\\{0,8}["']?\s{0,9}(?:=>|:|=|%3D)`
const BETWEEN = new RegExp(
  String.raw`(?:${PART}|(?:${BESIDE}|${FIELD})\s{0,9}(\\{0,8}["'])?(?:(?:Basic|Bearer)\s{1,9})?)`,
  'iy',
)
/** The rest of an element's tag. */
const TAG_END = /(?:\s[^<>]*)?>/y
/** Comes after a name that only says what the value beside it is. */
const VALUE_BESIDE = /["']?\s{0,9}(?:,\s{0,9}["']?|<\/(?:\w{1,20}:)?(?:key|name)>\s{0,9}<(?:\w{1,20}:)?)value/iy

// Where values end: at their quotes, the next element, or the next field.
const IN_DOUBLE_QUOTES = /(?:[^"\\]|\\[^])*/y
const IN_SINGLE_QUOTES = /(?:[^'\\]|\\[^])*/y
const IN_ESCAPED_QUOTES = /[^"'\\]*/y
const IN_ELEMENT = /(?:\s{0,99}<!\[CDATA\[)?[^<]*/y
const IN_BRACKETS = /[[{][^\]}]*[\]}]?/y
const TO_LINE_END = /[^"<\r\n]*/y
const TO_NEXT_FIELD = /[^"<,;&{}\r\n]*/y
const TO_BLANK = /[^"'\s,;&}<]*/y
const DIGITS = /[+(]{0,2}\d[\d \t\u00a0\u202f().\u2010-\u2015-]*(?:(?<=- ?)\p{L}[^"<,;&{}\r\n]*)?/uy

/** Says too little without the word before it: `PIN code`, `phone number`. */
const GENERAL = /^(?:code|number|no|num|name)$/i
const BARE_NAME = /^names?$/i
const NO_VALUE = /^(?:null|true|false)$/

/** `"name": "ValidationError"` is nobody's. */
export const isFault = (name: string, value: unknown): boolean =>
  BARE_NAME.test(name) && typeof value === 'string' && /^\w{1,80}(?:Error|Exception|Fault)$/.test(value)

interface Place {
  readonly start: number
  readonly isElement: boolean
  /** The quotes that the value begins with, perhaps escaped. */
  readonly quotes: string
  /** Whether an equals sign stands before it. */
  readonly isEqual: boolean
}

/**
 * Masks values whose names say what they are, in a text that is no whole JSON. Every character is read a bounded number
 * of times.
 * @param maskRest gets what is between such values
 */
export function maskNamedValues(text: string, maskRest: (text: string) => string): string {
  let masked = ''
  let from = 0
  let former = { word: '', end: -1 }
  for (const { 0: word, index } of text.matchAll(/[\w-]+/g)) {
    if (index < from) continue
    const end = index + word.length
    const isSecond = index === former.end + 1 && text[former.end] === ' ' && GENERAL.test(word)
    const value = namedValue(text, isSecond ? `${former.word} ${word}` : word, index, end)
    former = { word, end }
    if (!value) continue
    // A tag has attributes before its end, and no tag within.
    masked += maskRest(text.slice(from, end)) + maskNamedValues(text.slice(end, value.start), maskRest) + value.masked
    from = value.end
  }
  return masked + maskRest(text.slice(from))
}

function namedValue(text: string, name: string, nameStart: number, nameEnd: number) {
  const place = placeOfValue(text, nameStart, nameEnd)
  if (!place) return undefined
  const sensitivity = sensitivityOf(name)
  const pattern = patternOf(sensitivity, name, place, text[place.start])
  if (!pattern) return undefined
  const end = endOf(pattern, text, place.start)
  if (end === undefined || end === place.start) return undefined
  if (BARE_NAME.test(name) && (place.isEqual || endOf(VALUE_BESIDE, text, end) !== undefined)) return undefined
  const value = text.slice(place.start, end)
  const masked = NO_VALUE.test(value) || isFault(name, value) ? value : maskValueOf(sensitivity, value)
  return masked === undefined ? undefined : { start: place.start, end, masked }
}

function placeOfValue(text: string, nameStart: number, nameEnd: number): Place | undefined {
  if (/<(?:\w{1,20}:)?$/.test(text.slice(Math.max(nameStart - 22, 0), nameStart))) {
    const start = endOf(TAG_END, text, nameEnd)
    const isEmpty = start !== undefined && text[start - 2] === '/'
    if (start !== undefined && !isEmpty) return { start, isElement: true, quotes: '', isEqual: false }
  }
  BETWEEN.lastIndex = nameEnd
  const between = BETWEEN.exec(text)
  if (!between) return undefined
  const [all, quotes = ''] = between
  return { start: BETWEEN.lastIndex, isElement: false, quotes, isEqual: /^\s*=(?!>)/.test(all) }
}

function patternOf(
  sensitivity: Sensitivity,
  name: string,
  { isElement, quotes }: Place,
  first: string | undefined,
): RegExp | undefined {
  if (sensitivity === 'unknown' || sensitivity === 'address') return undefined
  if (isElement) return IN_ELEMENT
  if (quotes === '"') return IN_DOUBLE_QUOTES
  if (quotes === "'") return IN_SINGLE_QUOTES
  if (quotes !== '') return IN_ESCAPED_QUOTES
  // Of a number without quotes in a sentence only the number itself says what it is.
  if (sensitivity === 'plain') return undefined
  if (sensitivity === 'account') return DIGITS
  if (first === '[' || first === '{') return IN_BRACKETS
  if (/cookie/i.test(name)) return TO_LINE_END
  return sensitivity === 'person' ? TO_NEXT_FIELD : TO_BLANK
}

/** @returns where a sticky expression that begins here ends */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}
