import { invalid, tooManyDecimals } from './amount-fault.ts'
import { decimalsOf } from './money.ts'

/**
 * Rejects an amount before it is sent if the gateway would reject it anyway: 0.1 + 0.2 has 17 decimals. All other rules
 * are the gateway's.
 *
 * @throws MalipoError of kind `validation`
 */
export function checkDecimals(body: unknown): void {
  const { amount, currency } = Object(body) as Readonly<Record<string, unknown>>
  if (typeof amount !== 'number' || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return
  const [digits = '', exponent = '0'] = String(amount).split('e')
  const decimals = decimalsOf(currency)
  if ((digits.split('.')[1] ?? '').length - Number(exponent) > decimals) throw tooManyDecimals(decimals, currency)
}

/**
 * A replacer for `JSON.stringify`, which turns NaN into null: in an optional field that means absent, so a refund of NaN
 * would be one of all that is left. Forms return text, and databases null.
 *
 * @throws MalipoError of kind `validation`
 */
export function checkedNumber(name: string, value: unknown): unknown {
  if ((name.endsWith('amount') ? value !== undefined : typeof value === 'number') && !Number.isFinite(value))
    throw invalid(`${name} must be a finite number; money.toAmount makes amounts`)
  return value
}
