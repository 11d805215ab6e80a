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

/** What a collection is charged by, and what its operator can ask a customer for. */
export interface CollectionChargeRule extends ChargeRule {
  /** The operator moves whole multiples of this only, in minor units; absent: every amount that the currency has. */
  readonly amountStepMinor?: bigint
}

/**
 * The charge of a collection. A merchant who bears it pays it out of the amount: it is never more than that. A customer
 * who bears it pays both together, and is asked by the operator: of one that moves no cents the charge is rounded up until
 * the sum is a multiple of what it moves.
 */
export function collectionChargeOf(amountMinor: bigint, rule: CollectionChargeRule, chargeCustomer: boolean): bigint {
  const chargeMinor = chargeOf(amountMinor, rule)
  if (!chargeCustomer) return chargeMinor <= amountMinor ? chargeMinor : amountMinor
  const { amountStepMinor = 1n } = rule
  const over = (amountMinor + chargeMinor) % amountStepMinor
  return over === 0n ? chargeMinor : chargeMinor + amountStepMinor - over
}

/**
 * What the merchant is credited: the whole amount when the customer bears the charge, else the amount less the charge
 * (never below zero).
 */
export function creditOf(amountMinor: bigint, chargeMinor: bigint, chargeCustomer: boolean): bigint {
  if (chargeCustomer) return amountMinor
  return chargeMinor > amountMinor ? 0n : amountMinor - chargeMinor
}
