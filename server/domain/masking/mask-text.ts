import { readForeignJson } from '../foreign-json.ts'
import { sensitivityOf } from './field-names.ts'
import { isFault, MASK, maskNamedValues, maskValueOf } from './named-values.ts'
import { maskCertainNumbers, maskNumbers, withReadableDigits } from './numbers.ts'
import { maskSecretsInSentences } from './sentences.ts'

/** The longest thing that is masked by its look: of a text that was cut so much goes, so that no half of one is left. */
export const MASKED_CHARACTERS_MAX = 256

/** JSON in a text of JSON in a text of JSON. */
const JSON_WITHIN_MAX = 3

/** So much of a text is still to be written: one for all parts of a text. */
interface Room {
  left: number
}

/**
 * Foreign text as it may be kept: values whose names say that they are secret or somebody's are masked in JSON, XML,
 * forms, headers and halves of them, and in sentences what looks like an account number, an OTP or a token. No more is
 * read than `max` characters of the result need: the time is bounded, however long the text is.
 */
export const maskText = (text: string, max: number): string => maskString(text, { left: max }, 0).slice(0, max)

/** Whether a text of our own people has what is secret, or somebody's, for certain: ids as long as account numbers pass. */
export const holdsSecrets = (text: string): boolean => maskCertainNumbers(maskSecretsInSentences(text)) !== text

/** The value of one field, of a header for example. */
export const maskField = (name: string, value: string, max: number): string =>
  maskNamed(name, value, { left: max }, 0).slice(0, max)

const maskNamed = (name: string, value: string, room: Room, depth: number): string =>
  maskValueOf(sensitivityOf(name), cutToMask(value, room.left).text) ?? maskString(value, room, depth)

function maskString(text: string, room: Room, depth: number): string {
  const json = /^\s*[[{"]/.test(text) ? maskJson(text, { ...room }, depth) : undefined
  return json ?? (isForm(text) ? maskForm(text, room.left, depth) : maskCut(text, room.left))
}

/** Masks a part that is long enough, and leaves out its end, where half of something may stand. */
function maskCut(text: string, max: number): string {
  const { text: part, isCut } = cutToMask(text, max)
  const masked = maskNamedValues(part, maskProse)
  return isCut ? masked.slice(0, -MASKED_CHARACTERS_MAX) : masked
}

const cutToMask = (text: string, max: number): { readonly text: string; readonly isCut: boolean } => ({
  text: withReadableDigits(text.slice(0, max + 2 * MASKED_CHARACTERS_MAX)),
  isCut: text.length > max + 2 * MASKED_CHARACTERS_MAX,
})

/** Names behind a number that is masked: `254708374149 - JANE DOE`. */
const HOLDER = /(?<=\*{3}\d{3} ?- ?)\p{Lu}[\p{L}'’.]{0,40}(?: \p{Lu}[\p{L}'’.]{0,40}){0,5}/gu

const maskProse = (text: string): string => maskNumbers(maskSecretsInSentences(text)).replace(HOLDER, MASK)

/** One line without blanks: `pin=1234&payerName=Jane+Doe`. */
const isForm = (text: string): boolean => /^[^\s<>{}"'=&]+=[^\s<>{}"']*$/.test(text)

function maskForm(text: string, max: number, depth: number): string {
  const { text: part, isCut } = cutToMask(text, max)
  const fields = part.split('&')
  // Half of the last one.
  if (isCut) fields.pop()
  return fields.map((field) => maskPair(field, max, depth)).join('&')
}

function maskPair(field: string, max: number, depth: number): string {
  const equals = field.indexOf('=')
  if (equals < 0) return maskProse(field)
  const [name, value] = [decoded(field.slice(0, equals)), decoded(field.slice(equals + 1))]
  const masked = value === '' ? '' : maskNamed(name, value, { left: max }, depth + 1)
  const written =
    masked === value ? field.slice(equals + 1) : encodeURIComponent(masked.toWellFormed()).replaceAll('%20', '+')
  return `${maskProse(field.slice(0, equals))}=${written}`
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** @returns undefined for what is no JSON */
function maskJson(text: string, room: Room, depth: number): string | undefined {
  if (depth > JSON_WITHIN_MAX) return undefined
  try {
    // Ids keep their digits. What has a name twice is masked as text, so that both values are.
    const read = readForeignJson(text)
    return 'value' in read ? JSON.stringify(maskMember('', read.value, room, depth)) : undefined
  } catch {
    return undefined
  }
}

function maskMember(name: string, value: unknown, room: Room, depth: number): unknown {
  room.left -= 1
  if (value === null || typeof value === 'boolean') return value
  if (isFault(name, value)) return value
  const sensitivity = sensitivityOf(name)
  if (sensitivity === 'secret' || sensitivity === 'person') return MASK
  if (Array.isArray(value)) return maskList(name, value, room, depth)
  if (typeof value === 'object') return maskObject(value, room, depth)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const masked = maskNamed(name, text, room, depth + 1)
  room.left -= masked.length
  return masked === text ? value : masked
}

/** What is in a list is of the kind that the list's name says. */
function maskList(name: string, list: readonly unknown[], room: Room, depth: number): unknown[] {
  const masked: unknown[] = []
  for (const each of list) {
    if (room.left <= 0) break
    masked.push(maskMember(name, each, room, depth))
  }
  return masked
}

/** `{ Name, Value }` and `{ Key, Value }` say beside a value what it is. */
function maskObject(object: object, room: Room, depth: number): Record<string, unknown> {
  const entries = Object.entries(object)
  const hasValue = entries.some(([name]) => isValue(name))
  const label = entries.find(([name, held]) => hasValue && LABEL.test(name) && typeof held === 'string')
  const masked: [string, unknown][] = []
  for (const [name, held] of entries) {
    if (room.left <= 0) break
    // A name may be somebody's number too.
    const shownName = maskCut(name, room.left)
    room.left -= shownName.length
    masked.push([shownName, maskMember(meaningOf(name, label), held, room, depth)])
  }
  return Object.fromEntries(masked)
}

function meaningOf(name: string, label: readonly [name: string, value: unknown] | undefined): string {
  if (!label) return name
  if (name === label[0]) return ''
  return isValue(name) && typeof label[1] === 'string' ? label[1] : name
}

const isValue = (name: string): boolean => /^value$/i.test(name)
const LABEL = /^(?:name|key|field|parameter)$/i
