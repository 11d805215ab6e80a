import { listOf } from '../../harness/json.ts'
import { faultIf, type Judge } from '../observed-exchange.ts'
import { claimsIn, nameOf, requestedFields, valueIn, type Claim } from '../payments/claims.ts'
import { isSameValue } from '../payments/same-value.ts'
import type { Rule } from '../rule.ts'
import { followBatches } from './followed-batches.ts'

/** A batch has its rows in their order, and each payout is what its row has. */
function batchRowsJudge(): Judge {
  const { note, batchIn, rowOf } = followBatches()
  return (seen) => {
    note(seen)
    const { batch, sent } = batchIn(seen) ?? {}
    const shown = listOf(batch?.payouts).map(
      ({ line, merchant_reference }) => `${String(line)} ${String(merchant_reference)}`,
    )
    const wanted = sent?.map(({ merchant_reference }, index) => `${index + 1} ${String(merchant_reference)}`)
    const differing = (wanted ?? []).findIndex((row, index) => row !== shown[index])
    return [
      ...faultIf(
        wanted !== undefined && (differing >= 0 || shown.length !== wanted.length),
        'rows of a batch',
        `batch ${String(batch?.batch_reference)} of ${wanted?.length} rows has ${shown.length}; row ${differing + 1} is ${JSON.stringify(shown[differing])}, and ${JSON.stringify(wanted?.[differing])} was sent: a batch has all of its rows, in the order of the request`,
      ),
      ...claimsIn(seen).flatMap((claim) => {
        const row = claim.source === 'verify' ? rowOf(seen, claim.fields.merchant_reference) : undefined
        const fields = row ? requestedFields('sendFunds', row) : {}
        const request: Claim = { ...claim, source: 'the request', fields }
        return Object.keys(fields).flatMap((name) =>
          faultIf(
            !isSameValue(name, claim, request),
            `${name} of a row`,
            `${name} of ${nameOf(claim)} is ${valueIn(claim, name)} in verify, and ${valueIn(request, name)} in its row of the batch`,
          ),
        )
      }),
    ]
  }
}

export const batchRowsRule: Rule = {
  name: 'rows of batches',
  reason: 'A batch has the rows of its request, in their order, and each payout is what its row says.',
  plantedFault: 'batch-rows-reversed',
  judging: () => ({ each: batchRowsJudge() }),
}
