import { minorOf, unitOf } from './minor-units.ts'

/** A fraction of whole numbers; the denominator is positive. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

/** The rates that round a request to its transaction_amount: from the lowest up to, but not including, a bound. */
export interface RateRange {
  readonly low: Fraction
  readonly high: Fraction
  /** `3799.995 to 3800.005` */
  readonly text: string
  /** Rates in both; undefined when there is none. */
  and(other: RateRange): RateRange | undefined
}

const isLess = (one: Fraction, other: Fraction): boolean => one.over * other.under < other.over * one.under
const numberOf = ({ over, under }: Fraction): number => Number((over * 1_000_000_000n) / under) / 1_000_000_000

const rangeOf = (low: Fraction, high: Fraction): RateRange => ({
  low,
  high,
  text: `${numberOf(low)} to ${numberOf(high)}`,
  and: (other) => {
    const [from, to] = [isLess(low, other.low) ? other.low : low, isLess(high, other.high) ? high : other.high]
    return isLess(from, to) ? rangeOf(from, to) : undefined
  },
})

/** Undefined when an amount is no whole number of minor units. */
export function ratesWithin(requested: unknown, from: string, transacted: unknown, to: string): RateRange | undefined {
  const [request, transaction] = [minorOf(requested, from), minorOf(transacted, to)]
  if (request === undefined || transaction === undefined || request <= 0n) return undefined
  // transaction = round(request / unit(from) * rate * unit(to)), half up.
  const under = 2n * request * unitOf(to)
  const bound = (half: bigint): Fraction => ({ over: (2n * transaction + half) * unitOf(from), under })
  return rangeOf(bound(-1n), bound(1n))
}
