/** A decimal number in canonical form: 100, 100.00 and 1e2 are equal. */
export interface Decimal {
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
