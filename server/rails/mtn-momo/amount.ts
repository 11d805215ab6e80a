import { decimalsOf, moneyFromWire, type Money } from '../../domain/money.ts'

/** Formats an amount in major units, exactly as MTN takes it: `5000` UGX, `5` EUR, `5.50` EUR. */
export function amountText({ amountMinor, currency }: Money): string {
  const unit = 10n ** BigInt(decimalsOf(currency))
  const fraction = amountMinor % unit
  const whole = String(amountMinor / unit)
  return fraction === 0n ? whole : `${whole}.${String(fraction).padStart(decimalsOf(currency), '0')}`
}

/** @returns undefined for what is not an amount in the currency */
export function amountRead(amount: string, currency: string): Money | undefined {
  try {
    return moneyFromWire(amount, currency)
  } catch {
    return undefined
  }
}
