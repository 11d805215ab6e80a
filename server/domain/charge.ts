import { divideHalfUp } from './money.ts'

/**
 * What Malipo takes for a transaction: a percentage in basis points (1/100 of a percent) plus a flat amount in minor
 * units.
 */
export interface ChargeRule {
  readonly chargeBps: number
  readonly chargeFlatMinor: bigint
}

/** The charge in minor units, the percentage rounded half up to the minor unit. */
export const chargeOf = (amountMinor: bigint, rule: ChargeRule): bigint =>
  divideHalfUp(amountMinor * BigInt(rule.chargeBps), 10_000n) + rule.chargeFlatMinor

/** The charge of a collection. A merchant who bears it pays it out of the amount: it is never more than that. */
export function collectionChargeOf(amountMinor: bigint, rule: ChargeRule, chargeCustomer: boolean): bigint {
  const chargeMinor = chargeOf(amountMinor, rule)
  return chargeCustomer || chargeMinor <= amountMinor ? chargeMinor : amountMinor
}

/**
 * What the merchant is credited: the whole amount when the customer bears the charge, else the amount less the charge
 * (never below zero).
 */
export function creditOf(amountMinor: bigint, chargeMinor: bigint, chargeCustomer: boolean): bigint {
  if (chargeCustomer) return amountMinor
  return chargeMinor > amountMinor ? 0n : amountMinor - chargeMinor
}
