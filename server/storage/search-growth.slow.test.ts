import { expect } from 'vitest'
import { listTransactions, type TransactionFilter } from '../admin/queries/transactions.ts'
import { money } from '../domain/money.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { testNightly } from '../verification/testing/nightly.ts'
import { searchKey } from './search.ts'
import { digests, manyPayments } from './testing/many-payments.ts'
import { watchCosts } from './testing/statement-costs.ts'

// What a first page reads depends on the page, not on how many payments are stored. Counted in pages of PostgreSQL, not
// timed.

const FEW = 50_000
const MANY = 5_000_000
const GROWTH_MAX = 1.2
/**
 * Each of the four indexes that one payment is found by may have a level more. A hundred times the rows add one to a
 * b-tree: a receipt reads 9 pages, then 11 (its index 3 and 4, the payment 6 and 7).
 */
const LEVELS = 4
const BYTES_MAX = 500
const PAGE = 51
const TIMEOUT_MS = 30 * 60_000

const { pool, connection } = await databaseTest({ connectionsMax: 1 })
const costsOf = watchCosts(pool)
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
    const { store } = await manyPayments(pool, connection)
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
