import { decimalsOf } from '../../client/money.ts'

/** An unknown currency is reported where it is listed; here it counts as one with the usual decimals. */
export const decimalsFor = (currency: string): number => (/^[A-Z]{3}$/.test(currency) ? decimalsOf(currency) : 2)

/** A wire amount in minor units; undefined when it has more decimals than its currency. */
export function minorOf(amount: number, currency: string): bigint | undefined {
  const scaled = amount * 10 ** decimalsFor(currency)
  return Math.abs(scaled - Math.round(scaled)) < 1e-4 ? BigInt(Math.round(scaled)) : undefined
}

export const wireOf = (amountMinor: bigint, currency: string): number =>
  Number(amountMinor) / 10 ** decimalsFor(currency)
