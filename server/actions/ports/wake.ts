import type { AcceptResult } from '../../domain/acceptance.ts'
import type { NewTransaction } from './acceptance.ts'
import type { Store, UnitOfWork } from './store.ts'
import type { NewJob, JobKind } from './jobs.ts'

/**
 * Notifies this process's own worker of jobs that the process has added, so that they need not wait for the next poll.
 */
export interface Wake {
  wake(kind: JobKind, dueAt: Date): void
}

/** For a process without a worker: the workers of others find its jobs by polling. */
export const NOBODY: Wake = { wake: () => undefined }

type QueuedJob = Pick<NewJob, 'kind' | 'dueAt'>

/** Wraps the transactions of a store: after a commit it wakes the workers of the jobs that were added in it. */
export const waking =
  (transaction: Store['transaction'], wake: Wake): Store['transaction'] =>
  async (run) => {
    const added: QueuedJob[] = []
    const result = await transaction((unit) => run(noting(unit, added)))
    wakeFor(wake, added)
    return result
  }

const noting = (unit: UnitOfWork, added: QueuedJob[]): UnitOfWork => ({
  ...unit,
  addJobs(work) {
    added.push(...work)
    return unit.addJobs(work)
  },
  replaceJobs(items, kind, dueAt) {
    if (items.length > 0) added.push({ kind, dueAt })
    return unit.replaceJobs(items, kind, dueAt)
  },
  async addCallbacks(callbacks, now) {
    const stopped = await unit.addCallbacks(callbacks, now)
    if (callbacks.length > stopped.length) added.push({ kind: 'deliverCallback', dueAt: now })
    return stopped
  },
})

/** The same for transactions that were accepted in one commit. */
export const wakeForAccepted = (wake: Wake, batch: readonly NewTransaction[], results: readonly AcceptResult[]): void =>
  wakeFor(
    wake,
    batch
      .filter((_transaction, index) => results[index] === 'accepted')
      .flatMap(({ firstJob, furtherJob }) => (furtherJob ? [firstJob, furtherJob] : [firstJob])),
  )

/** Wakes each kind once, for the time when its first job is due. */
function wakeFor(wake: Wake, added: readonly QueuedJob[]): void {
  const first = new Map<JobKind, Date>()
  for (const { kind, dueAt } of added) {
    const known = first.get(kind)
    if (!known || dueAt < known) first.set(kind, dueAt)
  }
  for (const [kind, dueAt] of first) wake.wake(kind, dueAt)
}
