import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { removeExpired } from './housekeeping.ts'

const { pool } = await databaseTest({ connectionsMax: 2 })

const NOW = new Date('2026-03-02T08:00:00Z')
const DAY_MS = 24 * 60 * 60_000
const ago = (ms: number): Date => new Date(NOW.getTime() - ms)

/** Adds idempotency keys of one merchant, all created at that time. */
const addKeys = (name: string, count: number, createdAt: Date) =>
  pool.query(
    `insert into idempotency_keys (merchant_id, key, request_digest, outcome, created_at)
     select 1, $1 || n, '\\x00', '{"result":"refused","code":"invalid_otp"}', $2 from generate_series(1, $3::int) as n`,
    [name, createdAt, count],
  )
const keysLike = async (name: string): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from idempotency_keys where key like $1 || '%'`,
    [name],
  )
  return rows[0]?.n ?? 0
}

test('deletes all keys whose window is over, and none a moment before', async () => {
  await addKeys('old-', 12_000, ago(DAY_MS))
  await addKeys('fresh-', 3, ago(DAY_MS - 1))
  await removeExpired(pool, NOW)
  expect(await keysLike('old-')).toBe(0)
  expect(await keysLike('fresh-')).toBe(3)
})

test('skips locked rows until the next time, so that nothing waits', async () => {
  await addKeys('held-', 1, ago(DAY_MS))
  await addKeys('free-', 1, ago(DAY_MS))
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(`select from idempotency_keys where key = 'held-1' for update`)
  await removeExpired(pool, NOW)
  expect(await keysLike('free-')).toBe(0)
  await holder.query('commit')
  holder.release()
  expect(await keysLike('held-')).toBe(1)
  await removeExpired(pool, NOW)
  expect(await keysLike('held-')).toBe(0)
})

test('deletes changes of merchants an hour after their notice', async () => {
  await pool.query('delete from merchant_changes')
  await pool.query(`insert into merchant_changes values (1, 1, $1), (1, 2, $1), (2, 1, $2)`, [
    ago(60 * 60_000),
    ago(60 * 60_000 - 1),
  ])
  await removeExpired(pool, NOW)
  const { rows } = await pool.query<{ version: bigint }>('select version from merchant_changes')
  expect(rows).toEqual([{ version: 2n }])
})

test('deletes payer references once they are free again, and not a moment before', async () => {
  await pool.query(`insert into payer_references values ('a', 'FREE', 1, $1), ('a', 'TAKEN', 2, $2)`, [NOW, ago(-1)])
  await removeExpired(pool, NOW)
  const { rows } = await pool.query<{ reference: string }>('select reference from payer_references')
  expect(rows).toEqual([{ reference: 'TAKEN' }])
})
