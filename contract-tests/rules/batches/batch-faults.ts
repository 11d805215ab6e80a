import { listOf, type Fields } from '../../harness/json.ts'
import { minorOf } from '../money/minor-units.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'
import { isFinal, isSameValue, nameOf, requestedFields, valueIn, type Claim } from '../payments/claims.ts'

/** A callback that comes before its batch is over. */
export const callbackFaults = (reference: string, totals: readonly Fields[]): readonly Fault[] =>
  totals.flatMap(({ currency, payouts, completed, failed }) =>
    faultIf(
      Number(completed) + Number(failed) !== payouts,
      'callback before the end',
      `the callback of batch ${reference} counts ${String(completed)} completed and ${String(failed)} failed of ${String(payouts)} payouts in ${String(currency)}: it comes when all of them are final`,
      'payoutBatchCallback',
    ),
  )

/** A payout against its row of a batch; without one it is none of a batch. */
export function payoutFaults(claim: Claim, row: Fields | undefined): readonly Fault[] {
  const fields = row ? requestedFields('sendFunds', row) : {}
  const request: Claim = { ...claim, source: 'the request', fields }
  return Object.keys(fields).flatMap((name) =>
    faultIf(
      !isSameValue(name, claim, request),
      `${name} of a row`,
      `${name} of ${nameOf(claim)} is ${valueIn(claim, name)} in verify, and ${valueIn(request, name)} in its row of the batch`,
    ),
  )
}

/** A batch has all of its rows, in the order of the request. */
function rowFaults(batch: Fields, sent: readonly Fields[]): readonly Fault[] {
  const shown = listOf(batch.payouts).map((row) => `${String(row.line)} ${String(row.merchant_reference)}`)
  const wanted = sent.map(({ merchant_reference }, index) => `${index + 1} ${String(merchant_reference)}`)
  const differing = wanted.findIndex((row, index) => row !== shown[index])
  return faultIf(
    differing >= 0 || shown.length !== wanted.length,
    'rows of a batch',
    `batch ${String(batch.batch_reference)} of ${wanted.length} rows has ${shown.length}; row ${differing + 1} is ${JSON.stringify(shown[differing])}, and ${JSON.stringify(wanted[differing])} was sent: a batch has all of its rows, in the order of the request`,
  )
}

/** What a batch says against its rows. @param reported the totals of its callback; undefined: none came yet */
export function batchFaults(
  batch: Fields,
  sent: readonly Fields[],
  reported: readonly Fields[] | undefined,
): readonly Fault[] {
  const statusOf = new Map(listOf(batch.payouts).map((row) => [row.merchant_reference, row.transaction_status]))
  const count = (rows: readonly Fields[], status: string): number =>
    rows.filter(({ merchant_reference }) => statusOf.get(merchant_reference) === status).length
  const wanted = [...Map.groupBy(sent, ({ currency }) => String(currency))].map(([currency, rows]) => [
    currency,
    rows.length,
    String(rows.reduce((sum, { amount }) => sum + (minorOf(amount, currency) ?? 0n), 0n)),
    count(rows, 'COMPLETED'),
    count(rows, 'FAILED'),
  ])
  const totals = listOf(batch.totals)
  const shown = totals.map((each) => [
    each.currency,
    each.payouts,
    String(minorOf(each.amount, each.currency)),
    each.completed,
    each.failed,
  ])
  // Rows in another currency than their provider's are converted.
  const isComparable = shown.map(([currency]) => currency).join() === wanted.map(([currency]) => currency).join()
  const state = [...statusOf.values()].every(isFinal) ? 'COMPLETED' : 'PROCESSING'
  const name = `batch ${String(batch.batch_reference)}`
  // What is paid late changes the sums after the callback.
  const isOther = totals.some((each, index) => {
    const [then, now] = [reported?.[index], each].map((total) =>
      JSON.stringify([total?.currency, total?.payouts, total?.amount]),
    )
    return then !== now || Number(each.completed) < Number(reported?.[index]?.completed)
  })
  return [
    ...rowFaults(batch, sent),
    ...faultIf(
      isComparable && JSON.stringify(shown) !== JSON.stringify(wanted),
      'totals of a batch',
      `totals of ${name} are ${JSON.stringify(shown)}; its rows are ${JSON.stringify(wanted)} (currency, payouts, minor units, completed, failed)`,
    ),
    ...faultIf(
      batch.batch_status !== state,
      'status of a batch',
      `${name} is ${String(batch.batch_status)}; its rows are ${[...statusOf.values()].join(', ')}`,
    ),
    ...faultIf(
      reported !== undefined && isOther,
      'callback of a batch',
      `totals of ${name} are ${JSON.stringify(totals)}, and ${JSON.stringify(reported)} in its callback`,
      'payoutBatchCallback',
    ),
  ]
}
