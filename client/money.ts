import { invalid, tooManyDecimals } from './amount-fault.ts'

/**
 * Minor units other than two (ISO 4217, list one), as in the gateway. Not taken from `Intl`: it follows CLDR, which
 * has the decimals that people write, such as 0 for IQD.
 */
const OTHER_DECIMALS = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const

/**
 * How many decimals amounts in a currency may have (ISO 4217).
 *
 * @throws MalipoError of kind `validation` if it is no currency code
 * @example
 * ```ts
 * money.decimalsOf('KES') // 2
 * money.decimalsOf('UGX') // 0
 * ```
 */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('currency must be three capital letters, such as UGX')
  return OTHER_DECIMALS.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 2
}

/**
 * The amount in whole minor units, exactly: to add, compare and store money without binary fractions.
 *
 * @param amount digits with a decimal point, as text or number; no signs, spaces, thousands separators or exponents
 * @throws MalipoError of kind `validation` if it has more decimals than the currency (trailing zeros do not count), or
 *   is no such amount
 * @example
 * ```ts
 * money.toMinor('12.50', 'KES') // 1250n
 * money.toMinor('5000.00', 'UGX') // 5000n
 * money.toMinor(5000, 'UGX') // 5000n
 * ```
 */
export function toMinor(amount: string | number, currency: string): bigint {
  const decimals = decimalsOf(currency)
  // Trailing zeros do not count as decimals.
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(?=\d)(\d*[1-9])?0*)?$/.exec(String(amount)) ?? []
  // A tiny number is written with an exponent, and has many decimals.
  if (fraction.length > decimals || /^\d(?:\.\d+)?e-\d+$/.test(String(amount)))
    throw tooManyDecimals(decimals, currency)
  if (whole === undefined) throw invalid('amount must be digits with a decimal point, such as 12.50')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Converts an amount to the number in major units that the calls take.
 *
 * @throws MalipoError of kind `validation`, as {@link toMinor}
 * @example
 * ```ts
 * await malipo.collections.initialize({ ...order, currency: 'KES', amount: money.toAmount(form.amount, 'KES') })
 * ```
 */
export const toAmount = (amount: string | number, currency: string): number =>
  fromMinor(toMinor(amount, currency), currency)

/**
 * Whole minor units as an amount that the calls take: a number in major units.
 *
 * @throws MalipoError of kind `validation` if it is negative, not whole, or too large to be exact
 * @example
 * ```ts
 * money.fromMinor(1250n, 'KES') // 12.5
 * ```
 */
export function fromMinor(amountMinor: bigint | number, currency: string): number {
  const minor = Number(amountMinor)
  if (!Number.isSafeInteger(minor) || minor < 0)
    throw invalid('amountMinor must be a whole number that is not negative, below 2^53')
  return minor / 10 ** decimalsOf(currency)
}
