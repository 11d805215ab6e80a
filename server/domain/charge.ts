import { divideHalfUp } from './money.ts'

/**
 * Malipo's charge for a transaction: a percentage in basis points (1/100 of a percent) plus a flat amount in minor
 * units.
 */
interface ChargeRule {
  readonly chargeBps: number
  readonly chargeFlatMinor: bigint
}

/** The charge in minor units, the percentage rounded half up to the minor unit. */
export const chargeOf = (amountMinor: bigint, rule: ChargeRule): bigint =>
  divideHalfUp(amountMinor * BigInt(rule.chargeBps), 10_000n) + rule.chargeFlatMinor

/** The charge of a collection, and the amounts that its operator can collect. */
export interface CollectionChargeRule extends ChargeRule {
  /** The operator moves only whole multiples of this, in minor units; absent: every amount of the currency. */
  readonly amountStepMinor?: bigint
}

/**
 * The charge of a collection. A merchant who bears it pays it out of the amount, so it is never more than that. A
 * customer who bears it pays amount and charge together: if the operator moves no cents, the charge is rounded up
 * until the sum is a multiple of what it moves.
 */
export function collectionChargeOf(amountMinor: bigint, rule: CollectionChargeRule, chargeCustomer: boolean): bigint {
  const chargeMinor = chargeOf(amountMinor, rule)
  if (!chargeCustomer) return chargeMinor <= amountMinor ? chargeMinor : amountMinor
  const { amountStepMinor = 1n } = rule
  const over = (amountMinor + chargeMinor) % amountStepMinor
  return over === 0n ? chargeMinor : chargeMinor + amountStepMinor - over
}

/**
 * The merchant's credit: the whole amount when the customer bears the charge, otherwise the amount less the charge
 * (never below zero).
 */
export function creditOf(amountMinor: bigint, chargeMinor: bigint, chargeCustomer: boolean): bigint {
  if (chargeCustomer) return amountMinor
  return chargeMinor > amountMinor ? 0n : amountMinor - chargeMinor
}
