import { createHash } from 'node:crypto'
import type { CallbackResult, RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, type Unit } from '../actions/ports/unit.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { EXCHANGES_KEPT_MS } from './operator-exchanges.ts'
import { available, type Connections, type Queryable } from './pool.ts'
import { railCallback } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * Far above what any operator sends to one address within an hour; more is a fault, or somebody who knows the address.
 * Per address, and not for ever: answers to our own questions come for as long as an order is open, and must not take the
 * place of its result.
 */
const PER_ADDRESS_MAX = 50
const COUNTED_FOR = "interval '1 hour'"

/** How long what was read is known again, as long as what was said with operators. What nobody has read stays. */
export const CALLBACKS_KEPT_MS = EXCHANGES_KEPT_MS

interface CallbackRow {
  readonly id: bigint
  readonly installation: string
  readonly transaction_id: bigint
  readonly order_id: string
  readonly tail: string
  readonly method: 'POST' | 'PUT'
  readonly sealed_body: Uint8Array
}

/** @param wake told of a message that was stored */
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
        `select id, installation, transaction_id, order_id, tail, method, sealed_body
         from rail_callbacks where id = any($1) and sealed_body is not null`,
        [items.map(({ subjectId }) => subjectId)],
      )
      return rows.map((row) => ({
        id: row.id,
        installation: row.installation,
        transactionId: row.transaction_id,
        orderId: row.order_id,
        method: row.method,
        ...(row.tail !== '' && { tail: row.tail }),
        body: box.open(row.sealed_body, railCallback(row.order_id)),
      }))
    }),

  transactionsCalled: (installation, references) =>
    available(async () => {
      if (references.length === 0) return []
      const { rows } = await pool.query<{ transaction_id: bigint }>(
        'select distinct transaction_id from rail_references where reference = any($2) and installation = $1',
        [installation, references],
      )
      return rows.map(({ transaction_id }) => transaction_id)
    }),
})

/** One statement, so that a message and the work that follows from it are committed together. */
async function insertCallback(
  pool: Connections,
  box: SecretBox,
  { installation, orderId, method, tail = '', body }: RailCallback,
  now: Date,
): Promise<Reception> {
  const { rows } = await pool.query<{ is_known: boolean; is_full: boolean; is_stored: boolean }>(
    `with owner as (
       select transaction_id from rail_references where reference = $2 and name = '${OUR_REFERENCE}' and installation = $1 limit 1
     ), lately as (
       select from rail_callbacks join owner using (transaction_id)
       where tail = $3 and received_at > $7::timestamptz - ${COUNTED_FOR}
     ), kept as (
       insert into rail_callbacks (installation, transaction_id, order_id, tail, method, digest, sealed_body, received_at)
       select $1, transaction_id, $2, $3, $4, $5, $6, $7 from owner
       where (select count(*) from lately) < ${PER_ADDRESS_MAX}
       on conflict do nothing returning id
     ), due as (
       insert into work (kind, subject_id, due_at) select 'readRailCallback', id, $7 from kept
     )
     select exists (select from owner) as is_known, exists (select from kept) as is_stored,
       (select count(*) from lately) >= ${PER_ADDRESS_MAX} as is_full`,
    [
      installation,
      orderId,
      tail,
      method,
      createHash('sha256').update(`${method}\n${body}`).digest(),
      box.seal(body, railCallback(orderId)),
      now,
    ],
  )
  const [row] = rows
  if (!row?.is_known) return 'unknown_order'
  if (row.is_stored) return 'stored'
  return row.is_full ? 'too_many' : 'known'
}

/** What was looked at keeps its place among the known ones, without its text. */
export const railCallbackStatements = (client: Queryable): Pick<Unit, 'endRailCallback'> => ({
  async endRailCallback(id: bigint, result: CallbackResult, now: Date) {
    await client.query('update rail_callbacks set sealed_body = null, result = $2, read_at = $3 where id = $1', [
      id,
      result,
      now,
    ])
  },
})
