import { Refusal } from './refusal.ts'

/** ISO 4217 alphabetic code, three capital letters. */
export type Currency = string

/** An amount in whole minor units of its currency: never a binary fraction. */
export interface Money {
  readonly amountMinor: bigint
  readonly currency: Currency
}

// ISO 4217 minor units other than two (list one, in force 2026). Everything not named here has two.
const MINOR_UNITS: Readonly<Record<Currency, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** How many decimals the currency has (ISO 4217): UGX 0, KES 2, KWD 3. */
export const decimalsOf = (currency: Currency): number => MINOR_UNITS[currency] ?? 2

/** @throws RangeError for a negative amount: in Malipo the account gives money its direction, not the sign. */
export function money(amountMinor: bigint, currency: Currency): Money {
  if (amountMinor < 0n) throw new RangeError(`negative amount: ${amountMinor}`)
  return { amountMinor, currency }
}

/** More zeros than any limit has: 1e999999999 counts as too much, without the time to compute it. */
const SHIFT_MAX = 100

/**
 * Converts an amount (in major units) into minor units, digit by digit: a text is what was on the wire, and nothing is
 * rounded to a binary fraction. Trailing zeros are not decimals: 100.00 is an amount in UGX.
 * @throws Refusal `invalid_amount` when it has more decimals than the currency (ISO 4217). RangeError below zero
 */
export function moneyFromWire(amount: number | string, currency: Currency): Money {
  const decimals = decimalsOf(currency)
  const { isNegative, digits, exponent } = decimalOf(String(amount))
  const shift = decimals + exponent
  if (shift < 0) throw new Refusal('invalid_amount', `amount must have at most ${decimals} decimals for ${currency}`)
  // Parsing 65,000 digits takes 10 ms, so an amount with more than SHIFT_MAX digits is not parsed: it exceeds any
  // limit. No digits at all are zero.
  const minor =
    digits.length > SHIFT_MAX ? 10n ** BigInt(SHIFT_MAX) : BigInt(digits) * 10n ** BigInt(Math.min(shift, SHIFT_MAX))
  return money(isNegative ? -minor : minor, currency)
}

/**
 * The amount in major units as a JSON number. Exact for every amount below 2^53 minor units, which the contract's
 * bounds keep far away.
 */
export const amountToWire = (amountMinor: bigint, currency: Currency): number =>
  Number(amountMinor) / 10 ** decimalsOf(currency)

/**
 * For tables: major units with all decimals of the currency, `500`, `-10.50`. Exact at every size, as totals may be
 * above 2^53.
 */
export function amountText(
  amountMinor: bigint,
  currency: Currency,
  wholeText: (whole: bigint) => string = String,
): string {
  const decimals = decimalsOf(currency)
  const [minor, unit] = [amountMinor < 0n ? -amountMinor : amountMinor, 10n ** BigInt(decimals)]
  const fraction = decimals === 0 ? '' : `.${String(minor % unit).padStart(decimals, '0')}`
  return `${amountMinor < 0n ? '-' : ''}${wholeText(minor / unit)}${fraction}`
}

/** For messages: `500 UGX`, `10.5 KES`. */
export const formatMoney = ({ amountMinor, currency }: Money): string =>
  `${amountToWire(amountMinor, currency)} ${currency}`

/** For people: major units with separators and all decimals of the currency, `1,500,000 UGX`, `-10.50 KES`. */
export const moneyText = ({ amountMinor, currency }: Money): string =>
  `${amountText(amountMinor, currency, (whole) => whole.toLocaleString('en-US'))} ${currency}`

/** Integer division rounded half up, for non-negative numbers. */
export const divideHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator / 2n) / denominator

/** A decimal number in canonical form: 100, 100.00 and 1e2 are equal. */
interface Decimal {
  readonly isNegative: boolean
  /** Without zeros at either end; empty for zero. */
  readonly digits: string
  /** Power of ten of the last digit: 100 is `1` with 2, 0.25 is `25` with -2. */
  readonly exponent: number
}

const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Parses a number in JSON notation. @throws SyntaxError for anything else */
export function decimalOf(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = WRITTEN.exec(text) ?? []
  if (sign === undefined) throw new SyntaxError('not a JSON number')
  const all = whole + fraction
  let end = all.length
  // No regular expression: on a long run of zeros in the middle /0+$/ takes quadratic time. Before the first digit
  // there is no char code, so the loop ends there at the latest.
  while (all.charCodeAt(end - 1) === ZERO) end -= 1
  const digits = all.slice(0, end).replace(/^0+/, '')
  if (digits === '') return { isNegative: false, digits, exponent: 0 }
  return { isNegative: sign === '-', digits, exponent: Number(exponent) - fraction.length + (all.length - end) }
}

const ZERO = 48

/** The JavaScript number if it has exactly the value that was written, otherwise the text. */
export function exactly(value: number, written: string): number | string {
  if (!Number.isFinite(value)) return written // JSON allows numbers that JavaScript cannot represent: 1e999
  const [one, other] = [decimalOf(String(value)), decimalOf(written)]
  return one.digits === other.digits && one.exponent === other.exponent && one.isNegative === other.isNegative
    ? value
    : written
}
