import { createHmac } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import { listTransactions, type TransactionFilter } from '../admin/queries/transactions.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { testNightly } from '../verification/testing/nightly.ts'
import type { Digests } from './digests.ts'
import { ensureMonths, monthsAhead } from './months.ts'
import { createIndexing, searchKey } from './search.ts'
import { watchCosts } from './testing/statement-costs.ts'
import { idBound } from './time-ids.ts'

// What a first page reads depends on the page, not on how many payments are stored: twelve months of them, made by SQL,
// because no gateway stores millions in the time of a test. Counted in pages of PostgreSQL, not timed.

const FEW = 50_000
const MANY = 5_000_000
const PART = 50_000
const GROWTH_MAX = 1.2
/**
 * Each of the four indexes that one payment is found by may have a level more. A hundred times the rows add one to a
 * b-tree: a receipt reads 9 pages, then 11 (its index 3 and 4, the payment 6 and 7).
 */
const LEVELS = 4
const BYTES_MAX = 500
const PAGE = 51
const TIMEOUT_MS = 30 * 60_000
const FIRST = new Date('2026-01-01T00:00:00Z')
const LAST = new Date('2027-01-02T00:00:00Z')

const { pool, connection } = await databaseTest({ connectionsMax: 1 })
const costsOf = watchCosts(pool)
const digests: Digests = (purpose, text) => createHmac('sha256', 'test').update(`${purpose}\0${text}`).digest()

/** Payments of 500 merchants, 500 amounts and 100 names; an account number has as many as two pages, a receipt one. */
async function store(count: number): Promise<void> {
  await pool.query(
    'truncate transactions, rail_references, search_keys; update search_mark set upto = 0, next_upto = 0',
  )
  for (let from = 0; from < count; from += PART)
    await pool.query(
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
       select id, 1000 + n % 500, 'R' || n, 'MLP' || n, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug',
         '2567' || lpad((n % ($3 / 102))::text, 8, '0'), 'UGX', 500 + n % 500, 'UGX', 500 + n % 500, 5, 495,
         false, true, case when n % 2 = 0 then 'Amina Nakato' || n % 200 end, 'Order', 'COMPLETED', 'Done', at, at from p`,
      [FIRST, idBound(FIRST), count, from, from + PART],
    )
  const indexing = createIndexing(pool, digests, () => LAST)
  const { rows: last } = await pool.query<{ id: bigint }>('select max(id) as id from transactions')
  for (;;) {
    await indexing.run()
    const { rows } = await pool.query<{ upto: bigint }>('select upto from search_mark')
    if (present(rows[0], 'a mark').upto >= present(last[0], 'a payment').id) break
  }
  // Beside the pool, whose statements have 15 s.
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

const account = '256700000007'
const SEARCHES: Readonly<Record<string, Omit<TransactionFilter, 'limit'>>> = {
  everything: {},
  account: { accounts: [{ account, key: searchKey.account(digests, account) }] },
  amount: { amounts: [money(507n, 'UGX')] },
  merchant: { merchantId: 1007n },
  // None of the account's payments has this amount; one of 500 others has it.
  'account and amount': {
    accounts: [{ account, key: searchKey.account(digests, account) }],
    amounts: [money(505n, 'UGX')],
  },
  receipt: { receipt: 'R7' },
  name: { name: { words: ['amina', 'nakato8'], key: searchKey.name(digests, 'nakato8') } },
  'another word of a name': { name: { words: ['nobody'] } },
}

/** Pages of PostgreSQL that the first page of each search reads. */
async function buffers(): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {}
  for (const [name, filter] of Object.entries(SEARCHES)) {
    const costs = await costsOf('force_custom_plan', () => listTransactions(pool, { ...filter, limit: PAGE }))
    read[name] = [...costs.values()].reduce((sum, cost) => sum + cost.buffers, 0)
  }
  return read
}

testNightly(
  'a first page reads as much of many payments as of few; a payment takes few bytes',
  async () => {
    await ensureMonths(pool, monthsAhead(FIRST, 12), FIRST)
    await pool.query(
      `insert into merchants (id, public_key, name, created_at) overriding system value
     select id, 'pub_' || id, 'A shop', now() from generate_series(1000, 1499) id`,
    )
    await store(FEW)
    const few = await buffers()
    await store(MANY)
    const many = await buffers()
    const { rows } = await pool.query<{ bytes: number }>(
      `select pg_total_relation_size('search_keys')::float8 / $1 as bytes`,
      [MANY],
    )
    for (const [name, pages] of Object.entries(many))
      expect(pages, name).toBeLessThanOrEqual(GROWTH_MAX * (few[name] ?? 0) + LEVELS)
    expect(rows[0]?.bytes).toBeLessThanOrEqual(BYTES_MAX)
  },
  TIMEOUT_MS,
)
