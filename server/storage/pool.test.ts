import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createPool, isUnavailable, WAITING_MAX, type Pool } from './pool.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('so many wait for a connection and no more: the others are refused at once, and those that wait get their turn', async () => {
  const held = await Promise.all([pool.connect(), pool.connect()])
  const waiting = Array.from({ length: WAITING_MAX }, () => pool.query('select'))
  const refused = await Promise.allSettled([pool.query('select'), pool.connect()])
  expect(refused.map((one) => one.status === 'rejected' && isUnavailable(one.reason))).toEqual([true, true])
  for (const client of held) client.release()
  expect(await Promise.all(waiting)).toHaveLength(WAITING_MAX)
})

test('a lock that is not to be had in seconds, and a transaction that we let wait too long, count as the database being away', async () => {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout') order by 1`,
  )
  expect(rows).toEqual([
    { name: 'lock_timeout', setting: '3000' },
    { name: 'statement_timeout', setting: '15000' },
  ])
  for (const code of ['55P03', '25P03', '53300', '25006', '57P01', '57P03', '08006'])
    expect(isUnavailable(Object.assign(new Error('refused'), { code }))).toBe(true)
  for (const code of ['23505', '42P01', '25P02'])
    expect(isUnavailable(Object.assign(new Error('refused'), { code }))).toBe(false)
})
