import { expect, test } from 'vitest'
import { databaseTest } from '../testing/database-test.ts'
import { createWorkQueue } from './work-items.ts'

const { pool } = await databaseTest()
const queue = createWorkQueue(pool)

const WAITING = 20_000
/** From the root of an index to a leaf, for each of a few rows. */
const FEW_PAGES = 150

const pagesOfWork = async (): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ pages: number }>(
    `select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
     from pg_statio_user_tables where relname = 'work'`,
  )
  return rows[0]?.pages ?? Number.NaN
}

test('what waits for one addressee is not gone through for the others', async () => {
  await pool.query(
    `insert into work (kind, subject_id, due_at, addressee)
     select 'deliverCallback', n, now() - interval '1 hour', case when n <= $1 then '2/collection' else '1/collection' end
     from generate_series(1, $1 + 40) n`,
    [WAITING],
  )
  await pool.query('vacuum analyze work')
  const claim = (n: number) =>
    queue.claimFairly(
      'deliverCallback',
      { token: String(n).padStart(32, '0'), now: new Date(), leaseUntil: new Date(Date.now() + 30_000) },
      10,
      { each: 2, of: new Map([['2/collection', 0]]) },
    )
  // A plan that is kept is made at the sixth.
  for (let n = 1; n <= 8; n++) expect(await claim(n)).toHaveLength(2)
  const before = await pagesOfWork()
  expect(await claim(9)).toHaveLength(2)
  expect((await pagesOfWork()) - before).toBeLessThan(FEW_PAGES)
})
