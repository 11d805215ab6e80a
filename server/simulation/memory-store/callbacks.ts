import type { CallbackStore, DeliveryRecord, DueCallback, NewCallback, TransactionEvent, Unit, WorkItem } from '../../actions/ports.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { Connection, Step } from './connection.ts'
import { gather } from './gather.ts'
import type { AttemptRow, CallbackRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'
import { deleteWork, deleteWorkOf, addOrHasten, holdWork, insertWork, lockWorkOf, postponeWork } from './work-items.ts'

const ADD: Step = { what: 'addCallbacks', kind: 'write' }
const LOAD: Step = { what: 'load callbacks', kind: 'read' }
const END_WORK: Step = { what: 'end work of ended callbacks', kind: 'write' }
const HOLD: Step = { what: 'hold work of deliveries', kind: 'lock' }
const LOCK: Step = { what: 'lock callbacks', kind: 'lock' }
const RECORD: Step = { what: 'record deliveries', kind: 'write' }
const ADD_EVENTS: Step = { what: 'events of deliveries', kind: 'write' }
const HOLD_WITHHELD: Step = { what: 'hold work of withheld callbacks', kind: 'lock' }
const LOCK_WITHHELD: Step = { what: 'lock withheld callbacks', kind: 'lock' }
const WITHHOLD: Step = { what: 'withhold callbacks', kind: 'write' }
const ADD_WITHHELD: Step = { what: 'events of withheld callbacks', kind: 'write' }
const LOCK_RESENT_WORK: Step = { what: 'lock work of resent callbacks', kind: 'lock' }
const ADD_RESENT_WORK: Step = { what: 'work of resent callbacks', kind: 'write' }
const RESEND: Step = { what: 'resend callbacks', kind: 'write' }
const POSTPONE: Step = { what: 'postpone callbacks', kind: 'write' }

export const callbackStatements = (unit: UnitOfWork): Pick<Unit, 'addCallbacks'> => ({
  async addCallbacks(callbacks, now) {
    if (callbacks.length === 0) return
    await unit.statement(ADD, async () => {
      for (const callback of callbacks) await insertCallback(unit, callback, now)
    })
  },
})

async function insertCallback(unit: UnitOfWork, { webhookId, transactionId, merchantId, event, url, body }: NewCallback, now: Date): Promise<void> {
  await unit.webhookIds.lock(webhookId)
  if (unit.webhookIds.get(webhookId) !== undefined) throw duplicate(`callback ${webhookId}`)
  const id = unit.tables.nextId()
  await unit.callbacks.lock(id)
  unit.webhookIds.put(webhookId, id)
  unit.callbacks.put(id, {
    id, webhookId, transactionId, merchantId, event, url, body, attempts: 0, status: 'PENDING', createdAt: now, finishedAt: undefined,
  })
  await insertWork(unit, { kind: 'deliverCallback', subjectId: id, dueAt: now })
}

export function createCallbackStore(connection: Connection): CallbackStore {
  const record = gather<DeliveryRecord, void>({
    batchMax: 64,
    runsMax: 2,
    run: async (deliveries) => {
      await connection.transaction((unit) => recordDeliveries(unit, deliveries))
      return deliveries.map(() => undefined)
    },
  })
  const postpone = gather<{ readonly item: WorkItem; readonly dueAt: Date }, void>({
    batchMax: 256,
    runsMax: 1,
    run: async (postponed) => {
      await connection.autocommit(POSTPONE, (unit) => postponeWork(unit, postponed))
      return postponed.map(() => undefined)
    },
  })
  const withhold = gather<Withheld, void>({
    batchMax: 256,
    runsMax: 1,
    run: async (items) => {
      await connection.transaction((unit) => withholdAll(unit, items))
      return items.map(() => undefined)
    },
  })
  return {
    record,
    withhold: (item, callback, now) => withhold({ item, callback, now }),
    load: (ids) => load(connection, ids),
    postpone: (item, dueAt) => postpone({ item, dueAt }),
  }
}

interface Withheld {
  readonly item: WorkItem
  readonly callback: DueCallback
  readonly now: Date
}

async function load(connection: Connection, ids: readonly bigint[]): Promise<DueCallback[]> {
  await connection.step(LOAD)
  const { callbacks, transactions } = connection.tables
  const rows = [...new Set(ids)].flatMap((id) => callbacks.rows.get(id) ?? []).filter(({ transactionId }) => transactions.rows.has(transactionId))
  const ended = rows.filter(({ status }) => status !== 'PENDING').map(({ id }) => id)
  if (ended.length > 0) await connection.autocommit(END_WORK, (unit) => deleteWorkOf(unit, ['deliverCallback'], ended))
  return rows.filter(({ status }) => status === 'PENDING').map((row) => toDueCallback(connection, row))
}

function toDueCallback({ tables }: Connection, row: CallbackRow): DueCallback {
  const { finishedAt: _finishedAt, ...callback } = row
  const { merchantReference, internalReference, type } = tables.transactions.rows.get(row.transactionId)!.transaction
  // What this callback tells, not what the transaction may have become since.
  const { payload } = JSON.parse(row.body) as { payload: { transaction_status: TransactionStatus } }
  return { ...callback, hadUrl: row.url !== '', signed: { merchantReference, internalReference, type, status: payload.transaction_status } }
}

/** Merchants are read again within a second. */
const URL_KNOWN_AFTER_MS = 1_000

async function withholdAll(unit: UnitOfWork, withheld: readonly Withheld[]): Promise<void> {
  const { now } = withheld[0]!
  const held = new Set((await unit.statement(HOLD_WITHHELD, () => holdWork(unit, withheld.map(({ item }) => item)))).map(({ id }) => id))
  const ours = new Map(withheld.filter(({ item }) => held.has(item.id)).map(({ item, callback }) => [callback.id, item.id]))
  await unit.statement(LOCK_WITHHELD, async () => {
    for (const id of [...ours.keys()].sort((a, b) => (a < b ? -1 : 1))) await unit.callbacks.lock(id)
  })
  const stopped = await unit.statement(WITHHOLD, async () => {
    const rows: CallbackRow[] = []
    for (const [id, workId] of ours) if (await stopUnlessUrl(unit, id, workId, now)) rows.push(unit.callbacks.get(id)!)
    return rows
  })
  await unit.statement(ADD_WITHHELD, () => {
    for (const { transactionId, event } of stopped) {
      unit.events.push({ transactionId, at: now, kind: 'callback_stopped', detail: `${event}: the merchant has no URL for it; it goes out when one is set and it is resent` })
    }
  })
}

/** @returns whether it was stopped; where its merchant has a URL by now it is put off for a moment instead */
async function stopUnlessUrl(unit: UnitOfWork, id: bigint, workId: bigint, now: Date): Promise<boolean> {
  const callback = unit.callbacks.get(id)!
  const work = unit.work.get(workId)!
  const { type } = unit.transactions.get(callback.transactionId)!.transaction
  if (unit.tables.callbackUrls.has(urlKey(callback.merchantId, type))) {
    unit.work.put(workId, { ...work, dueAt: new Date(now.getTime() + URL_KNOWN_AFTER_MS) })
    return false
  }
  await deleteWork(unit, work)
  unit.callbacks.put(id, { ...callback, status: 'STOPPED', finishedAt: now })
  return true
}

/** As the world lists the callback URLs of merchants. */
export const urlKey = (merchantId: bigint, type: TransactionType): string => `${merchantId}:${type}`

/** As an operator does it, whatever became of them before. Work before callbacks, and each in the order of ids. */
export const resendCallbacks = (connection: Connection, ids: readonly bigint[], now: Date, dueAt: Date): Promise<void> => connection.transaction(async (unit) => {
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1))
  await unit.statement(LOCK_RESENT_WORK, () => lockWorkOf(unit, 'deliverCallback', sorted))
  await unit.statement(ADD_RESENT_WORK, () => addOrHasten(unit, sorted.map((subjectId) => ({ kind: 'deliverCallback', subjectId, dueAt }))))
  await unit.statement(RESEND, async () => {
    for (const id of sorted) await unit.callbacks.lock(id)
    for (const id of sorted) {
      const callback = unit.callbacks.get(id)!
      unit.callbacks.put(id, { ...callback, status: 'PENDING', finishedAt: undefined })
      unit.events.push({ transactionId: callback.transactionId, at: now, kind: 'callback_resent', detail: `${callback.event}: an operator sends it again` })
    }
  })
})

interface Numbered extends DeliveryRecord {
  readonly number: number
  readonly held: boolean
}

async function recordDeliveries(unit: UnitOfWork, deliveries: readonly DeliveryRecord[]): Promise<void> {
  const items = await unit.statement(HOLD, () => holdWork(unit, deliveries.map(({ item }) => item)))
  const held = new Set(items.map(claimOf))
  const numbered = await unit.statement(LOCK, () => numberAttempts(unit, deliveries, held))
  await unit.statement(RECORD, async () => {
    for (const delivery of numbered) await store(unit, delivery)
  })
  const { at } = numbered[0]!.attempt
  await unit.statement(ADD_EVENTS, () => {
    for (const delivery of numbered) unit.events.push({ ...deliveryEvent(delivery), at })
  })
}

const claimOf = ({ id, token }: WorkItem): string => `${id}:${token}`

/** An attempt was made, whoever holds the work now: it is numbered as it is stored, and only the holder decides what comes next. */
async function numberAttempts(unit: UnitOfWork, deliveries: readonly DeliveryRecord[], held: ReadonlySet<string>): Promise<Numbered[]> {
  const before = new Map<bigint, number>()
  for (const id of [...new Set(deliveries.map(({ callback }) => callback.id))].sort((a, b) => (a < b ? -1 : 1))) {
    await unit.callbacks.lock(id)
    before.set(id, unit.callbacks.get(id)!.attempts)
  }
  return deliveries.map((delivery) => {
    const number = before.get(delivery.callback.id)! + 1
    before.set(delivery.callback.id, number)
    return { ...delivery, number, held: held.has(claimOf(delivery.item)) }
  })
}

/** A finished delivery loses its work; one to be retried gets a new due time; one whose lease was lost leaves both to the new holder. */
async function store(unit: UnitOfWork, { item, callback: { id }, attempt, next, number, held }: Numbered): Promise<void> {
  await unit.callbackAttempts.lock(id)
  const row: AttemptRow = { ...attempt, attempt: number }
  unit.callbackAttempts.put(id, [...unit.callbackAttempts.get(id) ?? [], row])
  const callback = { ...unit.callbacks.get(id)!, attempts: number }
  unit.callbacks.put(id, callback)
  if (!held) return
  const work = unit.work.get(item.id)!
  if (next.step === 'retry') {
    const dueAt = new Date(attempt.at.getTime() + attempt.durationMs + next.afterMs)
    unit.work.put(item.id, { ...work, dueAt, token: undefined, failures: 0, lastError: undefined })
    unit.callbacks.put(id, { ...callback, status: 'PENDING', finishedAt: undefined })
    return
  }
  await deleteWork(unit, work)
  unit.callbacks.put(id, { ...callback, status: next.step === 'delivered' ? 'DELIVERED' : 'STOPPED', finishedAt: attempt.at })
}

function deliveryEvent({ callback, attempt, next, number, held }: Numbered): TransactionEvent {
  const answer = attempt.httpStatus === undefined ? attempt.error ?? 'no reply' : `HTTP ${attempt.httpStatus}`
  return { transactionId: callback.transactionId, kind: `callback_${next.step}`, detail: `${callback.event}, attempt ${number}: ${answer}; ${thenText(next, held)}` }
}

function thenText(next: DeliveryRecord['next'], held: boolean): string {
  if (!held) return 'another attempt is under way'
  if (next.step === 'delivered') return 'acknowledged'
  return next.step === 'stopped' ? next.why : `next attempt in ${Math.round(next.afterMs / 1000)} s`
}
