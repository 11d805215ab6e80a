import { createHash } from 'node:crypto'
import {
  ACCOUNT_MESSAGES_MAX,
  type AccountMessageStore,
  type AccountOrderIds,
} from '../actions/ports/account-messages.ts'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../actions/ports/rail-references.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { ACCOUNT_ADDRESS } from '../domain/callback-tokens.ts'
import { available, type Connections } from './pool.ts'
import { railCallback } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** No order has this id: a message of a rail account opens as that of no order. */
const PLACE = railCallback(ACCOUNT_ADDRESS)

interface MessageRow {
  readonly id: bigint
  readonly rail_account: string
  readonly tail: string
  readonly method: 'POST' | 'PUT'
  readonly sealed_body: Uint8Array
}

/** @param wake wakes the job for a message that was stored */
export const createAccountMessageStore = (pool: Connections, box: SecretBox, wake: Wake): AccountMessageStore => ({
  receive: (message, now) =>
    available(async () => {
      const reception = await insertMessage(pool, box, message, now)
      if (reception === 'stored') wake.wake('readAccountMessage', now)
      return reception
    }),

  load: (id) =>
    available(async () => {
      const { rows } = await pool.query<MessageRow>(
        `select id, rail_account, tail, method, sealed_body from account_messages
         where id = $1 and sealed_body is not null`,
        [id],
      )
      const [row] = rows
      return (
        row && {
          id: row.id,
          railAccount: row.rail_account,
          method: row.method,
          ...(row.tail !== '' && { tail: row.tail }),
          body: box.open(row.sealed_body, PLACE),
        }
      )
    }),

  end: (id, result, now) =>
    available(async () => {
      await pool.query('update account_messages set sealed_body = null, result = $2, read_at = $3 where id = $1', [
        id,
        result,
        now,
      ])
    }),

  orderCalled: (railAccount, ids) => available(() => orderCalled(pool, railAccount, ids)),

  isAwaited: (railAccount, payerReference, receipt) =>
    available(async () => {
      const { rows } = await pool.query(
        `select from rail_references r join transactions t on t.id = r.transaction_id
         where upper(r.reference) = upper($2) and r.name = '${PAYER_REFERENCE}' and r.rail_account = $1
           and t.type in ('COLLECTION', 'ATTEMPT') and (t.status in ('PENDING', 'PROCESSING')
             or (t.status = 'COMPLETED' and r.recorded_at > $4 and not exists (
               select from rail_references x where x.transaction_id = t.id and x.name = $3))) limit 1`,
        [railAccount, payerReference, receipt?.name, receipt?.since],
      )
      return rows.length > 0
    }),
})

async function insertMessage(
  pool: Connections,
  box: SecretBox,
  { railAccount, method, tail = '', body, isAcknowledged = false }: Omit<RailCallback, 'orderId'>,
  now: Date,
): Promise<Reception> {
  const digest = createHash('sha256').update(`${method}\n${body}`).digest()
  const { rows } = await pool.query<{ is_stored: boolean; is_full: boolean; is_known: boolean }>(
    `with waiting as (
       select count(*) >= $8 as is_full from (
         select from account_messages where rail_account = $1 and sealed_body is not null limit $8) w
     ), kept as (
       insert into account_messages (rail_account, tail, method, digest, sealed_body, received_at)
       select $1, $2, $3, $4, $5, $6 from waiting where $7 or not is_full on conflict do nothing returning id
     ), due as (
       insert into jobs (kind, subject_id, due_at) select 'readAccountMessage', id, $6 from kept
     )
     select exists (select from kept) as is_stored, is_full, exists (
       select from account_messages where rail_account = $1 and tail = $2 and digest = $4) as is_known from waiting`,
    [railAccount, tail, method, digest, box.seal(body, PLACE), now, isAcknowledged, ACCOUNT_MESSAGES_MAX],
  )
  const [row] = rows
  if (row?.is_stored) return 'stored'
  return row?.is_full && !row.is_known ? 'too_many' : 'known'
}

/** Of several ids of ours, the latest. */
async function orderCalled(
  pool: Connections,
  railAccount: string,
  { orderId, externalIds }: AccountOrderIds,
): Promise<string | undefined> {
  const ours = orderId?.toLowerCase()
  const { rows } = await pool.query<{ order_id: string }>(
    `with called as (
       select distinct transaction_id from rail_references
       where rail_account = $1 and reference = any($3)
         and case when $2::text is null then name not in ('${OUR_REFERENCE}', '${PAYER_REFERENCE}')
           else name = '${OUR_REFERENCE}' end
     )
     select coalesce($2, reference) as order_id from rail_references
     where name = '${OUR_REFERENCE}' and rail_account = $1
       and transaction_id = (select transaction_id from called where (select count(*) from called) = 1)
     order by recorded_at desc limit 1`,
    [railAccount, ours, ours === undefined ? Object.values(externalIds) : [ours]],
  )
  return rows[0]?.order_id
}
