import { listOf, type Fields } from '../harness/json.ts'
import { batchFaults, callbackFaults, payoutFaults } from './batches/batch-faults.ts'
import { BoundedMap } from './bounded-map.ts'
import type { Judge } from './observed-exchange.ts'
import { claimsIn } from './payments/claims.ts'
import type { Rule } from './rule.ts'

/** A batch has the rows that a merchant sent, each payout is what its row has, and the totals follow from the rows. */
function batchJudge(): Judge {
  const batches = new BoundedMap<string, readonly Fields[]>()
  const payouts = new BoundedMap<string, Fields>()
  const reported = new BoundedMap<string, readonly Fields[]>()
  return (seen) => {
    const { operation, exchange, sent, data, record, merchant } = seen
    const { status } = exchange.reply
    const keyOf = (reference: unknown): string => `${merchant} ${String(reference)}`
    if (operation?.id === 'createPayoutBatch' && status === 202) {
      const rows = listOf(sent.payouts)
      batches.set(keyOf(sent.batch_reference), rows)
      for (const row of rows) payouts.set(keyOf(row.merchant_reference), row)
    }
    if (seen.direction === 'received' && sent.event === 'payout_batch.completed') {
      const { batch_reference: reference, totals } = record
      reported.set(String(reference), listOf(totals))
      return callbackFaults(String(reference), listOf(totals))
    }
    if (operation?.id === 'getPayoutBatch' && status === 200) {
      const rows = batches.get(keyOf(data.batch_reference))
      return rows ? batchFaults(data, rows, reported.get(String(data.batch_reference))) : []
    }
    return claimsIn(seen)
      .filter(({ source }) => source === 'verify')
      .flatMap((claim) => payoutFaults(claim, payouts.get(keyOf(claim.fields.merchant_reference))))
  }
}

export const batchesRule: Rule = {
  name: 'batches',
  reason:
    'A batch has the rows of its request, in their order; each payout is what its row says, and its totals and status follow from them, in its callback too.',
  plantedFault: 'batch-rows-reversed',
  judging: () => ({ each: batchJudge() }),
}
