import { decimalsFor } from '../../driver/money.ts'

// Docs page "Money": whole minor units, and everything is rounded half up.

/** A percentage in basis points, and a flat amount on top. */
export interface ChargeRule {
  readonly bps: bigint
  readonly flatMinor: bigint
}

const BPS = 10_000n
const halfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator)

export const chargeOf = (amountMinor: bigint, { bps, flatMinor }: ChargeRule): bigint =>
  halfUp(amountMinor * bps, BPS) + flatMinor

/** The next amount, in steps, whose percentage ends in exactly half a minor unit; otherwise the amount itself. */
export function oddAmount(fromMinor: bigint, { bps }: ChargeRule, stepMinor: bigint): bigint {
  for (let amount = fromMinor; amount < fromMinor + stepMinor * BPS; amount += stepMinor)
    if ((amount * bps) % BPS === BPS / 2n) return amount
  return fromMinor + stepMinor
}

/** Units of `to` for one of `from`, as a decimal text. */
export type ExchangeRate = readonly [from: string, to: string, rate: string]

/** A conversion of minor units as a fraction. */
function fractionOf([from, to, rate]: ExchangeRate): readonly [numerator: bigint, denominator: bigint] {
  const [whole = '0', fraction = ''] = rate.split('.')
  return [BigInt(whole + fraction) * 10n ** BigInt(decimalsFor(to)), 10n ** BigInt(fraction.length + decimalsFor(from))]
}

export function converted(amountMinor: bigint, rate: ExchangeRate): bigint {
  const [numerator, denominator] = fractionOf(rate)
  return halfUp(amountMinor * numerator, denominator)
}

const UP_MAX = 10_000n
/** The next amount whose conversion is rounded up: a server that truncates gets another result. */
export function roundedUpFrom(amountMinor: bigint, rate: ExchangeRate): bigint {
  const [numerator, denominator] = fractionOf(rate)
  for (let amount = amountMinor; amount < amountMinor + UP_MAX; amount++)
    if ((amount * numerator) % denominator >= (denominator + 1n) / 2n) return amount
  return amountMinor
}

/** The smallest amount whose conversion is not less than a minimum. */
export function leastFor(minimumMinor: bigint, rate: ExchangeRate): bigint {
  let [low, high] = [1n, 1n]
  while (converted(high, rate) < minimumMinor) high *= 2n
  while (low < high) {
    const middle = (low + high) / 2n
    if (converted(middle, rate) < minimumMinor) low = middle + 1n
    else high = middle
  }
  return low
}
