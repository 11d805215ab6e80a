import { invalid, tooManyDecimals } from './amount-fault.ts'
import { decimalsOf } from './money.ts'

/**
 * Rejects an amount before it is sent if the gateway would reject it anyway, or worse, accept it changed: JSON turns
 * NaN into null, 0.1 + 0.2 has 17 decimals, and forms return text. All other rules are the gateway's.
 *
 * @throws MalipoError of kind `validation`
 */
export function checkAmount(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('amount' in body && 'currency' in body)) return
  const { amount, currency } = body
  if (amount === undefined || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return
  if (typeof amount !== 'number' || !Number.isFinite(amount))
    throw invalid('amount must be a finite number in major units; money.toAmount makes one')
  const [digits = '', exponent = '0'] = String(amount).split('e')
  const decimals = decimalsOf(currency)
  if ((digits.split('.')[1] ?? '').length - Number(exponent) > decimals) throw tooManyDecimals(decimals, currency)
}
