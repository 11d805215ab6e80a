import type {
  AddressedCallback,
  CallbackStore,
  DeliveryRecord,
  DueCallback,
  CallbackWrites,
} from '../../../actions/ports/callbacks.ts'
import { claimName, type Job, type RescheduledJob } from '../../../actions/ports/jobs.ts'
import { destinationOf } from '../../../domain/destination.ts'
import { statusReported } from '../../../domain/callback.ts'
import {
  deliveryEvent,
  deliveryState,
  numberDeliveries,
  resentEvent,
  urlKnownAt,
  WITHHELD_STATUS,
  withheldEvent,
  type NumberedDelivery,
} from '../../../domain/deliveries.ts'
import { present } from '../../../domain/present.ts'
import type { OrderType } from '../../../domain/provider.ts'
import type { Connection } from './connection.ts'
import { gatherAll } from './gather.ts'
import type { CallbackRow, JobRow } from './world.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'
import {
  deleteJobs,
  deleteJobsOf,
  addOrHasten,
  finishHeld,
  releaseJobs,
  holdJobs,
  insertJobs,
  isHeld,
  lockJobsOf,
  rescheduleJobs,
  workOf,
} from './jobs.ts'

/** As storage/callbacks.ts. */
export const callbackStatements = (unit: MemoryUnitOfWork): CallbackWrites => ({
  addCallbacks: (callbacks, now) =>
    unit.about(callbacks, [], 'write', 'addCallbacks', async () => {
      const stored: CallbackRow[] = []
      for (const callback of callbacks) stored.push(await insertCallback(unit, callback, now))
      return stored.filter(({ status }) => status === WITHHELD_STATUS)
    }),
})

async function insertCallback(
  unit: MemoryUnitOfWork,
  { webhookId, transactionId, merchantId, event, type, body, destination }: AddressedCallback,
  now: Date,
): Promise<CallbackRow> {
  const id = unit.tables.nextId()
  if (!(await unit.webhookIds.claim(webhookId, id))) throw duplicate(`callback ${webhookId}`)
  const url = unit.tables.callbackUrls.get(urlKey(merchantId, type))
  const row: CallbackRow = {
    id,
    webhookId,
    transactionId,
    merchantId,
    event,
    url: url ?? '',
    body,
    attempts: 0,
    attemptsBefore: 0,
    resends: 0,
    status: url === undefined ? WITHHELD_STATUS : 'PENDING',
    createdAt: now,
    finishedAt: url === undefined ? now : undefined,
  }
  await unit.callbacks.write(id, row)
  if (url !== undefined) await insertJobs(unit, { kind: 'deliverCallback', subjectId: id, dueAt: now, destination })
  return row
}

/** As storage/callbacks.ts. */
export function createCallbackStore(connection: Connection): CallbackStore {
  const record = gatherAll<DeliveryRecord>({
    batchMax: 64,
    runsMax: 2,
    run: (deliveries) => connection.transaction((unit) => recordDeliveries(unit, deliveries)),
  })
  const reschedule = gatherAll<RescheduledJob>({
    batchMax: 256,
    runsMax: 1,
    run: (rescheduled) =>
      connection.autocommit('write', 'postpone callbacks', (unit) => rescheduleJobs(unit, rescheduled)),
  })
  const withhold = gatherAll<PausedCallback>({
    batchMax: 256,
    runsMax: 1,
    run: (items) => connection.transaction((unit) => withholdAll(unit, items)),
  })
  return {
    record,
    withhold: (item, callback, now) => withhold({ item, callback, now }),
    load: (items) => load(connection, items),
    reschedule: (item, dueAt) => reschedule({ item, dueAt }),
  }
}

interface PausedCallback {
  readonly item: Job
  readonly callback: DueCallback
  readonly now: Date
}

async function load(connection: Connection, items: readonly Job[]): Promise<DueCallback[]> {
  await connection.step('read', 'load callbacks')
  const { callbacks, transactions } = connection.tables
  const rows = items
    .flatMap(({ subjectId }) => callbacks.get(subjectId) ?? [])
    .filter(({ transactionId }) => transactions.has(transactionId))
  const ended = new Set(rows.filter(({ status }) => status !== 'PENDING').map(({ id }) => id))
  const over = items.filter(({ subjectId }) => ended.has(subjectId))
  if (over.length > 0)
    await connection.autocommit('write', 'end work of ended callbacks', (unit) => finishHeld(unit, over))
  return rows.filter(({ status }) => status === 'PENDING').map((row) => toDueCallback(connection, row))
}

function toDueCallback({ tables }: Connection, row: CallbackRow): DueCallback {
  const { finishedAt: _finishedAt, ...callback } = row
  const { transaction } = tables.transactions.existing(row.transactionId)
  const { merchantReference, internalReference, type, account, traceparent } = transaction
  return {
    ...callback,
    hadUrl: row.url !== '',
    signed: { merchantReference, internalReference, type, status: statusReported(row.event, transaction) },
    account,
    ...(traceparent !== undefined && { traceparent }),
  }
}

async function withholdAll(unit: MemoryUnitOfWork, withheld: readonly PausedCallback[]): Promise<void> {
  const { now } = present(withheld[0], 'a callback to withhold')
  const items = withheld.map(({ item }) => item)
  const held = new Set(
    (await unit.statement('lock', 'hold work of withheld callbacks', () => holdJobs(unit, items))).map(({ id }) => id),
  )
  const ours = new Map(
    withheld.filter(({ item }) => held.has(item.id)).map(({ item, callback }) => [callback.id, item.id]),
  )
  await unit.statement('lock', 'lock withheld callbacks', () =>
    unit.callbacks.lockAll([...ours.keys()].sort(ascending)),
  )
  const stopped = await unit.statement('write', 'withhold callbacks', async () => {
    const rows: CallbackRow[] = []
    for (const [id, workId] of ours)
      if (await stopUnlessUrl(unit, id, workId, now)) rows.push(unit.callbacks.existing(id))
    return rows
  })
  await unit.statement('write', 'events of withheld callbacks', () => {
    for (const callback of stopped) unit.events.push({ ...withheldEvent(callback), at: now })
  })
}

/** @returns whether it was stopped; if its merchant has a URL by now, it is rescheduled to a moment later instead */
async function stopUnlessUrl(unit: MemoryUnitOfWork, id: bigint, workId: bigint, now: Date): Promise<boolean> {
  const callback = unit.callbacks.existing(id)
  const work = unit.work.existing(workId)
  const { type } = unit.transactions.existing(callback.transactionId).transaction
  if (unit.tables.callbackUrls.has(urlKey(callback.merchantId, type))) {
    unit.work.put(workId, { ...work, dueAt: urlKnownAt(now) })
    return false
  }
  await deleteJobs(unit, work)
  unit.callbacks.put(id, { ...callback, status: WITHHELD_STATUS, finishedAt: now })
  return true
}

/** The job of a callback that is to be delivered. */
const deliveryJob = (unit: MemoryUnitOfWork, callbackId: bigint): JobRow =>
  present(workOf(unit, 'deliverCallback', callbackId), 'the work of a callback')

/** The key under which the world lists the callback URLs of merchants. */
export const urlKey = (merchantId: bigint, type: OrderType): string => `${merchantId}:${type}`

const destinationOfCallback = (unit: MemoryUnitOfWork, callbackId: bigint): string => {
  const { merchantId, transactionId } = unit.callbacks.existing(callbackId)
  return destinationOf(merchantId, unit.transactions.existing(transactionId).transaction.type)
}

/** Resends callbacks in any state, as staff do. Lock order: jobs before callbacks, and each in the order of ids. */
export const resendCallbacks = (
  connection: Connection,
  ids: readonly bigint[],
  now: Date,
  dueAt: Date,
): Promise<void> =>
  connection.transaction(async (unit) => {
    const sorted = ids.toSorted(ascending)
    await unit.statement('lock', 'lock work of resent callbacks', () => lockJobsOf(unit, 'deliverCallback', sorted))
    await unit.statement('write', 'work of resent callbacks', () =>
      addOrHasten(
        unit,
        sorted.map((subjectId) => ({
          kind: 'deliverCallback',
          subjectId,
          dueAt,
          destination: destinationOfCallback(unit, subjectId),
        })),
      ),
    )
    await unit.statement('write', 'free work of resent callbacks', () => {
      for (const id of sorted) releaseJobs(unit, deliveryJob(unit, id))
    })
    await unit.statement('write', 'resend callbacks', async () => {
      await unit.callbacks.lockAll(sorted)
      for (const id of sorted) {
        const callback = unit.callbacks.existing(id)
        unit.callbacks.put(id, {
          ...callback,
          status: 'PENDING',
          finishedAt: undefined,
          resends: callback.resends + 1,
          attemptsBefore: callback.attempts,
        })
        unit.events.push({ ...resentEvent(callback), at: now })
      }
    })
  })

async function recordDeliveries(unit: MemoryUnitOfWork, deliveries: readonly DeliveryRecord[]): Promise<void> {
  const ids = [...new Set(deliveries.map(({ callback }) => callback.id))].sort(ascending)
  await unit.statement('lock', 'hold work of deliveries', () => lockJobsOf(unit, 'deliverCallback', ids))
  const held = new Set(
    deliveries
      .map(({ item }) => item)
      .filter((item) => isHeld(unit, item))
      .map(claimName),
  )
  const others = ids.filter((id) => !workOf(unit, 'deliverCallback', id))
  if (others.length > 0)
    await unit.statement('lock', 'lock callbacks without work', () => unit.callbacks.lockAll(others))
  const numbered = await unit.statement('read', 'read callbacks', () =>
    numberDeliveries(
      deliveries,
      ({ item }) => held.has(claimName(item)),
      new Map(ids.map((id) => [id, unit.callbacks.existing(id)])),
    ),
  )
  await unit.statement('write', 'record deliveries', async () => {
    await unit.callbacks.lockAll(ids)
    for (const delivery of numbered) await store(unit, delivery)
  })
  const { at } = present(numbered[0], 'a delivery to record').attempt
  await unit.statement('write', 'events of deliveries', () => {
    for (const delivery of numbered) unit.events.push({ ...deliveryEvent(delivery), at })
  })
}

/**
 * Deletes the job of a finished delivery; sets a new due time for one to be retried; an attempt that decides nothing
 * leaves both to whoever holds the job.
 */
async function store(
  unit: MemoryUnitOfWork,
  { callback: { id }, attempt, next, number, decides }: NumberedDelivery<DeliveryRecord>,
): Promise<void> {
  await unit.callbackAttempts.lock(id)
  unit.callbackAttempts.put(id, [...(unit.callbackAttempts.get(id) ?? []), { ...attempt, attempt: number }])
  const callback = { ...unit.callbacks.existing(id), attempts: number }
  unit.callbacks.put(id, callback)
  if (!decides) return
  const { status, nextAt } = deliveryState(attempt, next)
  unit.callbacks.put(id, { ...callback, status, finishedAt: nextAt ? undefined : attempt.at })
  if (!nextAt) return deleteJobsOf(unit, ['deliverCallback'], [id])
  const work = deliveryJob(unit, id)
  unit.work.put(work.id, { ...work, dueAt: nextAt, token: undefined, failures: 0, lastError: undefined })
}
