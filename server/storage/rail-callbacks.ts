import { createHash } from 'node:crypto'
import {
  MESSAGES_COUNTED_MS,
  messagesMax,
  messagesRefused,
  type CallbackResult,
  type RailCallback,
  type RailCallbackStore,
  type Reception,
  type RailCallbackWrites,
} from '../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../actions/ports/rail-references.ts'
import type { TransactionEvent } from '../actions/ports/transactions.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { EXCHANGES_KEPT_MS } from './operator-exchanges.ts'
import { available, inTransaction, type Connections, type Queryable } from './pool.ts'
import { railCallback } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'
import { insertEvents } from './transactions.ts'

/**
 * Retention of messages that were read, for deduplication: the same as for operator exchanges. Unread messages are
 * kept.
 */
export const CALLBACKS_KEPT_MS = EXCHANGES_KEPT_MS

interface CallbackRow {
  readonly id: bigint
  readonly rail_account: string
  readonly transaction_id: bigint
  readonly order_id: string
  readonly tail: string
  readonly method: 'POST' | 'PUT'
  readonly sealed_body: Uint8Array
}

/** @param wake wakes the job for a message that was stored */
export const createRailCallbackStore = (pool: Connections, box: SecretBox, wake: Wake): RailCallbackStore => ({
  receive: (callback, now) =>
    available(async () => {
      const reception = await insertCallback(pool, box, callback, now)
      if (reception === 'stored') wake.wake('readRailCallback', now)
      return reception
    }),

  load: (items) =>
    available(async () => {
      const { rows } = await pool.query<CallbackRow>(
        `select id, rail_account, transaction_id, order_id, tail, method, sealed_body
         from rail_callbacks where id = any($1) and sealed_body is not null`,
        [items.map(({ subjectId }) => subjectId)],
      )
      return rows.map((row) => ({
        id: row.id,
        railAccount: row.rail_account,
        transactionId: row.transaction_id,
        orderId: row.order_id,
        method: row.method,
        ...(row.tail !== '' && { tail: row.tail }),
        body: box.open(row.sealed_body, railCallback(row.order_id)),
      }))
    }),

  transactionsCalled: (railAccount, references) =>
    available(async () => {
      if (references.length === 0) return []
      const { rows } = await pool.query<{ transaction_id: bigint }>(
        // Excludes the payer reference: a merchant chooses what its payer reads, which may equal the operator's id of
        // another order.
        `select distinct transaction_id from rail_references
         where reference = any($2) and rail_account = $1 and name <> '${PAYER_REFERENCE}'`,
        [railAccount, references],
      )
      return rows.map(({ transaction_id }) => transaction_id)
    }),
})

interface ReceivedRow {
  /** Null: this rail account has no such order. */
  readonly transaction_id: bigint | null
  readonly is_stored: boolean
  readonly is_known: boolean
  readonly is_full: boolean
  readonly is_recorded: boolean
}

/** One statement, so that a message and its job are committed together. */
async function insertCallback(
  pool: Connections,
  box: SecretBox,
  callback: RailCallback,
  now: Date,
): Promise<Reception> {
  const { railAccount, orderId, method, tail = '', body, hasVerdict = false, orderedUntilMs } = callback
  const refused = messagesRefused(hasVerdict)
  const { rows } = await pool.query<ReceivedRow>(
    `with owner as (
       select transaction_id from rail_references
       where reference = $2 and name = '${OUR_REFERENCE}' and rail_account = $1
         and recorded_at <= coalesce($9::timestamptz, 'infinity')
       limit 1
     ), before as (
       select coalesce(bool_or(c.tail = $3 and c.digest = $5), false) as is_known,
         count(*) filter (where c.has_verdict = $8 and c.received_at > $10 and c.received_at <= $7) >= $11 as is_full
       from rail_callbacks c join owner using (transaction_id) where c.order_id = $2
     ), kept as (
       insert into rail_callbacks
         (rail_account, transaction_id, order_id, tail, method, digest, sealed_body, received_at, has_verdict)
       select $1, transaction_id, $2, $3, $4, $5, $6, $7, $8 from owner, before where not (is_known or is_full)
       on conflict do nothing returning id
     ), due as (
       insert into jobs (kind, subject_id, due_at) select 'readRailCallback', id, $7 from kept
     )
     select (select transaction_id from owner), exists (select from kept) as is_stored, is_known, is_full,
       is_full and exists (
         select from transaction_events join owner using (transaction_id) where kind = $12 and detail = $13
       ) as is_recorded
     from before`,
    [
      railAccount,
      orderId,
      tail,
      method,
      createHash('sha256').update(`${method}\n${body}`).digest(),
      box.seal(body, railCallback(orderId)),
      now,
      hasVerdict,
      orderedUntilMs === undefined ? null : new Date(orderedUntilMs),
      new Date(now.getTime() - MESSAGES_COUNTED_MS),
      messagesMax(callback),
      refused.kind,
      refused.detail,
    ],
  )
  const [row] = rows
  if (!row || row.transaction_id === null) return 'unknown_order'
  if (row.is_stored) return 'stored'
  if (row.is_known || !row.is_full) return 'known'
  if (!row.is_recorded) await recordRefusal(pool, { transactionId: row.transaction_id, ...refused }, now)
  return 'too_many'
}

/** Records the event once, even under concurrency: the second caller finds the event of the first. */
const recordRefusal = (pool: Connections, event: TransactionEvent, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { transactionId, kind, detail } = event
    await client.query(
      `select from rail_references where transaction_id = $1 and name = '${OUR_REFERENCE}' order by reference for update`,
      [transactionId],
    )
    const { rowCount } = await client.query(
      'select from transaction_events where transaction_id = $1 and kind = $2 and detail = $3 limit 1',
      [transactionId, kind, detail],
    )
    if (rowCount === 0) await insertEvents(client, [event], now)
  })

/** A message that was read stays for deduplication, without its text. */
export const railCallbackStatements = (client: Queryable): RailCallbackWrites => ({
  async endRailCallback(id: bigint, result: CallbackResult, now: Date) {
    await client.query('update rail_callbacks set sealed_body = null, result = $2, read_at = $3 where id = $1', [
      id,
      result,
      now,
    ])
  },
})
