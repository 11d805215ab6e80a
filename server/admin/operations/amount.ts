import { moneyFromWire } from '../../domain/money.ts'
import { OperationRefusal } from './operation.ts'

/**
 * @returns minor units
 * @throws OperationRefusal if the text is not an amount of the currency
 */
export function minorFromText(text: string, currency: string): bigint {
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(text))
    throw new OperationRefusal(
      'invalid',
      `${text} is not an amount: write up to 12 digits, a point before decimals and no other sign, for example 5000 or 10.50`,
    )
  try {
    return moneyFromWire(text, currency).amountMinor
  } catch (error) {
    throw new OperationRefusal('invalid', (error as Error).message)
  }
}

/** The same for what may be absent. */
export const minorOrUndefined = (text: string | undefined, currency: string): bigint | undefined =>
  text === undefined ? undefined : minorFromText(text, currency)

/** What the check of the database on limits means. */
export const contradiction = (error: unknown): OperationRefusal | undefined =>
  (error as { readonly code?: string }).code === '23514'
    ? new OperationRefusal(
        'invalid',
        'these settings contradict each other: the minimum must be above 0, at most the maximum, and that at most the daily limit',
      )
    : undefined
