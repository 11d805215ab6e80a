import type { Fields } from '../../harness/json.ts'
import { amountText, minorOf } from '../money/minor-units.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { followRefunds } from './followed-refunds.ts'

/** Completed refunds never exceed their collection; each is converted at its rate, and the last one takes the rest. */
function refundSumsJudging(): Judging {
  const { note, collections } = followRefunds()
  return {
    each: (seen) => note(seen),
    end: () => collections().flatMap(({ collection, refunds }) => faultsOf(collection, refunds)),
  }
}

function faultsOf(collection: Fields, refunds: readonly Fields[]): readonly Fault[] {
  const { request_currency: from, transaction_currency: to } = collection
  const amountsOf = (record: Fields) => ({
    reference: String(record.merchant_reference),
    request: minorOf(record.request_amount, from) ?? 0n,
    amount: minorOf(record.transaction_amount, to) ?? 0n,
  })
  const whole = amountsOf(collection)
  const paid = refunds.filter(({ transaction_status: status }) => status === 'COMPLETED').map(amountsOf)
  const sum = (of: 'request' | 'amount'): bigint => paid.reduce((total, each) => total + each[of], 0n)
  const isWhole = sum('request') === whole.request
  const uneven = paid.filter(({ request, amount }) => amount !== (whole.amount * request) / whole.request)
  const text = (minor: bigint, currency: unknown): string => amountText(minor, String(currency))
  const shown = (each: typeof whole): string => `${text(each.request, from)} as ${text(each.amount, to)}`
  const of = `collection ${whole.reference} of ${shown(whole)}`
  return [
    ...faultIf(
      sum('request') > whole.request || sum('amount') > whole.amount,
      'refunds beyond their collection',
      `${paid.length} refunds of ${of} are ${text(sum('request'), from)} together, as ${text(sum('amount'), to)}`,
      'refundCollection',
    ),
    ...faultIf(
      isWhole && sum('amount') < whole.amount,
      'rest of a collection',
      `the refunds of ${of} are all of it, and gave back ${text(sum('amount'), to)}: the last one takes the rest exactly`,
      'refundCollection',
    ),
    ...faultIf(
      uneven.length > (isWhole ? 1 : 0),
      'rate of a refund',
      `refund ${uneven[0]?.reference} is ${uneven[0] && shown(uneven[0])} of ${of}: it is converted at the rate of the collection, rounded down`,
      'refundCollection',
    ),
  ]
}

export const refundSumsRule: Rule = {
  name: 'sums of refunds',
  reason: 'Refunds are at most their collection in both currencies, at its own rate, and the last takes the rest.',
  plantedFault: 'refunds-beyond-the-sum',
  judging: refundSumsJudging,
}
