import { moneyFromWire, type Money } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { usedWrongly } from './errors.ts'
import { printable } from './output.ts'

/**
 * @returns minor units
 * @throws CliError if the text is not an amount of the currency
 */
export function minorFromText(text: string, currency: string): bigint {
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(text))
    throw usedWrongly(
      `malipo: ${printable(text)} is not an amount: write up to 12 digits, a point before decimals and no other sign, for example 5000 or 10.50`,
    )
  try {
    return moneyFromWire(text, currency).amountMinor
  } catch (error) {
    throw usedWrongly(`malipo: ${(error as Error).message}`)
  }
}

const GROUPED = /^\d{1,3}(?:[ ,_'\u00a0\u2019]\d{3})+(?:\.\d{1,4})?$/
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3}){2,}(?:,\d{1,4})?$/
const DECIMAL_COMMA = /^\d{1,15},\d{1,2}$/

/** Digits with a point before decimals; a single comma before three digits separates thousands. */
function plainDigits(text: string): string {
  if (GROUPED.test(text)) return text.replaceAll(/[^0-9.]/g, '')
  if (GROUPED_BY_POINTS.test(text)) return text.replaceAll('.', '').replace(',', '.')
  return DECIMAL_COMMA.test(text) ? text.replace(',', '.') : text
}

/**
 * What somebody may mean by an amount to look for: `1,500,000`, `1500000`, `10.50`, `5,000 UGX`.
 * @param currencies those of an amount that names none
 * @returns the amount in each currency that has as many decimals
 * @throws CliError
 */
export function amountsMeant(text: string, currencies: readonly string[]): readonly Money[] {
  const [, before, number = '', after] = /^([a-z]{3})?([\d.,_'\s\u2019]+)([a-z]{3})?$/i.exec(text.trim()) ?? []
  const named = (before ?? after)?.toUpperCase()
  const digits = plainDigits(number.trim())
  const found = /^\d{1,15}(?:\.\d{1,4})?$/.test(digits)
    ? (named === undefined ? currencies : [named]).flatMap((currency) => amountIn(digits, currency))
    : []
  if (found.length === 0)
    throw usedWrongly(
      `malipo: ${printable(text)} is no amount to look for: write it like 5000, 1,500,000, 10.50 or "5,000 UGX"`,
    )
  return found
}

function amountIn(digits: string, currency: string): readonly Money[] {
  try {
    return [moneyFromWire(digits, currency)]
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
