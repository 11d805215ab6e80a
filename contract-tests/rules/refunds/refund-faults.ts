import type { Fields } from '../../harness/json.ts'
import { amountText, minorOf } from '../money/minor-units.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'

/** What a refund takes over from its collection, under the names of both records. */
const TAKEN: Readonly<Record<string, string>> = {
  transaction_account: 'transaction_account',
  provider_code: 'provider_code',
  request_currency: 'request_currency',
  transaction_currency: 'transaction_currency',
  collection_merchant_reference: 'merchant_reference',
}

/** A refund goes back where its collection came from. @param sandbox its providers give no charge back */
export function refundFaults(collection: Fields, refund: Fields, sandbox: boolean): readonly Fault[] {
  const name = `refund ${String(refund.merchant_reference)} of collection ${String(collection.merchant_reference)}`
  const { charge_refunded: share, refund_method: method } = refund
  const most = sandbox ? 0 : Number(collection.transaction_charge)
  return [
    ...Object.entries(TAKEN).flatMap(([own, of]) =>
      faultIf(
        refund[own] !== collection[of],
        `refund ${own}`,
        `${own} of ${name} is ${JSON.stringify(refund[own])}, and ${of} of the collection ${JSON.stringify(collection[of])}`,
        'retrieveRefund',
      ),
    ),
    ...faultIf(
      Number(share) > most,
      'refunded charge',
      `charge_refunded of ${name} (${String(method)}) is ${String(share)}; at most ${most} goes back: ${sandbox ? 'no provider of the sandbox has a rule that gives the charge back' : 'the charge of the collection'}`,
      'retrieveRefund',
    ),
  ]
}

/** Completed refunds never exceed their collection; each is converted at its rate, and the last one takes the rest. */
export function sumFaults(collection: Fields, refunds: readonly Fields[]): readonly Fault[] {
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
