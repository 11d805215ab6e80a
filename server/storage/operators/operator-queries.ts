import type { CallbackEvent } from '../../domain/callback.ts'
import { present } from '../../domain/present.ts'
import type { TransactionMethod, TransactionType } from '../../domain/provider.ts'
import type { Transaction, TransactionStatus } from '../../domain/transaction.ts'
import { available, inTransaction, type Pool } from '../pool.ts'
import { toTransaction, transactionColumns, type TransactionRow } from '../rows.ts'
import { insertEvents } from '../transactions.ts'
import { insertWork } from '../work-items.ts'

// What operators ask at the command line. Not on the way of any payment, so these statements may read more than one row
// per index.

export interface ProviderOptionRow {
  readonly provider_code: string
  readonly name: string
  readonly method: TransactionMethod
  readonly transaction_type: TransactionType
  readonly currency: string
  readonly min_amount_minor: bigint
  readonly max_amount_minor: bigint
  readonly max_daily_amount_minor: bigint
  readonly charge_bps: number
  readonly charge_flat_minor: bigint
  readonly is_active: boolean
  readonly clearing_delay_seconds: number
  readonly reserve_bps: number
  readonly reserve_seconds: number
  readonly asks_for_otp: boolean
  readonly calling_code: string
  readonly prefixes: readonly string[]
}

export const listProviderOptions = (
  pool: Pool,
  { currency, type }: { currency: string | undefined; type: TransactionType | undefined },
): Promise<ProviderOptionRow[]> =>
  available(
    async () =>
      (
        await pool.query<ProviderOptionRow>(
          `select o.provider_code, p.name, p.method, o.transaction_type, p.currency, o.min_amount_minor, o.max_amount_minor, o.max_daily_amount_minor,
       o.charge_bps, o.charge_flat_minor, o.is_active, o.clearing_delay_seconds, o.reserve_bps, o.reserve_seconds, p.asks_for_otp, p.calling_code, p.prefixes
     from payment_options o join providers p on p.code = o.provider_code
     where ($1::text is null or p.currency = $1) and ($2::text is null or o.transaction_type = $2)
     order by p.currency, o.provider_code, o.transaction_type`,
          [currency, type],
        )
      ).rows,
  )

/** A transaction with what only operators see of it. */
export interface OperatorTransaction extends Transaction {
  readonly merchantName: string
  readonly merchantPublicKey: string
  readonly customerEmail: string | undefined
  readonly description: string
  readonly redirectUrl: string | undefined
}

interface OperatorTransactionRow extends TransactionRow {
  readonly merchant_name: string
  readonly merchant_public_key: string
  readonly customer_email: string | null
  readonly description: string
  readonly redirect_url: string | null
}

const OPERATOR_TRANSACTION = `
  select ${transactionColumns('t')}, t.customer_email, t.description, t.redirect_url, m.name as merchant_name, m.public_key as merchant_public_key
  from transactions t join merchants m on m.id = t.merchant_id`

const toOperatorTransaction = (row: OperatorTransactionRow): OperatorTransaction => ({
  ...toTransaction(row),
  merchantName: row.merchant_name,
  merchantPublicKey: row.merchant_public_key,
  customerEmail: row.customer_email ?? undefined,
  description: row.description,
  redirectUrl: row.redirect_url ?? undefined,
})

export interface TransactionFilter {
  readonly status: TransactionStatus | undefined
  readonly merchantId: bigint | undefined
  readonly since: Date | undefined
  readonly limit: number
}

/** The newest first. */
export const listTransactions = (
  pool: Pool,
  { status, merchantId, since, limit }: TransactionFilter,
): Promise<OperatorTransaction[]> =>
  available(async () => {
    // Not by id: every connection hands out ids from a block of its own. No index helps here, and none is worth its
    // price on every payment: 15 s bound it.
    const { rows } = await pool.query<OperatorTransactionRow>(
      `${OPERATOR_TRANSACTION}
     where ($1::text is null or t.status = $1) and ($2::bigint is null or t.merchant_id = $2) and ($3::timestamptz is null or t.created_at >= $3)
     order by t.created_at desc, t.id desc limit $4`,
      [status, merchantId, since, limit],
    )
    return rows.map(toOperatorTransaction)
  })

export interface StuckTransaction extends OperatorTransaction {
  /** When it was handed to the rail, or when the rail paid what nobody could book. */
  readonly stuckSince: Date
}

export interface StuckFilter {
  /** PROCESSING since before then. What is paid and not booked waits for somebody at once. */
  readonly before: Date
  readonly merchantId: bigint | undefined
  readonly limit: number
}

/** What waits for its rail for too long, or was paid by it and could not be booked; the longest first. */
export const listStuck = (pool: Pool, { before, merchantId, limit }: StuckFilter): Promise<StuckTransaction[]> =>
  available(async () => {
    // A collection may wait half an hour on its payment page before any rail hears of it: that time is not the rail's.
    const { rows } = await pool.query<OperatorTransactionRow & { stuck_since: Date }>(
      `select * from (
       select o.*, coalesce((select min(e.at) from transaction_events e where e.transaction_id = o.id and e.kind = 'submitted'), o.created_at) as stuck_since
       from (${OPERATOR_TRANSACTION} where t.status = 'PROCESSING' and t.created_at <= $1 and ($2::bigint is null or t.merchant_id = $2)) o
       union all
       select o.*, o.rail_paid_at from (${OPERATOR_TRANSACTION} where t.rail_paid_at is not null and t.status = 'FAILED' and ($2::bigint is null or t.merchant_id = $2)) o
     ) s where stuck_since <= $1 or status = 'FAILED' order by stuck_since, id limit $3`,
      [before, merchantId, limit],
    )
    return rows.map((row) => ({ ...toOperatorTransaction(row), stuckSince: row.stuck_since }))
  })

/** By merchant reference, internal reference or id; several when merchants use the same reference. */
export const findTransactions = (
  pool: Pool,
  reference: string,
  merchantId: bigint | undefined,
): Promise<OperatorTransaction[]> =>
  available(async () => {
    // The table of references is asked per merchant: its key begins with the merchant.
    const { rows } = await pool.query<OperatorTransactionRow>(
      `${OPERATOR_TRANSACTION}
     where ($3::bigint is null or t.merchant_id = $3) and t.id in (
       select id from transactions where internal_reference = $1
       union select id from transactions where id = $2
       union select r.transaction_id from merchants o join transaction_references r on r.merchant_id = o.id and r.merchant_reference = $1)
     order by t.created_at desc`,
      [reference, idOf(reference), merchantId],
    )
    return rows.map(toOperatorTransaction)
  })

const idOf = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined)

export interface HistoryEvent {
  readonly at: Date
  readonly kind: string
  readonly detail: string
}

export const transactionEvents = (pool: Pool, transactionId: bigint): Promise<HistoryEvent[]> =>
  available(
    async () =>
      (
        await pool.query<HistoryEvent>(
          'select at, kind, detail from transaction_events where transaction_id = $1 order by id',
          [transactionId],
        )
      ).rows,
  )

export interface BookedEntry {
  readonly transfer_id: bigint
  readonly transfer_kind: string
  readonly at: Date
  readonly account: string
  readonly currency: string
  readonly merchant_id: bigint
  readonly provider_code: string
  readonly amount_minor: bigint
}

/** What the ledger booked for a transaction, in the order of booking. */
export const bookedEntries = (pool: Pool, transactionId: bigint): Promise<BookedEntry[]> =>
  available(
    async () =>
      (
        await pool.query<BookedEntry>(
          `select t.id as transfer_id, t.kind as transfer_kind, t.created_at as at, a.kind as account, a.currency, a.merchant_id, a.provider_code, e.amount_minor
     from transfers t join entries e on e.transfer_id = t.id join accounts a on a.id = e.account_id
     where t.transaction_id = $1 order by t.id, e.id`,
          [transactionId],
        )
      ).rows,
  )

export type CallbackStatus = 'PENDING' | 'DELIVERED' | 'STOPPED'

export interface CallbackView {
  readonly id: bigint
  readonly webhook_id: string
  readonly event: CallbackEvent
  readonly status: CallbackStatus
  readonly attempts: number
  /**
   * Where attempts go: the merchant's URL of now; while it has none, the one it had when the transaction ended; empty
   * when it had none then either.
   */
  readonly url: string
  readonly created_at: Date
  readonly finished_at: Date | null
  /** When it is tried next; absent when it has ended. */
  readonly next_attempt_at: Date | null
  readonly transaction_id: bigint
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly merchant_public_key: string
}

const CALLBACK_VIEW = `
  select c.id, c.webhook_id, c.event, c.status, c.attempts,
    coalesce(case t.type when 'COLLECTION' then m.collection_callback_url else m.payout_callback_url end, c.url) as url, c.created_at, c.finished_at, w.due_at as next_attempt_at, c.transaction_id,
    t.merchant_reference, t.internal_reference, m.public_key as merchant_public_key
  from callbacks c join transactions t on t.id = c.transaction_id join merchants m on m.id = c.merchant_id
  left join work w on w.kind = 'deliverCallback' and w.subject_id = c.id`

export interface CallbackFilter {
  readonly transactionIds: readonly bigint[] | undefined
  readonly merchantId: bigint | undefined
  readonly status: CallbackStatus | undefined
  readonly limit: number
}

/** The newest first. */
export const listCallbacks = (
  pool: Pool,
  { transactionIds, merchantId, status, limit }: CallbackFilter,
): Promise<CallbackView[]> =>
  available(
    async () =>
      (
        await pool.query<CallbackView>(
          `${CALLBACK_VIEW} where ($1::bigint[] is null or c.transaction_id = any($1)) and ($2::text is null or c.status = $2) and ($4::bigint is null or c.merchant_id = $4) order by c.id desc limit $3`,
          [transactionIds, status, limit, merchantId],
        )
      ).rows,
  )

/** How many of these have nowhere to go: their merchant has no URL, and had none when they were made. */
export const countWithoutUrl = (pool: Pool, ids: readonly bigint[]): Promise<number> =>
  available(async () => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from (${CALLBACK_VIEW} where c.id = any($1)) v where v.url = ''`,
      [ids],
    )
    return present(rows[0], 'a count of callbacks').n
  })

/** By id, or by webhook-id. */
export const findCallback = (pool: Pool, name: string): Promise<CallbackView | undefined> =>
  available(
    async () =>
      (await pool.query<CallbackView>(`${CALLBACK_VIEW} where c.webhook_id = $1 or c.id = $2`, [name, idOf(name)]))
        .rows[0],
  )

export interface AttemptView {
  readonly callback_id: bigint
  readonly attempt: number
  readonly at: Date
  /** Where it went, masked; null of attempts that were made before this was kept. */
  readonly url: string | null
  readonly duration_ms: number
  readonly http_status: number | null
  readonly error: string | null
  readonly reply_excerpt: string | null
}

export const callbackAttempts = (pool: Pool, callbackIds: readonly bigint[]): Promise<AttemptView[]> =>
  available(
    async () =>
      (
        await pool.query<AttemptView>(
          'select callback_id, attempt, at, url, duration_ms, http_status, error, reply_excerpt from callback_attempts where callback_id = any($1) order by callback_id desc, attempt',
          [callbackIds],
        )
      ).rows,
  )

/** Which callbacks to send again: all of a transaction, or those made in a span of time. */
export type ResendFilter =
  | { readonly transactionId: bigint }
  | {
      readonly since: Date
      readonly until: Date
      readonly status: CallbackStatus | undefined
      readonly merchantId: bigint | undefined
    }

/**
 * Ids, the oldest first. Of a span of time only what was attempted already or waits for a URL: the others are on their
 * way.
 */
export const callbacksToResend = (pool: Pool, filter: ResendFilter): Promise<bigint[]> =>
  available(async () => {
    const { rows } =
      'transactionId' in filter
        ? await pool.query<{ id: bigint }>('select id from callbacks where transaction_id = $1 order by id', [
            filter.transactionId,
          ])
        : await pool.query<{ id: bigint }>(
            `select id from callbacks where created_at >= $1 and created_at < $2 and (attempts > 0 or status = 'STOPPED') and ($3::text is null or status = $3) and ($4::bigint is null or merchant_id = $4) order by id`,
            [filter.since, filter.until, filter.status, filter.merchantId],
          )
    return rows.map(({ id }) => id)
  })

/** So many per commit: the locks of a long list would hold up deliveries. */
const RESEND_CHUNK = 500

/**
 * Makes callbacks due at `dueAt`, whatever became of them before; webhook-id and body stay, so a receiver that has one
 * already can tell. They go where every attempt goes: to the URL that the merchant has at that moment.
 */
export async function resendCallbacks(
  pool: Pool,
  callbackIds: readonly bigint[],
  now: Date,
  dueAt: Date,
): Promise<void> {
  for (let start = 0; start < callbackIds.length; start += RESEND_CHUNK)
    await resendChunk(pool, callbackIds.slice(start, start + RESEND_CHUNK), now, dueAt)
}

const resendChunk = (pool: Pool, ids: readonly bigint[], now: Date, dueAt: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    // Work before callbacks, and each in the order of ids, as the recording of deliveries locks them: the two never
    // wait for each other in a circle.
    await client.query(
      `select from work where kind = 'deliverCallback' and subject_id = any($1) order by id for update`,
      [ids],
    )
    await insertWork(
      client,
      ids.map((subjectId) => ({ kind: 'deliverCallback', subjectId, dueAt })),
    )
    // An attempt that is under way, perhaps to the URL of before, must not have the last word.
    await client.query(`update work set token = null where kind = 'deliverCallback' and subject_id = any($1)`, [ids])
    await client.query('select from callbacks where id = any($1) order by id for update', [ids])
    const { rows } = await client.query<{ transaction_id: bigint; event: string }>(
      `update callbacks set status = 'PENDING', finished_at = null, resends = resends + 1, attempts_before = attempts where id = any($1) returning transaction_id, event`,
      [ids],
    )
    if (rows.length !== ids.length) throw new Error(`of ${ids.length} callbacks only ${rows.length} exist`)
    await insertEvents(
      client,
      rows.map((row) => ({
        transactionId: row.transaction_id,
        kind: 'callback_resent',
        detail: `${row.event}: an operator sends it again`,
      })),
      now,
    )
  })
