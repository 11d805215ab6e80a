import { expirePayment, type PaymentStepDeps } from './payment-steps.ts'
import type { WorkItem } from './ports.ts'

/** Fails the collections whose payment page has lived its time; the others need no such work any more. */
export async function expirePages(deps: PaymentStepDeps, items: readonly WorkItem[]): Promise<void> {
  const references = await deps.store.transaction(async (unit) =>
    (await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })).map(({ internalReference }) => internalReference))
  for (const internalReference of references) await expirePayment(deps, internalReference)
  // An expired one lost its work in the commit that ended it. What is left here is work of collections that went on in time.
  await deps.store.transaction((unit) => unit.finishWork(items))
}
