import pg from 'pg'
import { present } from '../../domain/present.ts'
import { ensureMonths, monthOf, monthsAhead, type Month } from '../../storage/months.ts'
import { packBody } from '../../storage/packed-body.ts'
import type { Pool } from '../../storage/pool.ts'
import { idBound } from '../../storage/time-ids.ts'
import { storedReference } from './requests.ts'

/** Payments as the gateway stores them when they are finished: completed, booked, and reported to their merchant. */
interface StoredPayments {
  /** Range of their reference numbers: storedReference. */
  readonly from: number
  readonly to: number
  /** Time of the first one, and the interval between them. */
  readonly at: Date
  readonly everyMs: number
}

/** Stores them with one statement, in the shape and with the text lengths of a real payment. */
export async function storePayments(client: pg.ClientBase, { from, to, at, everyMs }: StoredPayments): Promise<void> {
  await client.query(STORE, [
    from,
    to,
    storedReference(0).replace(/0+$/, ''),
    at,
    everyMs,
    idBound(at),
    await accountsOf(client),
    packBody(BODY),
  ])
}

const PART = 50_000

/**
 * Stores this many, spread evenly over the months that end with the current one.
 * @returns these months, the oldest first
 */
export async function storeMonths(
  pool: Pool,
  connection: pg.PoolConfig,
  { count, months: monthsCount }: { readonly count: number; readonly months: number },
): Promise<readonly Month[]> {
  const now = new Date()
  const months = [...Array(monthsCount).keys()].map((n) =>
    present(monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + n - monthsCount, 1))), 'a month'),
  )
  await ensureMonths(pool, [...months, ...monthsAhead(now, 1)], now)
  const each = Math.ceil(count / monthsCount)
  const parts = months.flatMap((month, n) => {
    const everyMs = (Math.min(month.until.getTime(), now.getTime()) - month.from.getTime()) / each
    return Array.from({ length: Math.ceil(each / PART) }, (_, part) => {
      const from = n * each + part * PART
      const to = Math.min(from + PART, (n + 1) * each, count)
      return { from, to, at: new Date(month.from.getTime() + part * PART * everyMs), everyMs }
    })
  })
  // Two connections, one core each. Durability does not matter: the next run stores again what a crash loses.
  const store = async (): Promise<void> => {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    await client.query('set synchronous_commit = off')
    for (let part = parts.shift(); part; part = parts.shift()) await storePayments(client, part)
    await client.end()
  }
  await Promise.all([store(), store()])
  return months
}

/**
 * As if the work that follows payments had processed them: the ledger's chain, the numbers of events, the search.
 * Otherwise the worker does it beside what is measured, 16 kB of WAL for each payment at 500/s.
 */
export async function markProcessed(client: pg.ClientBase): Promise<void> {
  await client.query('truncate unchained_transfers, unnumbered_callbacks')
  await client.query(
    'update search_mark set upto = last, next_upto = last from (select max(id) as last from transactions)',
  )
}

/** What the gateway stores besides the payments themselves: balances, and the usage that counts toward daily limits. */
export async function bookStored(client: pg.Client): Promise<void> {
  await client.query(
    `update accounts a set balance_minor = e.minor
     from (select account_id, sum(amount_minor)::bigint as minor from entries group by account_id) e
     where e.account_id = a.id`,
  )
  await client.query(
    `insert into limit_usage (provider_code, transaction_type, account, transaction_id, created_at, amount_minor)
     select provider_code, type, account, id, created_at, amount_minor from transactions
     where created_at > now() - interval '24 hours' and not exists (select from limit_usage where transaction_id = id)`,
  )
}

/** One text for all: only its length matters. */
const BODY = JSON.stringify({
  event: 'transaction.completed',
  payload: {
    id: 912737987199120,
    merchant_reference: storedReference(1),
    internal_reference: 'MLP37RGNZFNN7A9NVK770M5HK',
    request_currency: 'UGX',
    request_amount: 500,
    transaction_amount: 500,
    transaction_currency: 'UGX',
    transaction_charge: 5,
    transaction_account: '256770000123',
    provider_code: 'mtn_ug',
    transaction_status: 'COMPLETED',
    status_message: 'Transaction Completed Successfully',
    transaction_type: 'COLLECTION',
    charge_customer: false,
    total_credit: 495,
    customer_name: 'Amina Nakato',
  },
})

/** The accounts of a mobile money collection: what the rail owes, what Malipo earns, what the merchant has. */
async function accountsOf(client: pg.ClientBase): Promise<bigint[]> {
  await client.query(
    `insert into accounts (kind, currency, merchant_id, provider_code)
     select kind, 'UGX', case when kind = 'collection_available' then m.id else 0 end, case when kind = 'rail' then 'mtn_ug' else '' end
     from merchants m, unnest(array['rail', 'charges', 'collection_available']) as kind where m.public_key = 'pub_sandbox_demo'
     on conflict do nothing`,
  )
  const { rows } = await client.query<{ ids: bigint[] }>(
    `select array_agg(a.id order by array_position(array['rail', 'charges', 'collection_available'], a.kind)) as ids
     from accounts a left join merchants m on m.id = a.merchant_id
     where a.currency = 'UGX' and a.rail_account = '' and (a.kind = 'rail' and a.provider_code = 'mtn_ug' or a.kind = 'charges'
       or a.kind = 'collection_available' and m.public_key = 'pub_sandbox_demo')`,
  )
  return present(rows[0], 'the accounts').ids
}

// Ids of transfer and callback as generated by server/storage/time-ids.ts.
const STORE = `
  with p as materialized (
    select n, moment as at, m.id as merchant_id, $3 || lpad(n::text, 8, '0') as reference,
      'MLP' || upper(lpad(to_hex((extract(epoch from moment) / 2)::bigint), 8, '0') || substr(md5(n::text), 1, 14)) as internal,
      $6::bigint + ((extract(epoch from moment) - extract(epoch from $4::timestamptz))::bigint << 22) + ((n & 262143) << 4) as id
    from generate_series($1::int, $2::int - 1) as n, merchants m,
      lateral (select date_trunc('second', $4::timestamptz + (n - $1) * $5::float8 * interval '1 millisecond') as moment)
    where m.public_key = 'pub_sandbox_demo'
  ), named as (
    insert into transaction_references (merchant_id, merchant_reference, transaction_id) select merchant_id, reference, id from p
  ), told as (
    insert into transaction_events (transaction_id, at, kind, detail)
    select id, at, kind, detail from p, (values ('submitted', 'Handed to the rail of mtn_ug'),
      ('settled', 'COMPLETED: Transaction Completed Successfully'),
      ('callback_delivered', 'transaction.completed, attempt 1: HTTP 200; acknowledged')) as step(kind, detail)
  ), moved as (
    insert into transfers (id, kind, transaction_id, created_at) select id + 1, 'collection', id, at from p
  ), booked as (
    insert into entries (transfer_id, account_id, amount_minor)
    select id + 1, ($7::bigint[])[side], amount from p, (values (1, -500), (2, 5), (3, 495)) as entry(side, amount)
  ), called as (
    insert into callbacks (id, webhook_id, transaction_id, merchant_id, event, url, packed_body, told, status, attempts, created_at, finished_at)
    select id + 1, 'cb_' || upper(substr(md5(reference), 1, 26)), id, merchant_id, 'transaction.completed',
      'http://127.0.0.1:8080/sandbox/inbox', $8::bytea, 'COMPLETED',
      'DELIVERED', 1, at, at from p
  ), tried as (
    insert into callback_attempts (callback_id, attempt, at, url, duration_ms, http_status, reply_excerpt)
    select id + 1, 1, at, '', 12, 200, '{"received":true}' from p
  )
  insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency,
    amount_minor, charge_minor, total_minor, charge_customer, allow_final_status_change, customer_name, description, status, status_message, created_at, final_at, rail_order_id)
  select id, merchant_id, reference, internal, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '25677' || lpad((n % 10000)::text, 4, '0') || '123', 'UGX', 500, 'UGX',
    500, 5, 495, false, true, 'Amina Nakato', 'Bench collection', 'COMPLETED', 'Transaction Completed Successfully', at, at + interval '2 seconds', '0f8fad5b-d9cb-469f-a165-70867728950e'
  from p`
