import { destinationOf } from '../domain/destination.ts'
import { nextLookAt, type BatchPayout, type PayoutBatch } from '../domain/payout-batch.ts'
import { newCallbackId } from '../domain/references.ts'
import type { Job } from './ports/jobs.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { SettleDeps } from './settle-results.ts'

export type FinishBatchesDeps = Pick<SettleDeps, 'store' | 'clock' | 'random'> & {
  /** The JSON text of a batch's callback. */
  readonly batchCallbackBody: (batch: PayoutBatch, payouts: readonly BatchPayout[]) => string
}

/**
 * Ends the batches whose payouts are all final, and stores their callbacks; the others are looked at later. A payout's
 * own end pays nothing for being in a batch.
 */
export const finishBatches = (deps: FinishBatchesDeps, items: readonly Job[]): Promise<void> =>
  deps.store.transaction(async (unit) => {
    const batches = new Map(
      (await unit.lockBatches(items.map(({ subjectId }) => subjectId))).map((one) => [one.id, one]),
    )
    const held = await unit.holdJobs(items)
    const open = await unit.openBatches([...batches.keys()])
    const now = deps.clock.now()
    await unit.rescheduleJobs(
      held.flatMap((item) => {
        const batch = batches.get(item.subjectId)
        return batch && open.has(batch.id) ? [{ item, dueAt: nextLookAt(batch, now) }] : []
      }),
    )
    const ended = held.filter(({ subjectId }) => !open.has(subjectId))
    const finished = ended.flatMap(({ subjectId }) => batches.get(subjectId) ?? [])
    for (const batch of finished) await addCallback(unit, deps, batch, now)
    await unit.finishBatches(
      finished.map(({ id }) => id),
      now,
    )
    await unit.finishJobs(ended)
  })

async function addCallback(unit: UnitOfWork, deps: FinishBatchesDeps, batch: PayoutBatch, now: Date): Promise<void> {
  const payouts = await unit.batchPayouts(batch.id)
  const [first] = payouts
  if (!first) return
  // A callback belongs to a transaction: this one to the first of the batch.
  const { id } = first.payout
  await unit.addCallbacks(
    [
      {
        webhookId: newCallbackId(deps.random, id),
        transactionId: id,
        merchantId: batch.merchantId,
        type: 'PAYOUT',
        event: 'payout_batch.completed',
        body: deps.batchCallbackBody(batch, payouts),
        destination: destinationOf(batch.merchantId, 'PAYOUT'),
      },
    ],
    now,
  )
}
