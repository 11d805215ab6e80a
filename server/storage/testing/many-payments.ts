import { createHmac } from 'node:crypto'
import pg from 'pg'
import { present } from '../../domain/present.ts'
import type { TestDatabase } from '../../verification/testing/database.ts'
import type { Digests } from '../digests.ts'
import { ensureMonths, monthsAhead } from '../months.ts'
import type { Pool } from '../pool.ts'
import { createIndexing } from '../search.ts'
import { idBound } from '../time-ids.ts'

// For tests: twelve months of payments, made by SQL, because no gateway stores millions in the time of a test.

const FIRST = new Date('2026-01-01T00:00:00Z')
export const LAST = new Date('2027-01-02T00:00:00Z')
const PART = 50_000

export const digests: Digests = (purpose, text) => createHmac('sha256', 'test').update(`${purpose}\0${text}`).digest()

/** A merchant with 100 payments, however many there are of others. */
export const QUIET = 1_500n

/** Two events, a transfer and a delivered callback of each payment. */
const COURSES = [
  `insert into accounts (kind, currency, merchant_id, provider_code) values ('rail', 'UGX', 0, 'mtn_ug'), ('charges', 'UGX', 0, '')
   on conflict do nothing`,
  `insert into accounts (kind, currency, merchant_id, provider_code)
   select 'collection_available', 'UGX', id, '' from merchants where id >= 1000 on conflict do nothing`,
  // Those of the store before stay: nothing is ever taken from the ledger.
  `with booked as (
     insert into transfers (id, kind, transaction_id, created_at) select id + 1, 'collection', id, created_at + interval '2 s'
     from transactions on conflict do nothing returning id, transaction_id
   )
   insert into entries (transfer_id, account_id, amount_minor)
   select b.id, a.id, case a.kind when 'rail' then -500 when 'charges' then 5 else 495 end
   from booked b join transactions t on t.id = b.transaction_id
     join accounts a on a.currency = 'UGX' and a.rail_account = '' and (a.merchant_id = t.merchant_id and a.kind = 'collection_available'
       or a.merchant_id = 0 and (a.kind = 'rail' and a.provider_code = 'mtn_ug' or a.kind = 'charges'))`,
  `insert into transaction_events (transaction_id, at, kind, detail)
   select id, created_at, kind, 'As given' from transactions, unnest(array['submitted', 'settled']) kind`,
  `insert into callbacks (id, webhook_id, transaction_id, merchant_id, event, url, body, status, attempts, created_at, finished_at)
   select first_id_of_payment(id), 'cb_' || id, id, merchant_id, 'transaction.completed', 'https://shop.example', '{}',
     'DELIVERED', 1, created_at, created_at from transactions`,
]

/** @returns what stores so many payments in place of those before, with their courses where that is asked for */
export async function manyPayments(pool: Pool, connection: TestDatabase['connection']) {
  await ensureMonths(pool, monthsAhead(FIRST, 12), FIRST)
  await pool.query(
    `insert into merchants (id, public_key, name, created_at) overriding system value
     select id, 'pub_' || id, 'A shop', now() from generate_series(1000, 1500) id`,
  )

  /** Payments of 500 merchants, or of fewer, 500 amounts and 100 names; an account number has as many as two pages, a receipt one. */
  async function store(count: number, withCourses = false, merchants = 500): Promise<void> {
    await pool.query(
      'truncate transactions, rail_references, search_keys, callbacks, unnumbered_callbacks, merchant_events, merchant_event_counts, stopped_callbacks, day_figures, day_changes; update search_mark set upto = 0, next_upto = 0',
    )
    // Beside the pool, whose statements have 15 s.
    const client = new pg.Client(connection)
    await client.connect()
    for (let from = 0; from < count; from += PART)
      await client.query(
        `with p as materialized (
         select n, at, $2::bigint + (extract(epoch from at - $1::timestamptz)::bigint << 22) + ((n & 262143) << 4) as id
         from generate_series($4::int, $5::int - 1) n,
           lateral (select date_trunc('second', $1::timestamptz + n * interval '364 days' / $3::int) as at)
       ), r as (
         insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
         select id, 'mtn', 'receipt', 'R' || n, at from p
       )
       insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code,
         account, request_currency, request_amount_minor, currency, amount_minor, charge_minor, total_minor,
         charge_customer, allow_final_status_change, customer_name, description, status, status_message, created_at, final_at)
       select id, case when n % ($3 / 100) = 1 then 1500 else 1000 + n % $6::int end, 'R' || n, 'MLP' || n, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug',
         '2567' || lpad((n % ($3 / 102))::text, 8, '0'), 'UGX', 500 + n % 500, 'UGX', 500 + n % 500, 5, 495,
         false, true, case when n % 2 = 0 then 'Amina Nakato' || n % 200 end, 'Order', 'COMPLETED', 'Done', at, at from p`,
        [FIRST, idBound(FIRST), count, from, from + PART, merchants],
      )
    const indexing = createIndexing(pool, digests, () => LAST)
    const { rows: last } = await pool.query<{ id: bigint }>('select max(id) as id from transactions')
    for (;;) {
      await indexing.run()
      const { rows } = await pool.query<{ upto: bigint }>('select upto from search_mark')
      if (present(rows[0], 'a mark').upto >= present(last[0], 'a payment').id) break
    }
    if (withCourses) for (const sql of COURSES) await client.query(sql)
    await client.query('vacuum analyze')
    await client.end()
  }

  return { store }
}
