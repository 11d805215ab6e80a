import { moneyFromWire, type Money } from './money.ts'
import { Refusal } from './refusal.ts'

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
 * @returns the amount in each currency that has as many decimals; none if the text is no amount
 */
export function amountsMeant(text: string, currencies: readonly string[]): readonly Money[] {
  const [, before, number = '', after] = /^([a-z]{3})?([\d.,_'\s\u2019]+)([a-z]{3})?$/i.exec(text.trim()) ?? []
  const named = (before ?? after)?.toUpperCase()
  const digits = plainDigits(number.trim())
  if (!/^\d{1,15}(?:\.\d{1,4})?$/.test(digits)) return []
  return (named === undefined ? currencies : [named]).flatMap((currency) => amountIn(digits, currency))
}

function amountIn(digits: string, currency: string): readonly Money[] {
  try {
    return [moneyFromWire(digits, currency)]
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
