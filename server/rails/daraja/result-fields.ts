import { fieldAt, listOf, textOf } from '../foreign-fields.ts'
import { SHILLINGS, shillingsRead } from './whole-shillings.ts'
import type { Money } from '../../domain/money.ts'

/** Values of one field that differ, or a value that cannot be read. What the field decides stays unknown. */
export const UNCLEAR = Symbol('unclear')
export type UnclearValue = typeof UNCLEAR

/** All values under a name. M-PESA sends name–value pairs, and may list a name twice. */
export type NamedValues = (name: string) => readonly unknown[]

/** @param list an array, or a single object instead of an array of one */
export function namedValues(list: unknown, nameField: 'Key' | 'Name'): NamedValues {
  const items = listOf(list).flatMap(listOf)
  return (name) =>
    items.filter((item) => textOf(fieldAt(item, nameField)) === name).map((item) => fieldAt(item, 'Value'))
}

/** @returns the field, or the value itself where the intermediate level is missing */
export function innerOf(value: unknown, name: string): unknown {
  const inner = fieldAt(value, name)
  return inner === undefined ? value : inner
}

/** A code as text: `0`, `"0"`, `0.0` and `" 0 "` are equal. Codes may contain letters. */
export const codeIn = textOf

/** A code for logs and metrics. The sender is not authenticated, so it is kept short and free of phone numbers. */
export const reportableCode = (code: string): string =>
  code
    .replaceAll(/[^A-Za-z0-9_.]/g, '_')
    .replaceAll(/\d{9,}/g, '_')
    .slice(0, 32)

/**
 * Reads an external id that may be stored.
 * @returns undefined for a value that no operator would use as an id
 */
export function idIn(value: unknown): string | undefined {
  const text = textOf(value)
  return text !== undefined && /^[\x21-\x7e]{1,100}$/.test(text) ? text : undefined
}

/** A receipt number. Zeros and other placeholders are excluded. */
export function receiptIn(values: readonly unknown[]): string | undefined {
  const receipt = agreed(values, textOf)
  return typeof receipt === 'string' && /^(?!0+$)[A-Za-z0-9]{6,40}$/.test(receipt) ? receipt : undefined
}

/** Shillings: `10`, `"10"` and `"10.00"` are equal. */
export function amountIn(values: readonly unknown[]): Money | undefined | UnclearValue {
  const amountMinor = agreed(values, (value) => {
    const text = textOf(value)
    return text === undefined ? undefined : shillingsRead(text)?.amountMinor
  })
  return typeof amountMinor === 'bigint' ? { amountMinor, currency: SHILLINGS } : amountMinor
}

/**
 * A status name.
 * @returns undefined where two of them differ
 */
export function statusIn(values: readonly unknown[]): string | undefined {
  const status = agreed(values, (value) => textOf(value)?.toLowerCase())
  return status === UNCLEAR ? undefined : status
}

/** The unmasked number in party names. A masked number cannot be compared, so it counts as absent. */
export const accountIn = (values: readonly unknown[]): string | undefined | UnclearValue =>
  agreed(
    values.map((value) => msisdnAtStart(textOf(value) ?? '')),
    (msisdn) => msisdn,
  )

/** `254712345678 - Jane Doe`, as observed by clients; also `0712345678`, `+254 712-345-678` and `tel:+254712345678`. */
function msisdnAtStart(text: string): string | undefined {
  const written = text.replaceAll(/(?<=\d)[ -](?=\d)/g, '')
  const [, digits = ''] = /^(?:tel:)?(?:\+|00)?([0-9]{9,12})(?![0-9*])/.exec(written) ?? []
  if (digits.length === 12) return digits
  const [, national] = /^0?([17][0-9]{8})$/.exec(digits) ?? []
  return national === undefined ? undefined : `254${national}`
}

/** Ignores absent values (null, empty); all others must be readable and equal. */
function agreed<Value, Read extends string | bigint>(
  values: readonly Value[],
  read: (value: Value) => Read | undefined,
): Read | undefined | UnclearValue {
  const different = new Set(values.filter(isThere).map(read))
  const [only] = different
  if (different.size === 0) return undefined
  return different.size === 1 && only !== undefined ? only : UNCLEAR
}

const isThere = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
