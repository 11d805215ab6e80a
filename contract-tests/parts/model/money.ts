/** Decimals of the currencies that the model pays in (ISO 4217). */
const DIGITS = { UGX: 0, KES: 2, GHS: 2, NGN: 2, ZAR: 2 } as const

export type PaidCurrency = keyof typeof DIGITS

/** An amount of the wire in minor units; undefined when it has more decimals than its currency. */
export function minorOf(amount: number, currency: string): bigint | undefined {
  const scaled = amount * 10 ** digitsOf(currency)
  return Math.abs(scaled - Math.round(scaled)) < 1e-4 ? BigInt(Math.round(scaled)) : undefined
}

export const wireOf = (amountMinor: bigint, currency: string): number => Number(amountMinor) / 10 ** digitsOf(currency)

const digitsOf = (currency: string): number => Object.entries(DIGITS).find(([name]) => name === currency)?.[1] ?? 2
