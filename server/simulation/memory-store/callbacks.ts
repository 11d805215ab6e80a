import type { CallbackStore, DeliveryRecord, DueCallback, NewCallback, TransactionEvent, Unit, WorkItem } from '../../actions/ports.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { Connection, Step } from './connection.ts'
import { gather } from './gather.ts'
import type { AttemptRow, CallbackRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'
import { deleteWork, deleteWorkOf, holdWork, insertWork, postponeWork } from './work-items.ts'

const ADD: Step = { what: 'addCallbacks', kind: 'write' }
const LOAD: Step = { what: 'load callbacks', kind: 'read' }
const END_WORK: Step = { what: 'end work of ended callbacks', kind: 'write' }
const HOLD: Step = { what: 'hold work of deliveries', kind: 'lock' }
const LOCK: Step = { what: 'lock callbacks', kind: 'lock' }
const RECORD: Step = { what: 'record deliveries', kind: 'write' }
const ADD_EVENTS: Step = { what: 'events of deliveries', kind: 'write' }
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
  return { record, load: (ids) => load(connection, ids), postpone: (item, dueAt) => postpone({ item, dueAt }) }
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
  return { ...callback, signed: { merchantReference, internalReference, type, status: payload.transaction_status } }
}

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
