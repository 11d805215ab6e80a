import {
  isHeldBy,
  PAYMENT_JOB_KINDS,
  type ClaimExclusions,
  type Job,
  type JobKind,
  type JobStore,
  type NewJob,
  type RescheduledJob,
  type JobWrites,
} from '../../../actions/ports/jobs.ts'
import { byDueTime, claimFairly, takeRow, toJob } from './claim-fairly.ts'
import type { Connection } from './connection.ts'
import type { JobRow, MemoryWorld } from './world.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { duplicate, Violation } from './violation.ts'

const workKeyOf = ({ kind, subjectId }: Pick<JobRow, 'kind' | 'subjectId'>): string => `${kind}:${subjectId}`

/** The row, if the job's claim still holds it. */
function heldRow(unit: MemoryUnitOfWork, item: Job): JobRow | undefined {
  const row = unit.work.get(item.id)
  return row && isHeldBy(row, item) ? row : undefined
}

/** Needs the lock. */
export const isHeld = (unit: MemoryUnitOfWork, item: Job): boolean => heldRow(unit, item) !== undefined

/** Ends those of the jobs that are still held. */
export const finishHeld = async (unit: MemoryUnitOfWork, items: readonly Job[]): Promise<void> =>
  void (await forHeld(unit, items, (row) => deleteJobs(unit, row)))

/**
 * As one statement does: takes the rows held when it begins, locks them one by one, and checks each again after waiting
 * for its lock.
 * @returns how many were held
 */
async function forHeld(
  unit: MemoryUnitOfWork,
  items: readonly Job[],
  each: (row: JobRow, item: Job) => void | Promise<void>,
): Promise<number> {
  let held = 0
  for (const item of items.filter((candidate) => heldRow(unit, candidate))) {
    await unit.work.lock(item.id)
    const row = heldRow(unit, item)
    if (!row) continue
    await each(row, item)
    held += 1
  }
  return held
}

/** As storage/jobs.ts. */
export const jobStatements = (unit: MemoryUnitOfWork): JobWrites => ({
  holdJobs: (items) => unit.about(items, [], 'lock', 'holdJobs', () => holdJobs(unit, items)),

  finishJobs: (items) => unit.about(items, undefined, 'write', 'finishJobs', () => finishHeld(unit, items)),

  replaceJobs: (items, kind, dueAt) =>
    unit.about(items, 0, 'write', 'replaceJobs', () =>
      forHeld(
        unit,
        items.toSorted((a, b) => ascending(a.subjectId, b.subjectId)),
        async (row) => {
          const attempt = row.kind === kind ? row.attempt : 0
          if (row.kind !== kind) await moveKey(unit, row, kind)
          unit.work.put(row.id, { ...row, kind, dueAt, attempt, token: undefined, failures: 0, lastError: undefined })
        },
      ),
    ),

  rescheduleJobs: (rescheduled) =>
    unit.about(rescheduled, undefined, 'write', 'rescheduleJobs', () => rescheduleJobs(unit, rescheduled)),

  addJobs: (work) => unit.about(work, undefined, 'write', 'addJobs', () => addOrHasten(unit, work)),

  finishPaymentJobs: (transactionIds) =>
    // In the order of the unique key's index, in which the statement finds them.
    unit.about(transactionIds, undefined, 'write', 'finishPaymentJobs', () =>
      deleteJobsOf(unit, PAYMENT_JOB_KINDS, transactionIds.toSorted(ascending)),
    ),
})

/** The jobs of a subject as this unit sees them. */
export function workOf(unit: MemoryUnitOfWork, kind: JobKind, subjectId: bigint): JobRow | undefined {
  const id = unit.workKeys.get(workKeyOf({ kind, subjectId }))
  return id === undefined ? undefined : unit.work.get(id)
}

/** Releases the claim. Needs the lock. */
export const releaseJobs = (unit: MemoryUnitOfWork, row: JobRow): void =>
  unit.work.put(row.id, { ...row, token: undefined })

/** Regardless of the holder. */
export async function lockJobsOf(unit: MemoryUnitOfWork, kind: JobKind, subjects: readonly bigint[]): Promise<void> {
  const ids = subjects.flatMap((subjectId) => unit.workKeys.get(workKeyOf({ kind, subjectId })) ?? [])
  await unit.work.lockAll(ids.sort(ascending))
}

/** Locks them in the order of their ids until commit. */
export async function holdJobs(unit: MemoryUnitOfWork, items: readonly Job[]): Promise<Job[]> {
  const held: Job[] = []
  await forHeld(
    unit,
    items.toSorted((a, b) => ascending(a.id, b.id)),
    (row, { token }) => void held.push(toJob(row, token)),
  )
  return held
}

/**
 * Regardless of the holder. Also deletes a job that changes to another of these kinds while its lock is waited for: the
 * statement matches any of them.
 */
export async function deleteJobsOf(
  unit: MemoryUnitOfWork,
  kinds: readonly JobKind[],
  subjects: readonly bigint[],
): Promise<void> {
  const keys = kinds.flatMap((kind) => subjects.map((subjectId) => workKeyOf({ kind, subjectId })))
  for (const id of keys.flatMap((key) => unit.workKeys.get(key) ?? [])) {
    await unit.work.lock(id)
    const row = unit.work.get(id)
    if (row && kinds.includes(row.kind)) await deleteJobs(unit, row)
  }
}

/** Deletes a row and its key, once no other unit locks them. */
export async function deleteJobs(unit: MemoryUnitOfWork, row: JobRow): Promise<void> {
  // Free, or ours: only the unit that holds the row, or finds none, takes its key.
  await unit.workKeys.write(workKeyOf(row), undefined)
  unit.work.put(row.id, undefined)
}

async function moveKey(unit: MemoryUnitOfWork, row: JobRow, kind: JobKind): Promise<void> {
  const key = workKeyOf({ kind, subjectId: row.subjectId })
  await claimKey(unit, key)
  await unit.workKeys.write(workKeyOf(row), undefined)
  unit.workKeys.put(key, row.id)
}

/**
 * Locks a key that no row has. Waits for a unit that is about to take or free it.
 * @throws Violation when it is taken
 */
async function claimKey(unit: MemoryUnitOfWork, key: string): Promise<void> {
  for (;;) {
    const id = unit.workKeys.get(key)
    const holder = unit.workKeys.holder(key) ?? (id === undefined ? undefined : unit.work.holder(id))
    if (holder) {
      await unit.waitFor(holder)
      continue
    }
    if (id !== undefined) throw duplicate(`work ${key}`)
    return unit.workKeys.lock(key)
  }
}

/** @throws Violation when there is such a job already */
export async function insertJobs(
  unit: MemoryUnitOfWork,
  { kind, subjectId, dueAt, destination }: NewJob,
): Promise<void> {
  const key = workKeyOf({ kind, subjectId })
  await claimKey(unit, key)
  const id = unit.tables.nextId()
  unit.workKeys.put(key, id)
  const fresh = { attempt: 0, token: undefined, failures: 0, lastError: undefined }
  await unit.work.write(id, { ...fresh, id, kind, subjectId, dueAt, destination })
}

/** An existing job becomes due at the earlier of both times, whoever holds it, and is otherwise unchanged. */
export async function addOrHasten(unit: MemoryUnitOfWork, work: readonly NewJob[]): Promise<void> {
  const seen = new Set<string>()
  for (const one of work) {
    const key = workKeyOf(one)
    if (seen.has(key)) throw new Violation('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time')
    seen.add(key)
    while (!(await addedOrHastened(unit, one, key))) {
      /* the conflicting row is gone: try again */
    }
  }
}

async function addedOrHastened(unit: MemoryUnitOfWork, work: NewJob, key: string): Promise<boolean> {
  const id = unit.workKeys.get(key)
  const holder = unit.workKeys.holder(key)
  if (id === undefined && holder) {
    await unit.waitFor(holder)
    return false
  }
  if (id === undefined) {
    await insertJobs(unit, work)
    return true
  }
  await unit.work.lock(id)
  const row = unit.work.get(id)
  if (!row || workKeyOf(row) !== key) return false
  if (work.dueAt < row.dueAt) unit.work.put(id, { ...row, dueAt: work.dueAt })
  return true
}

function isSkipped(tables: MemoryWorld, { kind, subjectId }: JobRow, skipped: ClaimExclusions | undefined): boolean {
  if (kind === 'readRailCallback') {
    const message = tables.railCallbacks.get(subjectId)
    return skipped !== undefined && message !== undefined && skipped.railAccounts.includes(message.railAccount)
  }
  const transaction = skipped && tables.transactions.get(subjectId)?.transaction
  if (!transaction) return false
  const { railAccount, railOrderId, providerCode } = transaction
  return railOrderId === undefined
    ? skipped.providers.includes(providerCode)
    : railAccount !== undefined && skipped.railAccounts.includes(railAccount)
}

/** As storage/jobs.ts. */
export const createJobStore = (connection: Connection): JobStore => ({
  ...claiming(connection),
  ...leasing(connection),
})

const claiming = (connection: Connection): Pick<JobStore, 'claim' | 'claimFairly' | 'nextDue' | 'nextDueFor'> => ({
  async claim(kind, claim, limit, skipped) {
    const { work } = connection.tables
    const isClaimable = (row: JobRow): boolean =>
      row.dueAt <= claim.now && !work.locks.has(row.id) && !isSkipped(connection.tables, row, skipped)
    const claimable = () => [...connection.tables.workOf(kind).values()].filter(isClaimable)
    if (!connection.tables.workOf(kind).values().some(isClaimable)) return []
    // One statement: it skips rows that others have locked, and nobody can see it half done.
    return connection.autocommit('claim', 'claim', () => {
      const rows = claimable().sort(byDueTime).slice(0, limit)
      return rows.map((row) => takeRow(connection, row, claim))
    })
  },

  nextDue: (kinds) => connection.autocommit('read', 'nextDue', () => nextDue(connection.tables, kinds)),

  nextDueFor: (kind, destinations) =>
    connection.autocommit('read', 'nextDueFor', () => {
      const rows = [...connection.tables.workOf(kind).values()].sort(byDueTime)
      return rows.find(({ token, destination = '' }) => token === undefined && destinations.includes(destination))
        ?.dueAt
    }),

  claimFairly: (kind, claim, limit, quota) => claimFairly(connection, kind, claim, limit, quota),
})

const leasing = (connection: Connection): Omit<JobStore, keyof ReturnType<typeof claiming>> => ({
  async renew(items, now, leaseUntil) {
    const { locks } = connection.tables.work
    await connection.autocommit('write', 'renew', (unit) =>
      forHeld(
        unit,
        items.filter(({ id }) => !locks.has(id)),
        (row) => (row.dueAt > now ? unit.work.put(row.id, { ...row, dueAt: leaseUntil }) : undefined),
      ),
    )
  },

  async release(items, dueAt) {
    await connection.autocommit('write', 'release', (unit) =>
      forHeld(unit, items, (row) => unit.work.put(row.id, { ...row, dueAt, token: undefined })),
    )
  },

  async releaseClaim(kind, { token, leaseUntil }, dueAt) {
    await connection.autocommit('write', 'releaseClaim', async (unit) => {
      const ofClaim = (row: JobRow | undefined): row is JobRow =>
        row?.kind === kind && row.token === token && row.dueAt.getTime() === leaseUntil.getTime()
      for (const { id } of [...connection.tables.workOf(kind).values()].filter(ofClaim)) {
        await unit.work.lock(id)
        const row = unit.work.get(id)
        if (ofClaim(row)) unit.work.put(id, { ...row, dueAt, token: undefined })
      }
    })
  },

  async quarantine(item, dueAt, reason) {
    await connection.autocommit('write', 'putAside', (unit) =>
      forHeld(unit, [item], (row) =>
        unit.work.put(row.id, { ...row, dueAt, token: undefined, failures: row.failures + 1, lastError: reason }),
      ),
    )
  },
})

function nextDue(tables: MemoryWorld, kinds: readonly JobKind[]): ReadonlyMap<JobKind, Date> {
  const next = new Map<JobKind, Date>()
  for (const kind of kinds)
    for (const { dueAt } of tables.workOf(kind).values()) {
      const first = next.get(kind)
      if (!first || dueAt < first) next.set(kind, dueAt)
    }
  return next
}

/** Reschedules claimed jobs, each to its own time. */
export async function rescheduleJobs(unit: MemoryUnitOfWork, rescheduled: readonly RescheduledJob[]): Promise<void> {
  for (const { item, dueAt } of rescheduled) {
    await forHeld(unit, [item], (row) =>
      unit.work.put(row.id, {
        ...row,
        dueAt,
        token: undefined,
        attempt: row.attempt - 1,
        destination: item.destination,
      }),
    )
  }
}
