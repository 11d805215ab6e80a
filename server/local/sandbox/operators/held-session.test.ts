import { expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { hold, type HeldSession } from './held-session.ts'

const { pool } = await databaseTest({ connectionsMax: 3 })

/** PostgreSQL terminates the connection. */
async function lose({ session }: HeldSession): Promise<void> {
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  const gone = new Promise((resolve) => session.once('end', resolve))
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await gone
}

test('reports a lost session once, even to a late caller, and releases it once', async () => {
  const held = hold(await pool.connect())
  const reported: string[] = []
  held.whenLost(() => reported.push('before'))
  await lose(held)
  held.whenLost(() => reported.push('after'))
  expect(reported).toEqual(['before', 'after'])
  held.giveUp()
  held.giveUp()
  expect(pool.totalCount - pool.idleCount).toBe(0)
})

test('a released session releases its locks', async () => {
  const held = hold(await pool.connect())
  await held.session.query('select pg_advisory_lock(42)')
  const other = await pool.connect()
  held.giveUp()
  await other.query('select pg_advisory_lock(42)')
  other.release(true)
})
