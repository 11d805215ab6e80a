import { expireWithin, type PaymentStepDeps } from './payment-steps.ts'
import type { Job } from './ports/jobs.ts'

/**
 * Fails the collections whose payment page has expired. When the customer has finished, the job ends without effect. A
 * job that runs before the page has expired, because a clock was set back, is rescheduled: without it the collection
 * would stay PENDING for ever.
 */
export async function expirePages(deps: PaymentStepDeps, items: readonly Job[]): Promise<void> {
  await deps.store.transaction(async (unit) => {
    const locked = new Map(
      (await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })).map((transaction) => [
        transaction.id,
        transaction,
      ]),
    )
    for (const item of await unit.holdJobs(items)) {
      const transaction = locked.get(item.subjectId)
      const expiry = transaction ? await expireWithin(unit, deps, transaction) : { is: 'over' as const }
      if (expiry.is === 'over') await unit.finishJobs([item])
      if (expiry.is === 'open') await unit.replaceJobs([item], 'expirePage', expiry.until)
    }
  })
}
