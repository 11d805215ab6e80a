import type { Unit } from '../../actions/ports/unit.ts'
import type { LeftOut, NewWork, Postponed, WorkItem, WorkKind, WorkQueue } from '../../actions/ports/work.ts'
import { claimFairly } from './claim-fairly.ts'
import type { Connection } from './connection.ts'
import type { Step } from './step.ts'
import { byDueTime, takeRow, toWorkItem } from './taken-work.ts'
import type { WorkRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { duplicate, Violation } from './violation.ts'
import type { Tables } from './world.ts'

const HOLD: Step = { what: 'holdWork', kind: 'lock' }
const FINISH: Step = { what: 'finishWork', kind: 'write' }
const REPLACE: Step = { what: 'replaceWork', kind: 'write' }
const POSTPONE: Step = { what: 'postponeWork', kind: 'write' }
const ADD: Step = { what: 'addWork', kind: 'write' }
const FINISH_PAYMENT: Step = { what: 'finishPaymentWork', kind: 'write' }
const CLAIM: Step = { what: 'claim', kind: 'claim' }
const RELEASE: Step = { what: 'release', kind: 'write' }
const RELEASE_CLAIM: Step = { what: 'releaseClaim', kind: 'write' }
const NEXT_DUE: Step = { what: 'nextDue', kind: 'read' }
const RENEW: Step = { what: 'renew', kind: 'write' }
const PUT_ASIDE: Step = { what: 'putAside', kind: 'write' }

/** In the order of the unique key's index, by which the statement finds them. */
const PAYMENT_WORK: readonly WorkKind[] = [
  'askRail',
  'expirePage',
  'findOrder',
  'holdFunds',
  'sendOtp',
  'submitToRail',
  'verifyPayout',
]

export const workKeyOf = ({ kind, subjectId }: Pick<WorkRow, 'kind' | 'subjectId'>): string => `${kind}:${subjectId}`
const byId = (a: WorkItem, b: WorkItem): number => (a.id < b.id ? -1 : Number(a.id > b.id))
const bySubject = (a: WorkItem, b: WorkItem): number => Number(a.subjectId - b.subjectId)
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

/** The row, if the item's claim still holds it. */
function heldRow(unit: UnitOfWork, { id, kind, token }: WorkItem): WorkRow | undefined {
  const row = unit.work.get(id)
  return row && row.kind === kind && row.token === token ? row : undefined
}

/** Locked before. */
export const isHeld = (unit: UnitOfWork, item: WorkItem): boolean => heldRow(unit, item) !== undefined

/** Ends those of the items that are still held. */
export const finishHeld = (unit: UnitOfWork, items: readonly WorkItem[]): Promise<void> =>
  forHeld(unit, items, (row) => deleteWork(unit, row))

/**
 * As a statement does it: what is held when it begins, locked one by one, and each looked at again when its lock was
 * waited for.
 */
async function forHeld(
  unit: UnitOfWork,
  items: readonly WorkItem[],
  each: (row: WorkRow, item: WorkItem) => void | Promise<void>,
): Promise<void> {
  for (const item of items.filter((candidate) => heldRow(unit, candidate))) {
    await unit.work.lock(item.id)
    const row = heldRow(unit, item)
    if (row) await each(row, item)
  }
}

/** As storage/work-items.ts. */
export const workStatements = (
  unit: UnitOfWork,
): Pick<Unit, 'holdWork' | 'finishWork' | 'replaceWork' | 'postponeWork' | 'addWork' | 'finishPaymentWork'> => ({
  async holdWork(items) {
    if (items.length === 0) return []
    return unit.statement(HOLD, () => holdWork(unit, items))
  },

  async finishWork(items) {
    if (items.length === 0) return
    await unit.statement(FINISH, () => finishHeld(unit, items))
  },

  async replaceWork(items, kind, dueAt) {
    if (items.length === 0) return
    await unit.statement(REPLACE, () =>
      forHeld(unit, items.toSorted(bySubject), async (row) => {
        const attempt = row.kind === kind ? row.attempt : 0
        if (row.kind !== kind) await moveKey(unit, row, kind)
        unit.work.put(row.id, { ...row, kind, dueAt, attempt, token: undefined, failures: 0, lastError: undefined })
      }),
    )
  },

  async postponeWork(postponed) {
    if (postponed.length === 0) return
    await unit.statement(POSTPONE, () => postponeWork(unit, postponed))
  },

  async addWork(work) {
    if (work.length === 0) return
    await unit.statement(ADD, () => addOrHasten(unit, work))
  },

  async finishPaymentWork(transactionIds) {
    if (transactionIds.length === 0) return
    const subjects = transactionIds.toSorted(compare)
    await unit.statement(FINISH_PAYMENT, () => deleteWorkOf(unit, PAYMENT_WORK, subjects))
  },
})

/** The work of a subject as this unit sees it. */
export function workOf(unit: UnitOfWork, kind: WorkKind, subjectId: bigint): WorkRow | undefined {
  const id = unit.workKeys.get(workKeyOf({ kind, subjectId }))
  return id === undefined ? undefined : unit.work.get(id)
}

/** Nobody holds it any more. Locked before. */
export const freeWork = (unit: UnitOfWork, row: WorkRow): void => unit.work.put(row.id, { ...row, token: undefined })

/** Whoever holds it. */
export async function lockWorkOf(unit: UnitOfWork, kind: WorkKind, subjects: readonly bigint[]): Promise<void> {
  for (const id of subjects
    .flatMap((subjectId) => unit.workKeys.get(workKeyOf({ kind, subjectId })) ?? [])
    .sort(compare))
    await unit.work.lock(id)
}

/** Locked in the order of their ids until commit. */
export async function holdWork(unit: UnitOfWork, items: readonly WorkItem[]): Promise<WorkItem[]> {
  const held: WorkItem[] = []
  await forHeld(unit, items.toSorted(byId), (row, { token }) => void held.push(toWorkItem(row, token)))
  return held
}

/**
 * Whoever holds it. What has become another of these kinds while its lock was waited for is deleted too: the statement
 * asks for any of them.
 */
export async function deleteWorkOf(
  unit: UnitOfWork,
  kinds: readonly WorkKind[],
  subjects: readonly bigint[],
): Promise<void> {
  const keys = kinds.flatMap((kind) => subjects.map((subjectId) => workKeyOf({ kind, subjectId })))
  for (const id of keys.flatMap((key) => unit.workKeys.get(key) ?? [])) {
    await unit.work.lock(id)
    const row = unit.work.get(id)
    if (row && kinds.includes(row.kind)) await deleteWork(unit, row)
  }
}

/** Takes a row and its key away, once nobody else holds it. */
export async function deleteWork(unit: UnitOfWork, row: WorkRow): Promise<void> {
  // Free, or ours: only who holds the row, or finds none, takes its key.
  await unit.workKeys.lock(workKeyOf(row))
  unit.workKeys.put(workKeyOf(row), undefined)
  unit.work.put(row.id, undefined)
}

async function moveKey(unit: UnitOfWork, row: WorkRow, kind: WorkKind): Promise<void> {
  const key = workKeyOf({ kind, subjectId: row.subjectId })
  await claimKey(unit, key)
  await unit.workKeys.lock(workKeyOf(row))
  unit.workKeys.put(workKeyOf(row), undefined)
  unit.workKeys.put(key, row.id)
}

/** Locks a key that nobody has. Waits for who is about to take or to free it. @throws Violation when it is taken */
async function claimKey(unit: UnitOfWork, key: string): Promise<void> {
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

/** @throws Violation when there is such work already */
export async function insertWork(unit: UnitOfWork, { kind, subjectId, dueAt, addressee }: NewWork): Promise<void> {
  const key = workKeyOf({ kind, subjectId })
  await claimKey(unit, key)
  const id = unit.tables.nextId()
  unit.workKeys.put(key, id)
  await unit.work.lock(id)
  const fresh = { attempt: 0, token: undefined, failures: 0, lastError: undefined }
  unit.work.put(id, { ...fresh, id, kind, subjectId, dueAt, addressee })
}

/** What is there already becomes due at the earlier of both times, whoever holds it, and stays what it is otherwise. */
export async function addOrHasten(unit: UnitOfWork, work: readonly NewWork[]): Promise<void> {
  const seen = new Set<string>()
  for (const one of work) {
    const key = workKeyOf(one)
    if (seen.has(key)) throw new Violation('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time')
    seen.add(key)
    while (!(await addedOrHastened(unit, one, key))) {
      /* what stood in the way has gone: look again */
    }
  }
}

async function addedOrHastened(unit: UnitOfWork, work: NewWork, key: string): Promise<boolean> {
  const id = unit.workKeys.get(key)
  const holder = unit.workKeys.holder(key)
  if (id === undefined && holder) {
    await unit.waitFor(holder)
    return false
  }
  if (id === undefined) {
    await insertWork(unit, work)
    return true
  }
  await unit.work.lock(id)
  const row = unit.work.get(id)
  if (!row || workKeyOf(row) !== key) return false
  if (work.dueAt < row.dueAt) unit.work.put(id, { ...row, dueAt: work.dueAt })
  return true
}

function isLeftOut(tables: Tables, { kind, subjectId }: WorkRow, leftOut: LeftOut | undefined): boolean {
  if (kind === 'readRailCallback') {
    const message = tables.railCallbacks.rows.get(subjectId)
    return leftOut !== undefined && message !== undefined && leftOut.installations.includes(message.installation)
  }
  const transaction = leftOut && tables.transactions.rows.get(subjectId)?.transaction
  if (!transaction) return false
  const { railInstallation, railOrderId, providerCode } = transaction
  return railOrderId === undefined
    ? leftOut.providers.includes(providerCode)
    : railInstallation !== undefined && leftOut.installations.includes(railInstallation)
}

/** As storage/work-items.ts. */
export const createWorkQueue = (connection: Connection): WorkQueue => ({
  async claim(kind, claim, limit, leftOut) {
    const { work } = connection.tables
    const isClaimable = (row: WorkRow): boolean =>
      row.dueAt <= claim.now && !work.locks.has(row.id) && !isLeftOut(connection.tables, row, leftOut)
    const claimable = () => [...connection.tables.workOf(kind).values()].filter(isClaimable)
    if (!connection.tables.workOf(kind).values().some(isClaimable)) return []
    // One statement: what others have locked is passed over, and nobody can see it half done.
    const claimed = await connection.autocommit(CLAIM, () => {
      const rows = claimable().sort(byDueTime).slice(0, limit)
      return rows.map((row) => takeRow(connection, row, claim))
    })
    return claimed
  },

  nextDue: (kinds) => connection.autocommit(NEXT_DUE, () => nextDue(connection.tables, kinds)),

  claimFairly: (kind, claim, limit, rooms) => claimFairly(connection, kind, claim, limit, rooms),

  async renew(items, now, leaseUntil) {
    const { locks } = connection.tables.work
    await connection.autocommit(RENEW, (unit) =>
      forHeld(
        unit,
        items.filter(({ id }) => !locks.has(id)),
        (row) => (row.dueAt > now ? unit.work.put(row.id, { ...row, dueAt: leaseUntil }) : undefined),
      ),
    )
  },

  async release(items, dueAt) {
    await connection.autocommit(RELEASE, (unit) =>
      forHeld(unit, items, (row) => unit.work.put(row.id, { ...row, dueAt, token: undefined })),
    )
  },

  async releaseClaim(kind, { token, leaseUntil }, dueAt) {
    await connection.autocommit(RELEASE_CLAIM, async (unit) => {
      const ofClaim = (row: WorkRow | undefined): row is WorkRow =>
        row?.kind === kind && row.token === token && row.dueAt.getTime() === leaseUntil.getTime()
      for (const { id } of [...connection.tables.workOf(kind).values()].filter(ofClaim)) {
        await unit.work.lock(id)
        const row = unit.work.get(id)
        if (ofClaim(row)) unit.work.put(id, { ...row, dueAt, token: undefined })
      }
    })
  },

  async putAside(item, dueAt, reason) {
    await connection.autocommit(PUT_ASIDE, (unit) =>
      forHeld(unit, [item], (row) =>
        unit.work.put(row.id, { ...row, dueAt, token: undefined, failures: row.failures + 1, lastError: reason }),
      ),
    )
  },
})

function nextDue(tables: Tables, kinds: readonly WorkKind[]): ReadonlyMap<WorkKind, Date> {
  const next = new Map<WorkKind, Date>()
  for (const kind of kinds)
    for (const { dueAt } of tables.workOf(kind).values()) {
      const first = next.get(kind)
      if (!first || dueAt < first) next.set(kind, dueAt)
    }
  return next
}

/** Puts claimed work off, each to its own time. */
export async function postponeWork(unit: UnitOfWork, postponed: readonly Postponed[]): Promise<void> {
  for (const { item, dueAt } of postponed) {
    await forHeld(unit, [item], (row) =>
      unit.work.put(row.id, {
        ...row,
        dueAt,
        token: undefined,
        attempt: row.attempt - 1,
        addressee: item.addressee,
      }),
    )
  }
}
