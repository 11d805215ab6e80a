import { sensitivityOf, type Sensitivity } from './field-names.ts'
import { maskCertainNumbers, maskDigits } from './numbers.ts'

export const MASK = '***'

/**
 * An account number, also followed by its holder's name, as an operator writes it: `254708374149 - Jane Doe`. Or only the
 * holder's name: `"payer": "Jane Doe"`.
 */
const maskAccountText = (text: string): string =>
  text.replace(ACCOUNT_DIGITS, maskDigits).replace(HOLDER, `$1${MASK}`).replace(NAME, `$1${MASK}`)
const ACCOUNT_DIGITS = /\p{Nd}(?:[ \t\u00a0\u2000-\u200a\u202f()+.\u2010-\u2015\u2212-]{0,3}\p{Nd}){3,}/gu
const HOLDER = /(\d ?- ?)\p{L}[^"<\r\n]*/u
/** Capitalised words, but no sentence: `The payer field is required` stays. */
const NAME = /^([^\p{L}]{0,40})\p{Lu}[\p{L}\p{M}'’.-]{0,40}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,40}){0,5}(?=[^\p{L}]{0,40}$)/u

/** @returns the value of a field, masked according to its name; undefined if only the value itself can decide */
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
 * The separators between a name and its value: in JSON (also in a fragment, and in a JSON string), a form, a header, a
 * part of multipart/form-data, or in a pair of fields: `"Key":"Pin","Value":1`.
 */
const PART = String.raw`["'][ \t]{0,9}\r?\n\r?\n`
const BESIDE = String.raw`(?:\\{0,8}["']\s{0,9}(?:,\s{0,9}\\{0,8}["']?)?|</(?:\w{1,20}:)?(?:key|name)>\s{0,9}<(?:\w{1,20}:)?)value\\{0,8}["']?\s{0,9}[:=>]`
/** Notations of debug output: `["pin"]=>`, `[pin:protected] =>`, `data["pin"] =`, `pin := `, `(pin)=(1234)`. */
const CLOSED = String.raw`(?:\\{0,8}["'])?(?::(?:protected|private))?(?:[\])]|%5D)?(?:\\{0,8}["'])?`
const FIELD = String.raw`${CLOSED}\s{0,9}(?:[=-]>|:=|:|={1,3}|%3D)(?:\s{1,9}string\(\d{1,6}\))?`
/** In HTML: `<td>PIN</td><td>1234</td>`, `<b>PIN:</b> 1234`, `PIN: <b>1234</b>`. */
const TAG = String.raw`<[^<>]{1,99}>\s{0,9}`
const CELL = String.raw`(?:</\w{1,9}>\s{0,9}){0,2}</(?:td|th|dt)>\s{0,9}(?:${TAG}){1,4}`
const LABEL = String.raw`\s{0,9}[:=]?\s{0,9}(?:</\w{1,9}>\s{0,9}){1,2}[:=]?\s{0,9}(?:${TAG}){0,3}`
const BETWEEN = new RegExp(
  String.raw`(?:${PART}|${CELL}|(?=[^<\w]{1,20}<|(?:</\w{1,9}>\s{0,9}){1,2}[:=])${LABEL}|(?:${BESIDE}|${FIELD})\s{0,9}(?:(?:${TAG}){1,3}|(\\{0,8}["'])?)(?:(?:Basic|Bearer)\s{1,9})?)`,
  'iy',
)
/** The rest of an element's tag. */
const TAG_END = /(?:\s[^<>]*)?>/y
/** Follows a name that only names the value beside it. */
const VALUE_BESIDE = /["']?\s{0,9}(?:,\s{0,9}["']?|<\/(?:\w{1,20}:)?(?:key|name)>\s{0,9}<(?:\w{1,20}:)?)value/iy

// The end of a value: the closing quote, the next element, or the next field.
const IN_DOUBLE_QUOTES = /(?:[^"\\]|\\[^])*/y
const IN_SINGLE_QUOTES = /(?:[^'\\]|\\[^])*/y
const IN_ESCAPED_QUOTES = /[^"'\\]*/y
const IN_ELEMENT = /(?:\s{0,99}<!\[CDATA\[)?[^<]*/y
const IN_BRACKETS = /[[{][^\]}]*[\]}]?/y
const TO_LINE_END = /[^"<\r\n]*/y
const TO_NEXT_FIELD = /[^"<,;&{}\r\n]*/y
const TO_BLANK = /[^"'\s,;&}<]*/y
const DIGITS =
  /[+(]{0,2}\p{Nd}[\p{Nd} \t\u00a0\u2000-\u200a\u202f()+.\u2010-\u2015\u2212-]*(?:(?<=- ?)\p{L}[^"<,;&{}\r\n]*)?/uy

/** Too generic without the word before it: `PIN code`, `phone number`, `API key`. */
const GENERAL = /^(?:code|number|no|num|name)$/i
const KINDS_OF_KEY = /^(?:api|access|private|secret|signing|encryption|subscription|consumer|master)$/i
const isSecondWord = (word: string, before: string): boolean =>
  GENERAL.test(word) || (/^key$/i.test(word) && KINDS_OF_KEY.test(before))
const BARE_NAME = /^names?$/i
const NO_VALUE = /^(?:null|true|false)$/

/** `"name": "ValidationError"` is the name of an error, not of a person. */
export const isFault = (name: string, value: unknown): boolean =>
  BARE_NAME.test(name) && typeof value === 'string' && /^\w{1,80}(?:Error|Exception|Fault)$/.test(value)

interface Place {
  readonly start: number
  readonly isElement: boolean
  /** The opening quotes of the value, perhaps escaped. */
  readonly quotes: string
  /** Whether an equals sign precedes it. */
  readonly isEqual: boolean
}

/**
 * Masks values by their names, in a text that is not complete JSON. Every character is read a bounded number of times.
 * @param maskRest masks the text between such values
 */
export function maskNamedValues(text: string, maskRest: (text: string) => string): string {
  let masked = ''
  let from = 0
  let former = { word: '', end: -1 }
  for (const { 0: word, index } of text.matchAll(/[\w-]+/g)) {
    if (index < from) continue
    const end = index + word.length
    const isSecond = index === former.end + 1 && text[former.end] === ' ' && isSecondWord(word, former.word)
    const value = namedValue(text, isSecond ? `${former.word} ${word}` : word, index, end)
    former = { word, end }
    if (!value) continue
    // A tag has attributes before its end, and no tag inside.
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
  const isWhole = place.isElement && (sensitivity === 'secret' || sensitivity === 'person')
  const end =
    (isWhole ? endOfNested(text, place.start, text.slice(nameStart, nameEnd)) : undefined) ??
    endOf(pattern, text, place.start)
  if (end === undefined || end === place.start) return undefined
  const isAttribute = place.isEqual && !/[([{,]\s?$/.test(text.slice(Math.max(nameStart - 2, 0), nameStart))
  if (BARE_NAME.test(name) && (isAttribute || endOf(VALUE_BESIDE, text, end) !== undefined)) return undefined
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
  // For an unquoted number in a sentence, only the number itself shows what it is.
  if (sensitivity === 'plain') return undefined
  if (sensitivity === 'account') return DIGITS
  if (first === '[' || first === '{') return IN_BRACKETS
  if (/cookie/i.test(name)) return TO_LINE_END
  return sensitivity === 'person' ? TO_NEXT_FIELD : TO_BLANK
}

/**
 * The end of an element that contains others: `<otp><value>1234</value></otp>`.
 * @returns undefined for an element without any
 */
function endOfNested(text: string, start: number, name: string): number | undefined {
  if (!/^\s{0,99}<\w/.test(text.slice(start, start + 101))) return undefined
  const end = text.indexOf(`${name}>`, start)
  return end < 0 ? text.length : text.lastIndexOf('</', end)
}

/** @returns where the match of a sticky expression at this position ends */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}
