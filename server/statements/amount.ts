import { decimalsOf, money, moneyFromWire, type Currency, type Money } from '../domain/money.ts'
import type { DecimalSign } from './format.ts'

/** An amount in a human-readable format. */
export interface WrittenAmount {
  readonly isNegative: boolean
  readonly amount: Money
}

// Thousands are separated in groups of three, or not at all: any other grouping may mean a different amount.
const WRITTEN = {
  point: /^(\d{1,3}(?:[,\s'’]\d{3})+|\d*)(?:\.(\d*))?$/,
  comma: /^(\d{1,3}(?:[.\s'’]\d{3})+|\d*)(?:,(\d*))?$/,
} as const satisfies Record<DecimalSign, RegExp>

/** No operator moves so much at once; a number with more digits, apart from leading zeros, is not an amount. */
const DIGITS_MAX = 24
const LENGTH_MAX = 100

const names = new Map<Currency, RegExp>()

/** A currency code at either end of an amount, with or without a blank: `KES1,000`. */
function nameOf(currency: Currency): RegExp {
  const known = names.get(currency) ?? new RegExp(`^\\s*${currency}(?![a-z])|(?<![a-z])${currency}\\s*$`, 'i')
  names.set(currency, known)
  return known
}

/**
 * Reads `1,234.50`, `-1.234,50`, `(1,234.50)`, `1,234.50-`, `KES 1 234`, in major units. An empty text and a lone
 * minus sign mean no amount.
 * @returns undefined where there is no amount
 * @throws RangeError for any other text that is not an amount in the currency; its message follows "the amount"
 */
export function readAmount(text: string, sign: DecimalSign, currency: Currency): WrittenAmount | undefined {
  if (text.length > LENGTH_MAX) throw unreadable(currency)
  const name = nameOf(currency)
  const bare = (part: string): string => part.replace(name, '').trim()
  const written = bare(text.replaceAll(/[−–]/g, '-'))
  if (written === '' || written === '-') return undefined
  const [, enclosed] = /^\((.+)\)$/.exec(written) ?? []
  const [, before = '', body = '', after = ''] = /^([+-]?)(.*?)([+-]?)$/.exec(bare(enclosed ?? written)) ?? []
  // Only one sign is allowed: two may cancel out, or not.
  const signs = [enclosed === undefined ? '' : '-', before, after].filter((each) => each !== '')
  const [, whole = '', fraction = ''] = WRITTEN[sign].exec(bare(body)) ?? []
  if (signs.length > 1 || `${whole}${fraction}` === '') throw unreadable(currency)
  if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && decimalsOf(currency) !== 3)
    throw new RangeError('has three decimals or thousands (statement_decimal_sign)')
  return { isNegative: signs[0] === '-', amount: amountOf(whole.replaceAll(/\D/g, ''), fraction, currency) }
}

/**
 * Reads an XML Schema decimal: `100`, `.05`, `5.`, `+5`.
 * @throws RangeError for any other text that is not an amount in the currency; its message follows "the amount"
 */
export function readDecimal(text: string, currency: Currency): WrittenAmount {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? []
  if (sign === undefined || `${whole}${fraction}` === '') throw unreadable(currency)
  const amount = amountOf(whole, fraction, currency)
  return { isNegative: sign === '-' && amount.amountMinor > 0n, amount }
}

function amountOf(whole: string, fraction: string, currency: Currency): Money {
  const digits = whole.replace(/^0+(?=\d)/, '')
  if (digits.length + fraction.length > DIGITS_MAX) throw unreadable(currency)
  try {
    return moneyFromWire(`${digits || '0'}${fraction === '' ? '' : `.${fraction}`}`, currency)
  } catch {
    throw new RangeError(`has more decimals than ${currency} has`)
  }
}

const unreadable = (currency: Currency): RangeError => new RangeError(`cannot be read as ${currency}`)

export const nothing = (currency: Currency): Money => money(0n, currency)

/** Formats an amount for messages, with the currency's decimals: `26.00`. */
export function written(minor: bigint, currency: Currency): string {
  const decimals = decimalsOf(currency)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  return `${minor < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals === 0 ? '' : `.${digits.slice(cut)}`}`
}
