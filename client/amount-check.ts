import { invalid, tooManyDecimals } from './amount-fault.ts'
import { decimalsOf } from './money.ts'

/**
 * The request as it is, unless its amount cannot be sent. Refuses what would be refused anyway, or worse, before it is
 * sent: JSON turns NaN into null, 0.1 + 0.2 has 17 decimals, and forms give text. All other rules are the gateway's.
 *
 * @throws MalipoError of kind `validation`
 */
export function withRightAmount<Body extends { readonly amount: number; readonly currency: string }>(
  request: Body,
): Body {
  const { amount, currency } = request
  if (amount === undefined || !/^[A-Z]{3}$/.test(currency)) return request
  if (!Number.isFinite(amount)) throw invalid('amount must be a finite number in major units; money.toAmount makes one')
  const [digits = '', exponent = '0'] = String(amount).split('e')
  const decimals = decimalsOf(currency)
  if ((digits.split('.')[1] ?? '').length - Number(exponent) > decimals) throw tooManyDecimals(decimals, currency)
  return request
}
