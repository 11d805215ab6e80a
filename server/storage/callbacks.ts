import type { CallbackStore, DeliveryRecord, DueCallback, NewCallback, TransactionEvent, Unit } from '../actions/ports.ts'
import type { CallbackEvent } from '../domain/callback.ts'
import type { Transaction } from '../domain/transaction.ts'
import { coalesce } from './coalesce.ts'
import { available, inTransaction, isUnavailable, type Pool, type Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'
import { insertEvents } from './transactions.ts'
import { workStatements } from './work-items.ts'

export const callbackStatements = (client: Queryable): Pick<Unit, 'addCallbacks'> => ({
  async addCallbacks(callbacks, now) {
    if (callbacks.length === 0) return
    await client.query({
      name: 'add-callbacks',
      text: `
        with stored as (
          insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
          select webhook_id, transaction_id, merchant_id, event, url, body, 'PENDING', $2
          from json_to_recordset($1) as r(webhook_id text, transaction_id bigint, merchant_id bigint, event text, url text, body text)
          returning id
        )
        insert into work (kind, subject_id, due_at) select 'deliverCallback', id, $2 from stored`,
      values: [jsonRows(callbacks.map(toRow)), now],
    })
  },
})

const toRow = ({ webhookId, transactionId, merchantId, event, url, body }: NewCallback) =>
  ({ webhook_id: webhookId, transaction_id: transactionId, merchant_id: merchantId, event, url, body })

interface CallbackRow {
  readonly id: bigint
  readonly webhook_id: string
  readonly transaction_id: bigint
  readonly merchant_id: bigint
  readonly event: CallbackEvent
  readonly url: string
  readonly body: string
  readonly attempts: number
  readonly status: 'PENDING' | 'DELIVERED' | 'STOPPED'
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly type: Transaction['type']
}

export function createCallbackStore(pool: Pool): CallbackStore {
  const record = coalesce<DeliveryRecord, void>({
    batchMax: 64,
    runsMax: 2,
    run: async (deliveries) => {
      await inTransaction(pool, (client) => recordDeliveries(client, deliveries))
      return deliveries.map(() => undefined)
    },
    splitOn: (error) => !isUnavailable(error),
  })
  return { record, load: (ids) => available(() => loadDue(pool, ids)) }
}

async function loadDue(pool: Pool, ids: readonly bigint[]): Promise<DueCallback[]> {
  const { rows } = await pool.query<CallbackRow>({
    name: 'load-callbacks',
    text: `select c.id, c.webhook_id, c.transaction_id, c.merchant_id, c.event, c.url, c.body, c.attempts, c.status, t.merchant_reference, t.internal_reference, t.type
           from callbacks c join transactions t on t.id = c.transaction_id where c.id = any($1)`,
    values: [ids],
  })
  const ended = rows.filter(({ status }) => status !== 'PENDING').map(({ id }) => id)
  if (ended.length > 0) await pool.query(`delete from work where kind = 'deliverCallback' and subject_id = any($1)`, [ended])
  return rows.filter(({ status }) => status === 'PENDING').map(toDueCallback)
}

const toDueCallback = (row: CallbackRow): DueCallback => ({
  id: row.id,
  webhookId: row.webhook_id,
  transactionId: row.transaction_id,
  merchantId: row.merchant_id,
  event: row.event,
  url: row.url,
  body: row.body,
  attempts: row.attempts,
  status: row.status,
  signed: {
    merchantReference: row.merchant_reference,
    internalReference: row.internal_reference,
    type: row.type,
    // What this callback tells, not what the transaction may have become since.
    status: (JSON.parse(row.body) as { payload: { transaction_status: Transaction['status'] } }).payload.transaction_status,
  },
})

async function recordDeliveries(client: Queryable, deliveries: readonly DeliveryRecord[]): Promise<void> {
  const work = workStatements(client)
  const held = new Set((await work.holdWork(deliveries.map(({ item }) => item))).map(({ id }) => id))
  const ours = deliveries.filter(({ item }) => held.has(item.id))
  if (ours.length === 0) return
  await client.query({ name: 'record-deliveries', text: RECORD_DELIVERIES, values: [jsonRows(ours.map(deliveryRow))] })
  await insertEvents(client, deliveryEvents(ours), ours[0]!.attempt.at)
}

// A finished delivery loses its work; one to be retried gets a new due time.
const RECORD_DELIVERIES = `
  with r as materialized (
    select * from json_to_recordset($1) as r(work_id bigint, callback_id bigint, attempt int, at timestamptz, duration_ms int, http_status int,
      error text, reply_excerpt text, status text, next_at timestamptz)
  ), attempts as (
    insert into callback_attempts (callback_id, attempt, at, duration_ms, http_status, error, reply_excerpt)
    select callback_id, attempt, at, duration_ms, http_status, error, reply_excerpt from r
  ), done as (
    delete from work using r where work.id = r.work_id and r.next_at is null
  ), again as (
    update work set due_at = r.next_at from r where work.id = r.work_id and r.next_at is not null
  )
  update callbacks c set attempts = r.attempt, status = r.status, finished_at = case when r.next_at is null then r.at end
  from r where c.id = r.callback_id`

function deliveryRow({ item, attempt: a, next }: DeliveryRecord) {
  const ended = next.step === 'delivered' ? 'DELIVERED' : 'STOPPED'
  const nextAt = next.step === 'retry' ? new Date(a.at.getTime() + a.durationMs + next.afterMs) : undefined
  return {
    work_id: item.id, callback_id: a.callbackId, attempt: a.attempt, at: a.at, duration_ms: a.durationMs, http_status: a.httpStatus, error: a.error,
    reply_excerpt: a.replyExcerpt, status: nextAt ? 'PENDING' : ended, next_at: nextAt,
  }
}

const deliveryEvents = (deliveries: readonly DeliveryRecord[]): TransactionEvent[] => deliveries.map(({ callback, attempt, next }) => {
  const answer = attempt.httpStatus === undefined ? attempt.error ?? 'no reply' : `HTTP ${attempt.httpStatus}`
  const then = next.step === 'delivered' ? 'acknowledged' : next.step === 'stopped' ? next.why : `next attempt in ${Math.round(next.afterMs / 1000)} s`
  return { transactionId: callback.transactionId, kind: `callback_${next.step}`, detail: `${callback.event}, attempt ${attempt.attempt}: ${answer}; ${then}` }
})
