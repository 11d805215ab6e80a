import { decimalsOf, divideHalfUp, money, type Currency, type Money } from './money.ts'

/** How many units of `to` one unit of `from` buys, as a decimal text: `3800`, `0.000263`. */
export interface ExchangeRate {
  readonly from: Currency
  readonly to: Currency
  readonly rate: string
}

/**
 * Converts with the exact decimal rate, rounded half up to the minor unit of the target currency. USD 100 at 3800 is
 * 380,000 UGX.
 */
export function convert(amount: Money, { to, rate }: ExchangeRate): Money {
  const [whole, fraction = ''] = rate.split('.') as [string, string?]
  const numerator = amount.amountMinor * BigInt(whole + fraction) * 10n ** BigInt(decimalsOf(to))
  const denominator = 10n ** BigInt(fraction.length + decimalsOf(amount.currency))
  return money(divideHalfUp(numerator, denominator), to)
}
