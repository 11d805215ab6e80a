import { decimalsOf, type Money } from '../domain/money.ts'

/**
 * `NGN 5,000.00`, `UGX 380,000`: always the currency's own decimals (ISO 4217, where ICU differs), with a space that
 * does not break.
 */
export function amountText({ amountMinor, currency }: Money): string {
  const decimals = decimalsOf(currency)
  const digits = String(amountMinor).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  // A decimal string stays exact where a number would not.
  const major = (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`) as `${number}`
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(major)
}
