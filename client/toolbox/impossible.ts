import { MalipoError } from '../errors.ts'
import { decimalsOf, toMinor } from '../money.ts'
import type { Event } from './events.ts'

/**
 * Messages that Malipo would never send, as sentences: it does not matter if a receiver rejects such a sample, or
 * crashes on it.
 */
export function impossibilitiesOf({ payload }: Event): string[] {
  const { request_amount: amount, request_currency: currency, merchant_reference: reference } = payload
  return [
    amountFault(amount, currency),
    typeof reference === 'string' && /^[A-Za-z0-9._~-]{8,36}$/.test(reference)
      ? undefined
      : 'a merchant_reference has 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
  ].filter((fault) => fault !== undefined)
}

function amountFault(amount: unknown, currency: unknown): string | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return 'amount and currency are a number and a text'
  try {
    if (decimalsOf(currency) === 0 && !Number.isInteger(amount)) return `amounts in ${currency} have no decimals`
    return toMinor(amount, currency) > 0n ? undefined : 'an amount is more than 0'
  } catch (error) {
    if (error instanceof MalipoError || error instanceof RangeError) return error.message
    throw error
  }
}
