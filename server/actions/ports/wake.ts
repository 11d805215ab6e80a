import type { AcceptResult, NewTransaction } from './acceptance.ts'
import type { Store } from './store.ts'
import type { Unit } from './unit.ts'
import type { NewWork, WorkKind } from './work.ts'

/** Tells this process's own work loop of work that it has added, so that it need not wait for its next look. */
export interface Wake {
  wake(kind: WorkKind, dueAt: Date): void
}

/** For a process that does no work: those that do find it by themselves. */
export const NOBODY: Wake = { wake: () => undefined }

type Added = Pick<NewWork, 'kind' | 'dueAt'>

/** The transactions of a store; after the commit of one those are woken who do the work that was added in it. */
export const waking =
  (transaction: Store['transaction'], wake: Wake): Store['transaction'] =>
  async (run) => {
    const added: Added[] = []
    const result = await transaction((unit) => run(noting(unit, added)))
    wakeFor(wake, added)
    return result
  }

const noting = (unit: Unit, added: Added[]): Unit => ({
  ...unit,
  addWork(work) {
    added.push(...work)
    return unit.addWork(work)
  },
  replaceWork(items, kind, dueAt) {
    if (items.length > 0) added.push({ kind, dueAt })
    return unit.replaceWork(items, kind, dueAt)
  },
  addCallbacks(callbacks, now) {
    if (callbacks.length > 0) added.push({ kind: 'deliverCallback', dueAt: now })
    return unit.addCallbacks(callbacks, now)
  },
})

/** The same for transactions that were accepted in one commit. */
export const wakeForAccepted = (wake: Wake, batch: readonly NewTransaction[], results: readonly AcceptResult[]): void =>
  wakeFor(
    wake,
    batch
      .filter((_transaction, index) => results[index] === 'accepted')
      .flatMap(({ firstWork, furtherWork }) => (furtherWork ? [firstWork, furtherWork] : [firstWork])),
  )

/** Each kind once, when the first of its work is due. */
function wakeFor(wake: Wake, added: readonly Added[]): void {
  const first = new Map<WorkKind, Date>()
  for (const { kind, dueAt } of added) {
    const known = first.get(kind)
    if (!known || dueAt < known) first.set(kind, dueAt)
  }
  for (const [kind, dueAt] of first) wake.wake(kind, dueAt)
}
