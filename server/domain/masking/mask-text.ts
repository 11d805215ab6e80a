import { readForeignJson } from '../foreign-json.ts'
import { sensitivityOf } from './field-names.ts'
import { isFault, MASK, maskNamedValues, maskValueOf } from './named-values.ts'
import { maskCertainNumbers, maskNumbers, withReadableDigits } from './numbers.ts'
import { maskSecretsInSentences } from './sentences.ts'

/**
 * The longest value that is masked by its format. This much is cut from the end of a truncated text, so that no half
 * of a value is left.
 */
const MASKED_CHARACTERS_MAX = 256

/** JSON within a JSON string within a JSON string. */
const JSON_WITHIN_MAX = 3

/** How many characters of the result are left: one budget for all parts of a text. */
interface OutputBudget {
  left: number
}

/**
 * Masks foreign text so that it may be stored. In JSON, XML, forms, headers and fragments of them it masks the values
 * of fields whose names show that they are secret or personal; in sentences whatever looks like an account number, an
 * OTP or a token. It reads no more than `max` characters of the result need: the time is bounded, however long the
 * text is.
 */
export const maskText = (text: string, max: number): string => maskString(text, { left: max }, 0).slice(0, max)

/** Whether a text by our own staff certainly contains secret or personal data: ids as long as account numbers pass. */
export const holdsSecrets = (text: string): boolean => maskCertainNumbers(maskSecretsInSentences(text)) !== text

/** Masks the value of one field, for example of a header. */
export const maskField = (name: string, value: string, max: number): string =>
  maskNamed(name, value, { left: max }, 0).slice(0, max)

const maskNamed = (name: string, value: string, room: OutputBudget, depth: number): string =>
  maskValueOf(sensitivityOf(name), cutToMask(value, room.left).text) ?? maskString(value, room, depth)

function maskString(text: string, room: OutputBudget, depth: number): string {
  const json = /^\s*[[{"]/.test(text) ? maskJson(text, { ...room }, depth) : undefined
  return json ?? (isForm(text) ? maskForm(text, room.left, depth) : maskCut(text, room.left))
}

/** Masks a part that is long enough, and drops the end of the result, where half of a value may be. */
function maskCut(text: string, max: number): string {
  const { text: part, isCut } = cutToMask(text, max)
  const masked = maskNamedValues(part, maskProse)
  return isCut ? masked.slice(0, -MASKED_CHARACTERS_MAX) : masked
}

const cutToMask = (text: string, max: number): { readonly text: string; readonly isCut: boolean } => ({
  text: withReadableDigits(text.slice(0, max + 2 * MASKED_CHARACTERS_MAX)),
  isCut: text.length > max + 2 * MASKED_CHARACTERS_MAX,
})

/** Names after a masked number: `254708374149 - JANE DOE`. */
const HOLDER = /(?<=\*{3}\d{3} ?- ?)\p{Lu}[\p{L}'’.]{0,40}(?: \p{Lu}[\p{L}'’.]{0,40}){0,5}/gu

const maskProse = (text: string): string => maskNumbers(maskSecretsInSentences(text)).replace(HOLDER, MASK)

/** One line without blanks: `pin=1234&payerName=Jane+Doe`. */
const isForm = (text: string): boolean => /^[^\s<>{}"'=&]+=[^\s<>{}"']*$/.test(text)

function maskForm(text: string, max: number, depth: number): string {
  const { text: part, isCut } = cutToMask(text, max)
  const fields = part.split('&')
  // The last field may be incomplete.
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

/** @returns undefined for anything that is not JSON */
function maskJson(text: string, room: OutputBudget, depth: number): string | undefined {
  if (depth > JSON_WITHIN_MAX) return undefined
  try {
    // Ids keep their digits. An object with a duplicate name is masked as text, so that both values are.
    const read = readForeignJson(text)
    return 'value' in read ? JSON.stringify(maskMember('', read.value, room, depth)) : undefined
  } catch {
    return undefined
  }
}

function maskMember(name: string, value: unknown, room: OutputBudget, depth: number): unknown {
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

/** The items of a list have the sensitivity of the list's name. */
function maskList(name: string, list: readonly unknown[], room: OutputBudget, depth: number): unknown[] {
  const masked: unknown[] = []
  for (const each of list) {
    if (room.left <= 0) break
    masked.push(maskMember(name, each, room, depth))
  }
  return masked
}

/** `{ Name, Value }` and `{ Key, Value }`: one field names the value of the other. */
function maskObject(object: object, room: OutputBudget, depth: number): Record<string, unknown> {
  const entries = Object.entries(object)
  const hasValue = entries.some(([name]) => isValue(name))
  const label = entries.find(([name, held]) => hasValue && LABEL.test(name) && typeof held === 'string')
  const masked: [string, unknown][] = []
  for (const [name, held] of entries) {
    if (room.left <= 0) break
    // A name may itself be somebody's number.
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
