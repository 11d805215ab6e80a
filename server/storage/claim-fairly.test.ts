import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { present } from '../domain/present.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { createPool } from './pool.ts'
import { createJobStore } from './jobs.ts'

const { connection } = await databaseTest()
// A gateway keeps the generic plans that it made while the queue was empty. This setting forces them from the first
// claim on.
const pool = createPool({
  connection: { ...connection, options: '-c plan_cache_mode=force_generic_plan' },
  connectionsMax: 1,
  onError: () => undefined,
})
await forFile(Promise.resolve({ end: () => pool.end() }))
const queue = createJobStore(pool)

const WAITING = 20_000
/** A few rows, each with a descent from the root of an index to a leaf. */
const FEW_PAGES = 150

const pagesOfJobs = async (): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ pages: number }>(
    `select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
     from pg_statio_user_tables where relname = 'jobs'`,
  )
  return rows[0]?.pages ?? Number.NaN
}

test("does not scan one destination's backlog for the others", async () => {
  const store = (destination: string, from: number, count: number, since: string) =>
    pool.query(
      `insert into jobs (kind, subject_id, due_at, destination)
       select 'deliverCallback', n, now() - $4::interval, $1 from generate_series($2::int, $2 + $3 - 1) n`,
      [destination, from, count, since],
    )
  await store('2/collection', 1, WAITING, '1 hour')
  // The statistics show the planner no other destination.
  await pool.query('vacuum analyze jobs')
  await store('1/collection', WAITING + 1, 40, '1 minute')
  const claim = (n: number) =>
    queue.claimFairly(
      'deliverCallback',
      { token: String(n).padStart(32, '0'), now: new Date(), leaseUntil: new Date(Date.now() + 30_000) },
      10,
      { each: 2, of: new Map([['2/collection', 0]]) },
    )
  expect(await claim(1)).toHaveLength(2)
  const before = await pagesOfJobs()
  expect(await claim(2)).toHaveLength(2)
  expect((await pagesOfJobs()) - before).toBeLessThan(FEW_PAGES)
})

test('finds the first job of some destinations without a scan of the backlog', async () => {
  const before = await pagesOfJobs()
  const dueAt = await queue.nextDueFor('deliverCallback', ['1/collection', '3/collection'])
  expect(Date.now() - dueAt!.getTime()).toBeGreaterThan(59_000)
  expect(Date.now() - dueAt!.getTime()).toBeLessThan(1_800_000)
  await queue.nextDueFor('deliverCallback', ['2/collection'])
  expect((await pagesOfJobs()) - before).toBeLessThan(FEW_PAGES)
})

test('a claim changes no index', async () => {
  await pool.query('truncate jobs')
  await pool.query(
    `insert into jobs (kind, subject_id, due_at, destination) select kind, n, now() - interval '1 minute', ''
     from unnest(array['deliverCallback', 'pollRail']) kind, generate_series(1, 10) n`,
  )
  const updates = async () => {
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ all: number; hot: number }>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'jobs'`,
    )
    return present(rows[0], 'the counters')
  }
  const before = await updates()
  const claim = { token: 'f'.repeat(32), now: new Date(), leaseUntil: new Date(Date.now() + 30_000) }
  const { length: addressed } = await queue.claimFairly('deliverCallback', claim, 10, { each: 10, of: new Map() })
  const { length: others } = await queue.claim('pollRail', claim, 10)
  const after = await updates()
  expect([addressed + others, after.all - before.all, after.hot - before.hot]).toEqual([20, 20, 20])
})
