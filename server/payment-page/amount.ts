import { decimalsOf, type Money } from '../domain/money.ts'

/** Creating a formatter takes longer than a page: each is created once, for few currencies in few languages. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, currency: string, decimals: number): Intl.NumberFormat {
  const name = `${locale} ${currency}`
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  formats.set(name, format)
  return format
}

/**
 * `NGN 5,000.00`, `UGX 380,000`: always the currency's own decimals (ISO 4217, where ICU differs), with a
 * non-breaking space.
 */
export function amountText({ amountMinor, currency }: Money, locale: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(amountMinor).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  // A decimal string stays exact where a number would not.
  const major = (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`) as `${number}`
  return formatOf(locale, currency, decimals).format(major)
}
