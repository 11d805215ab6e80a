import { money, moneyFromWire, type Currency, type Money } from '../domain/money.ts'
import type { DecimalSign } from './format.ts'

/** An amount as people write it. */
export interface WrittenAmount {
  readonly isNegative: boolean
  readonly amount: Money
}

// Thousands are set apart in threes, or not at all: what is written otherwise may mean another amount.
const WRITTEN = {
  point: /^([+-]?)(\d{1,3}(?:[,\s'’]\d{3})+|\d+)(?:\.(\d+))?$/,
  comma: /^([+-]?)(\d{1,3}(?:[.\s'’]\d{3})+|\d+)(?:,(\d+))?$/,
} as const satisfies Record<DecimalSign, RegExp>

/** No operator moves so much at once; more digits are no amount. */
const DIGITS_MAX = 24

/**
 * Reads `1,234.50`, `-1.234,50`, `KES 1 234`, in major units. An empty text and a single minus sign are nothing.
 * @returns undefined where there is nothing
 * @throws RangeError for anything else that is no amount in the currency; its message follows "the amount"
 */
export function readAmount(text: string, sign: DecimalSign, currency: Currency): WrittenAmount | undefined {
  const written = text.replace(new RegExp(`^${currency}\\s*|\\s*${currency}$`, 'i'), '').trim()
  if (written === '' || written === '-') return undefined
  const [, minus, whole, fraction = ''] = WRITTEN[sign].exec(written) ?? []
  if (whole === undefined || written.length > DIGITS_MAX) throw new RangeError(`cannot be read as ${currency}`)
  const plain = `${whole.replaceAll(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}`
  try {
    return { isNegative: minus === '-', amount: moneyFromWire(plain, currency) }
  } catch {
    throw new RangeError(`has more decimals than ${currency} has`)
  }
}

export const nothing = (currency: Currency): Money => money(0n, currency)
