import { decimalsOf, moneyFromWire, type Currency, type Money } from '../../domain/money.ts'

export const SHILLINGS: Currency = 'KES'
/** One shilling in cents: M-PESA moves nothing smaller. */
export const SHILLING_MINOR = 10n ** BigInt(decimalsOf(SHILLINGS))

/** @returns the number on the wire, undefined for what M-PESA cannot move: cents, nothing, another currency */
export function wholeShillings({ amountMinor, currency }: Money): number | undefined {
  if (currency !== SHILLINGS || amountMinor <= 0n || amountMinor % SHILLING_MINOR !== 0n) return undefined
  const shillings = amountMinor / SHILLING_MINOR
  return shillings <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(shillings) : undefined
}

/** @param written shillings as a number or a text. @returns undefined for what is no such amount */
export function shillingsRead(written: number | string): Money | undefined {
  try {
    return moneyFromWire(written, SHILLINGS)
  } catch {
    return undefined
  }
}
