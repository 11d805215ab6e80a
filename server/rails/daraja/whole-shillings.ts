import { decimalsOf, moneyFromWire, type Currency, type Money } from '../../domain/money.ts'

export const SHILLINGS: Currency = 'KES'
/** One shilling in cents: the smallest unit that M-PESA moves. */
export const SHILLING_MINOR = 10n ** BigInt(decimalsOf(SHILLINGS))

/** @returns the number on the wire; undefined for what M-PESA cannot move: cents, zero, another currency */
export function wholeShillings({ amountMinor, currency }: Money): number | undefined {
  if (currency !== SHILLINGS || amountMinor <= 0n || amountMinor % SHILLING_MINOR !== 0n) return undefined
  const shillings = amountMinor / SHILLING_MINOR
  return shillings <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(shillings) : undefined
}

/**
 * @param written shillings as a number or a string
 * @returns undefined for an invalid amount
 */
export function shillingsRead(written: number | string): Money | undefined {
  try {
    return moneyFromWire(written, SHILLINGS)
  } catch {
    return undefined
  }
}
