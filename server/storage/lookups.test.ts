import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { createLookups } from './lookups.ts'

const { pool } = await databaseTest()
const lookups = createLookups(pool)

const MERCHANTS = 3_000
/** A descent from the root of an index to a leaf, plus a page or two. */
const FEW_PAGES = 12

/** Counts the index pages of the table that the lookup touches. */
async function indexPages(table: string, poll: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ pages: number }>(
      `select coalesce(idx_blks_hit + idx_blks_read, 0)::int as pages from pg_statio_user_tables where relname = $1`,
      [table],
    )
    return rows[0]?.pages ?? Number.NaN
  }
  await poll() // makes the plan
  const before = await count()
  await poll()
  return (await count()) - before
}

test("finds a merchant's wallets without those of others", async () => {
  await pool.query(
    `insert into accounts (kind, currency, merchant_id, provider_code, rail_account, balance_minor)
     select kind, currency, n, '', '', 0 from generate_series(1000, 1000 + $1) n,
       unnest(array['collection_available', 'payout_available', 'payout_held']) kind, unnest(array['UGX', 'KES']) currency`,
    [MERCHANTS],
  )
  await pool.query('analyze accounts')
  expect(await lookups.wallets(1_234n, undefined)).toHaveLength(4)
  expect(await indexPages('accounts', () => lookups.wallets(1_234n, undefined))).toBeLessThan(FEW_PAGES)
  expect(await indexPages('accounts', () => lookups.wallets(1_234n, 'KES'))).toBeLessThan(FEW_PAGES)
})

test('lists wallets by currency, collections first, without held amounts', async () => {
  await pool.query(
    `insert into accounts (kind, currency, merchant_id, provider_code, balance_minor)
     values ('payout_held', 'UGX', 7, '', 1020), ('payout_available', 'UGX', 7, '', 3980), ('payout_available', 'KES', 7, '', 7),
       ('collection_uncleared', 'UGX', 7, '', 882), ('collection_reserve', 'UGX', 7, '', 98)`,
  )
  const ugx = [
    { type: 'MERCHANT_COLLECTION', currency: 'UGX', availableMinor: 0n, unclearedMinor: 882n, reserveMinor: 98n },
    { type: 'MERCHANT_PAYOUT', currency: 'UGX', availableMinor: 3_980n, unclearedMinor: 0n, reserveMinor: 0n },
  ]
  expect(await lookups.wallets(7n, undefined)).toEqual([
    { type: 'MERCHANT_PAYOUT', currency: 'KES', availableMinor: 7n, unclearedMinor: 0n, reserveMinor: 0n },
    ...ugx,
  ])
  expect(await lookups.wallets(7n, 'UGX')).toEqual(ugx)
  expect(await lookups.wallets(8n, undefined)).toEqual([])
})
