import { decimalsOf } from '../../../client/money.ts'

export type PaidCurrency = 'UGX' | 'KES' | 'GHS' | 'NGN' | 'ZAR'

/** An amount of the wire in minor units; undefined when it has more decimals than its currency. */
export function minorOf(amount: number, currency: string): bigint | undefined {
  const scaled = amount * 10 ** decimalsOf(currency)
  return Math.abs(scaled - Math.round(scaled)) < 1e-4 ? BigInt(Math.round(scaled)) : undefined
}

export const wireOf = (amountMinor: bigint, currency: string): number =>
  Number(amountMinor) / 10 ** decimalsOf(currency)
