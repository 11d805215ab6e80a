import { creditRelease } from '../domain/ledger.ts'
import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'
import type { Job } from './ports/jobs.ts'

/**
 * Moves credit that has cleared, or whose reserve has ended, to the available part of the wallet: exactly the amount
 * that was booked for it.
 */
export async function releaseCredit(
  { store, clock }: { store: Store; clock: Clock },
  kind: 'clearing' | 'reserve_release',
  items: readonly Job[],
): Promise<void> {
  await store.transaction(async (unit) => {
    const transactions = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = new Set((await unit.holdJobs(items)).map(({ subjectId }) => subjectId))
    const heldTransactions = transactions.filter(({ id }) => held.has(id))
    const booked = await unit.bookedInto(
      kind === 'clearing' ? 'collection_uncleared' : 'collection_reserve',
      heldTransactions.map(({ id }) => id),
    )
    await unit.finishJobs(items)
    await unit.addEvents(
      heldTransactions.map(({ id }) => ({
        transactionId: id,
        kind: kind === 'clearing' ? 'cleared' : 'reserve_released',
        detail: 'Credit became available',
      })),
      clock.now(),
    )
    await unit.book(
      heldTransactions.map((transaction) => creditRelease(kind, transaction, booked.get(transaction.id) ?? 0n)),
      clock.now(),
    )
  })
}
