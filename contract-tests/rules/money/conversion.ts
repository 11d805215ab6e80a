import { faultIf } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { ratesWithin, type RateRange } from './rate-range.ts'

/** Payments from one currency to another, and the rates that explain all of them that fit together. */
interface Conversions {
  readonly range: RateRange
  /** In words, for a finding about another one. */
  readonly example: string
}

/** One rate explains every conversion of two currencies, rounded half up once. */
function conversionJudging(): Judging {
  const pairs = new Map<string, Conversions>()
  const bearers = new Set<boolean>()
  return {
    each: (seen) => {
      const { request_currency: from, transaction_currency: to, merchant_reference, ...record } = seen.record
      // A refund has the rate of its collection, rounded otherwise: a rule of its own.
      if (
        seen.direction === 'received' ||
        record.transaction_type === 'REFUND' ||
        from === to ||
        typeof from !== 'string' ||
        typeof to !== 'string'
      )
        return []
      if (record.transaction_type === 'COLLECTION') bearers.add(record.charge_customer === true)
      const range = ratesWithin(record.request_amount, from, record.transaction_amount, to)
      const example = `${String(record.request_amount)} ${from} of ${String(merchant_reference)} became ${String(record.transaction_amount)} ${to}`
      if (!range) return faultIf(true, 'conversion without a unit', `${example}, which is no whole minor unit`)
      const key = `${seen.host} ${from} ${to}`
      const before = pairs.get(key)
      const both = before ? before.range.and(range) : range
      // What does not fit is not learned: the next correct one must not be blamed for it.
      if (both) pairs.set(key, { range: both, example: before?.example ?? example })
      return faultIf(
        both === undefined,
        'conversion',
        `${example}; with ${before?.range.text} ${to} for 1 ${from}, rounded half up, as others have it (${before?.example}), it would be something else: one rate converts all amounts, and the result is rounded once (contract, page "Money", "Another currency")`,
      )
    },
    end: () => (bearers.size === 2 ? [] : { notJudged: `no collection was converted with ${missing(bearers)}` }),
  }
}

const missing = (seen: ReadonlySet<boolean>): string =>
  [false, true].flatMap((each) => (seen.has(each) ? [] : [`charge_customer ${String(each)}`])).join(' and ')

export const conversionRule: Rule = {
  name: 'conversion',
  reason: 'A payment in another currency is converted by one rate, and rounded half up once.',
  plantedFault: 'converted-amount-rounded-down',
  judging: ({ sandbox }) =>
    sandbox ? conversionJudging() : { notJudged: 'staff may change rates while traffic is recorded' },
}
