import { moneyFromWire } from '../../domain/money.ts'
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
