import type { NewJob } from '../../actions/ports/jobs.ts'
import { destinationOf } from '../../domain/destination.ts'
import type { CallbackEvent } from '../../domain/callback.ts'
import { resentEvent, type CallbackStatus } from '../../domain/deliveries.ts'
import { present } from '../../domain/present.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { transactionOfCallbackId } from '../../domain/references.ts'
import { WORK_OF_CALLBACKS } from '../../storage/delivery-locks.ts'
import { withoutIndex } from '../../storage/optimizer-fence.ts'
import { OWN_URL } from '../../storage/record-deliveries.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { unpackBody } from '../../storage/packed-body.ts'
import { available, inTransaction, runAll, type Pool, type Queryable } from '../../storage/pool.ts'
import { insertEvents } from '../../storage/transactions.ts'
import { jobRows } from '../../storage/jobs.ts'
import { FIRST_TIME_ID, ofPayment } from '../../storage/time-ids.ts'
import { ID_MAX, idOf, idsOfPeriod } from './transactions.ts'
import { firstRowOf, rowsOf } from './rows.ts'

export interface CallbackView {
  readonly id: bigint
  readonly webhook_id: string
  readonly event: CallbackEvent
  readonly status: CallbackStatus
  readonly attempts: number
  /**
   * Where attempts go: the merchant's current URL; without one, the URL at the time when the transaction ended; empty
   * if there was none then either.
   */
  readonly url: string
  readonly created_at: Date
  readonly finished_at: Date | null
  /** Time of the next attempt; null when the callback has ended. */
  readonly next_attempt_at: Date | null
  readonly transaction_id: bigint
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly merchant_id: bigint
  readonly merchant_public_key: string
}

/** @param found source of the callbacks `c` */
const viewOf = (found: string): string => `
  select c.id, c.webhook_id, c.event, c.status, c.attempts,
    coalesce(case t.type when 'COLLECTION' then m.collection_callback_url when 'REFUND' then m.refund_callback_url
      else m.payout_callback_url end, c.url) as url,
      c.created_at, c.finished_at, w.due_at as next_attempt_at, c.transaction_id,
    t.merchant_reference, t.internal_reference, c.merchant_id, m.public_key as merchant_public_key
  from ${found} join transactions t on t.id = c.transaction_id join merchants m on m.id = c.merchant_id
  left join jobs w on w.kind = 'deliverCallback' and w.subject_id = c.id`

const CALLBACK_VIEW = viewOf('callbacks c')

interface CallbackFilter {
  readonly transactionIds: readonly bigint[] | undefined
  readonly merchantId: bigint | undefined
  readonly status: CallbackStatus | undefined
  /** Only those that an attempt was made of. */
  readonly isAttempted?: boolean
  /** Only those of payments that were accepted then or later. */
  readonly since?: Date | undefined
  /** Cursor: only callbacks with a smaller id. */
  readonly after?: bigint | undefined
  readonly limit: number
}

const OF_TRANSACTIONS = `${viewOf(`unnest($1::bigint[]) as k(id) join callbacks c on ${ofPayment('c', 'k.id')}`)} where true`

// No index has the state of callbacks: with it no delivery could update its row in place. Few are in either of these.
const WITH_JOB = ` and c.id in (select subject_id from jobs where kind = 'deliverCallback')`
const STOPPED = ' and c.id in (select callback_id from stopped_callbacks where callback_id < $6 and callback_id >= $7)'

// By the index of a merchant's callbacks. The newest callback first, which is not always that of the newest payment.
const OF_MERCHANT = ` and ($8::bigint is null or c.created_at <= (select created_at from callbacks where id = $8)
  and (c.created_at, c.id) < ((select created_at from callbacks where id = $8), $8))`

/** Ordered from the newest payment; those of a merchant from the newest callback. */
export const listCallbacks = (
  pool: Pool,
  { transactionIds, merchantId, status, isAttempted = false, since, after, limit }: CallbackFilter,
): Promise<CallbackView[]> =>
  available(async () => {
    const isOfMerchant = merchantId !== undefined && !transactionIds && !isAttempted
    // Those of given payments are few, and a range would read the indexes of every month.
    const cursor = isOfMerchant
      ? [ID_MAX, idsOfPeriod(since, undefined).low, after]
      : [after ?? ID_MAX, idsOfPeriod(since, undefined).low]
    const state =
      isAttempted && !transactionIds ? { PENDING: WITH_JOB, STOPPED, DELIVERED: '' }[status ?? 'DELIVERED'] : ''
    const { rows } = await pool.query<CallbackView>(
      `${transactionIds ? OF_TRANSACTIONS : `${CALLBACK_VIEW} where $1::bigint[] is null`} and ($2::text is null or c.status = $2) and ($4::bigint is null or c.merchant_id = $4)
           and (c.attempts > 0 or not $5) ${transactionIds ? '' : 'and c.id < $6 and c.id >= $7'}${state}${isOfMerchant ? OF_MERCHANT : ''}
           order by ${isOfMerchant ? 'c.created_at desc, ' : ''}c.id desc limit $3`,
      [transactionIds, status, limit, merchantId, isAttempted, ...(transactionIds ? [] : cursor)],
    )
    return rows
  })

/** The bodies of these callbacks, as they were sent. */
export const callbackBodies = (pool: Pool, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> =>
  available(async () => {
    const { rows } = await pool.query<{ id: bigint; body: string | null; packed_body: Uint8Array | null }>(
      'select id, body, packed_body from callbacks where id = any($1)',
      [ids],
    )
    return new Map(rows.map((row) => [row.id, row.body ?? (row.packed_body ? unpackBody(row.packed_body) : '')]))
  })

/** How many of these have no destination: their merchant has no URL, and had none when they were created. */
export const countWithoutUrl = (pool: Pool, ids: readonly bigint[]): Promise<number> =>
  available(async () => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from (${CALLBACK_VIEW} where c.id = any($1)) v where v.url = ''`,
      [ids],
    )
    return present(rows[0], 'a count of callbacks').n
  })

/** Finds a callback by id or webhook-id. */
export const findCallback = (pool: Pool, name: string): Promise<CallbackView | undefined> =>
  firstRowOf<CallbackView>(
    pool,
    `${CALLBACK_VIEW} where c.id = $2 or (c.webhook_id = $1 and (c.id < ${FIRST_TIME_ID}
             or c.id between first_id_of_payment($3) and last_id_of_payment($3)))`,
    [name, idOf(name), transactionOfCallbackId(name)],
  )

export interface AttemptView {
  readonly callback_id: bigint
  readonly attempt: number
  readonly at: Date
  /** The URL of the attempt, masked; null for attempts from before it was stored. */
  readonly url: string | null
  readonly duration_ms: number
  readonly http_status: number | null
  readonly error: string | null
  readonly reply_excerpt: string | null
}

/** All attempts of these callbacks in order, the newest callback first. */
export const callbackAttempts = (pool: Pool, callbackIds: readonly bigint[]): Promise<AttemptView[]> =>
  rowsOf<AttemptView>(
    pool,
    `select a.callback_id, a.attempt, a.at, case when a.url = '${OWN_URL}' then c.url else a.url end as url,
             a.duration_ms, a.http_status, a.error, a.reply_excerpt
           from callback_attempts a join callbacks c on ${withoutIndex('c.id')} = ${withoutIndex('a.callback_id')}
           where a.callback_id = any($1) and c.id = any($1) order by a.callback_id desc, a.attempt`,
    [callbackIds],
  )

/** Which callbacks to resend: all of a transaction, or those created in a period. */
export type ResendFilter =
  | { readonly transactionId: bigint }
  | {
      readonly since: Date
      readonly until: Date
      readonly status: CallbackStatus | undefined
      readonly merchantId: bigint | undefined
    }

/**
 * Ids, the oldest first. For a period it selects only callbacks that were attempted or wait for a URL: the others are
 * already queued.
 */
export const callbacksToResend = (pool: Pool, filter: ResendFilter): Promise<bigint[]> =>
  available(async () => {
    const { rows } =
      'transactionId' in filter
        ? await pool.query<{ id: bigint }>(
            `select c.id from callbacks c where ${ofPayment('c', '$1::bigint')} order by c.id`,
            [filter.transactionId],
          )
        : await pool.query<{ id: bigint }>(
            `select id from callbacks where created_at >= $1 and created_at < $2
               and (attempts > 0 or status = 'STOPPED') and ($3::text is null or status = $3)
                 and ($4::bigint is null or merchant_id = $4) order by id`,
            [filter.since, filter.until, filter.status, filter.merchantId],
          )
    return rows.map(({ id }) => id)
  })

/**
 * Makes callbacks due at `dueAt`, whatever their state. The webhook-id and body do not change, so a receiver can
 * recognise a duplicate. They go where every attempt goes: to the merchant's URL at that moment.
 */
export const resendCallbacks = (pool: AuditedPool, ids: readonly bigint[], now: Date, dueAt: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    // Lock order: jobs before callbacks, each by callback id, as the code that records deliveries locks them. So the
    // two cannot deadlock.
    await client.query(`select from jobs w where ${WORK_OF_CALLBACKS('$1')} order by subject_id for update`, [ids])
    await runAll(client, jobRows(await deliveriesOf(client, ids, dueAt)))
    // Removes the fencing token: an attempt in flight, perhaps to the previous URL, must not overwrite the result.
    await client.query(`update jobs w set token = null where ${WORK_OF_CALLBACKS('$1')}`, [ids])
    await client.query('select from callbacks where id = any($1) order by id for update', [ids])
    const { rows } = await client.query<{ transaction_id: bigint; event: CallbackEvent }>(
      `update callbacks set status = 'PENDING', finished_at = null, resends = resends + 1, attempts_before = attempts
       where id = any($1) returning transaction_id, event`,
      [ids],
    )
    if (rows.length !== ids.length) throw new Error(`of ${ids.length} callbacks only ${rows.length} exist`)
    await insertEvents(
      client,
      rows.map(({ transaction_id: transactionId, event }) => resentEvent({ transactionId, event })),
      now,
    )
  })
async function deliveriesOf(client: Queryable, ids: readonly bigint[], dueAt: Date): Promise<readonly NewJob[]> {
  const { rows } = await client.query<{ id: bigint; merchant_id: bigint; type: TransactionType }>(
    'select c.id, c.merchant_id, t.type from callbacks c join transactions t on t.id = c.transaction_id where c.id = any($1)',
    [ids],
  )
  return rows.map((row) => ({
    kind: 'deliverCallback',
    subjectId: row.id,
    dueAt,
    destination: destinationOf(row.merchant_id, row.type),
  }))
}
