import { halfUp } from './minor-units.ts'

/** A payment that was charged, in minor units. */
export interface ChargedPayment {
  readonly reference: string
  readonly amount: bigint
  readonly charge: bigint
  /** The operator moves whole main units only: the charge may be rounded up so far that the sum is whole. */
  readonly wholeUnit?: bigint
}

/** A percentage in basis points, and a flat amount in minor units. */
interface ChargeRate {
  readonly bps: bigint
  readonly flat: bigint
}

const BPS_MAX = 10_000
const BPS = 10_000n
/** First payments that a rate is looked for from: one of them is right, unless most charges are wrong. */
const STARTS_MAX = 12

export const chargeOf = (amount: bigint, { bps, flat }: ChargeRate): bigint => halfUp(amount * bps, BPS) + flat

function explains(rate: ChargeRate, { amount, charge, wholeUnit }: ChargedPayment): boolean {
  const exact = chargeOf(amount, rate)
  if (wholeUnit === undefined || charge === exact) return charge === exact
  return charge > exact && charge - exact < wholeUnit && (amount + charge) % wholeUnit === 0n
}

/** Every rate that explains a payment, with each percentage one. */
const ratesOf = ({ amount, charge }: ChargedPayment): ChargeRate[] =>
  Array.from({ length: BPS_MAX + 1 }, (_, bps) => {
    const whole = { bps: BigInt(bps), flat: 0n }
    return { ...whole, flat: charge - chargeOf(amount, whole) }
  }).filter(({ flat }) => flat >= 0n)

/**
 * The rate that explains most of the payments. From each start, the rates that explain it are narrowed by each further
 * payment that some of them explain.
 */
export function bestRate(payments: readonly ChargedPayment[]): {
  readonly rate: ChargeRate
  readonly misfits: readonly ChargedPayment[]
} {
  let best: { readonly rate: ChargeRate; readonly misfits: readonly ChargedPayment[] } = {
    rate: { bps: 0n, flat: 0n },
    misfits: payments,
  }
  for (const [start, first] of payments.slice(0, STARTS_MAX).entries()) {
    let rates = ratesOf(first)
    for (const payment of [...payments.slice(start + 1), ...payments.slice(0, start)]) {
      const left = rates.filter((rate) => explains(rate, payment))
      if (left.length > 0) rates = left
    }
    const [rate] = rates
    const misfits = rate && payments.filter((payment) => !explains(rate, payment))
    if (misfits && misfits.length < best.misfits.length) best = { rate, misfits }
    if (misfits?.length === 0) break
  }
  return best
}
