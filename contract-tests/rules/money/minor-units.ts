import { decimalsOf } from '../../../client/money.ts'

const decimalsFor = (currency: string): number => (/^[A-Z]{3}$/.test(currency) ? decimalsOf(currency) : 2)

/** An amount on the wire in whole minor units; undefined: no number, or more decimals than its currency has. */
export function minorOf(amount: unknown, currency: unknown): bigint | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined
  const scaled = amount * 10 ** decimalsFor(currency)
  const whole = Math.round(scaled)
  // A product of two doubles: its error is far below that of a wrong unit.
  return Number.isSafeInteger(whole) && Math.abs(scaled - whole) < 1e-4 ? BigInt(whole) : undefined
}

/** Minor units of one main unit: 100 for KES, 1 for UGX. */
export const unitOf = (currency: string): bigint => 10n ** BigInt(decimalsFor(currency))

/** Minor units as people write them: `-12.50 KES`. */
export function amountText(minor: bigint, currency: string): string {
  const decimals = decimalsFor(currency)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return `${minor < 0n ? '-' : ''}${whole} ${currency}`
}

/** A quotient of whole numbers, rounded half up (docs, page "Money"). */
export const halfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)
