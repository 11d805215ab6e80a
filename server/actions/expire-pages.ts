import { expireWithin, type PaymentStepDeps } from './payment-steps.ts'
import type { WorkItem } from './ports/work.ts'

/**
 * Fails the collections whose payment page has lived its time; those whose customer has finished need no such work any
 * more. One that is looked at too early, because a clock was set back, is looked at again: work that goes without an
 * end of its page would leave it PENDING for ever.
 */
export async function expirePages(deps: PaymentStepDeps, items: readonly WorkItem[]): Promise<void> {
  await deps.store.transaction(async (unit) => {
    const locked = new Map(
      (await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })).map((transaction) => [
        transaction.id,
        transaction,
      ]),
    )
    for (const item of await unit.holdWork(items)) {
      const transaction = locked.get(item.subjectId)
      const expiry = transaction ? await expireWithin(unit, deps, transaction) : { is: 'over' as const }
      if (expiry.is === 'over') await unit.finishWork([item])
      if (expiry.is === 'open') await unit.replaceWork([item], 'expirePage', expiry.until)
    }
  })
}
