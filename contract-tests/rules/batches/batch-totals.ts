import { listOf, type Fields } from '../../harness/json.ts'
import type { Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { batchFaults, callbackFaults } from './batch-faults.ts'
import { followBatches } from './followed-batches.ts'

/** The totals of a batch follow from its rows, and its callback tells them once it is over. */
function batchTotalsJudge(): Judge {
  const { note, batchIn } = followBatches()
  const reported = new Map<string, readonly Fields[]>()
  return (seen) => {
    note(seen)
    if (seen.direction === 'received' && seen.sent.event === 'payout_batch.completed') {
      const { batch_reference: reference, totals } = seen.record
      reported.set(String(reference), listOf(totals))
      return callbackFaults(String(reference), listOf(totals))
    }
    const { batch, sent } = batchIn(seen) ?? {}
    return batch && sent ? batchFaults(batch, sent, reported.get(String(batch.batch_reference))) : []
  }
}

export const batchTotalsRule: Rule = {
  name: 'totals of batches',
  reason: 'The totals and the status of a batch follow from its rows, and its callback has the same at the end.',
  plantedFault: 'batch-callback-counts-failures',
  judging: () => ({ each: batchTotalsJudge() }),
}
