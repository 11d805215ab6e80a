import { present } from '../domain/present.ts'
import { isReturn, STATUS_MESSAGES, SUSPENDED_RETRY_MS, type Transaction } from '../domain/transaction.ts'
import type { Clock } from './ports/clock.ts'
import type { Job } from './ports/jobs.ts'
import type { UnitOfWork } from './ports/store.ts'

export interface Unsuspended {
  /** The transactions that go on. */
  readonly open: readonly Transaction[]
  /** When the last suspension of its merchant ended, by the id of a payout that was never sent. */
  readonly resumedAt: ReadonlyMap<bigint, Date>
}

/** A payout or refund that nobody has received: its outcome is ours to decide. */
export const isUnsent = ({ type, railOrderId }: Transaction): boolean =>
  type !== 'COLLECTION' && railOrderId === undefined

/**
 * Reschedules the payouts and refunds of suspended merchants that were never sent: they wait with their hold, without time-out. An
 * order that may have arrived goes on, because only its operator can end it. So does what gives back from suspense: that
 * money is not the merchant's.
 *
 * The merchants' rows are read without a lock. An order whose commit was under way when the suspension committed goes
 * out like one that was sent just before. A lock would not change that, because the call to the operator follows the
 * commit; but all batches would write the row of a busy merchant, and a batch that hangs would keep staff from
 * suspending it.
 * @param held the job of each transaction
 */
export async function withoutSuspended(
  unit: UnitOfWork,
  transactions: readonly Transaction[],
  held: ReadonlyMap<bigint, Job>,
  clock: Clock,
): Promise<Unsuspended> {
  const isTheirs = (one: Transaction): boolean => isUnsent(one) && !isReturn(one)
  const unsent = transactions.filter(isTheirs)
  const suspensions = await unit.suspensions(unsent.map(({ merchantId }) => merchantId))
  const now = clock.now()
  const waits = (transaction: Transaction): boolean =>
    isTheirs(transaction) && suspensions.get(transaction.merchantId)?.suspendedAt !== undefined
  const waiting = unsent.filter(waits)
  const newlyWaiting = waiting.filter(
    ({ status, statusMessage }) => status === 'PENDING' && statusMessage !== STATUS_MESSAGES.suspended,
  )
  await unit.saveStates(newlyWaiting.map((payout) => ({ ...payout, statusMessage: STATUS_MESSAGES.suspended })))
  await unit.addEvents(
    newlyWaiting.map(({ id }) => ({
      transactionId: id,
      kind: 'suspended',
      detail: 'Waits: its merchant is suspended',
    })),
    now,
  )
  const dueAt = new Date(now.getTime() + SUSPENDED_RETRY_MS)
  await unit.rescheduleJobs(waiting.map(({ id }) => ({ item: present(held.get(id), 'the job of a payout'), dueAt })))
  return {
    open: transactions.filter((transaction) => !waits(transaction)),
    resumedAt: new Map(
      unsent.flatMap(({ id, merchantId }) => {
        const resumedAt = suspensions.get(merchantId)?.resumedAt
        return resumedAt ? [[id, resumedAt] as const] : []
      }),
    ),
  }
}
