import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseTest } from '../testing/database-test.ts'
import { hearOfWork, tellOfWork } from './work-notices.ts'

const SOON = { timeout: 20_000, interval: 20 }

async function hearing() {
  const { connection, pool } = await databaseTest()
  const told = vi.fn<() => void>()
  const onDeaf = vi.fn<(error: unknown) => void>()
  const notices = hearOfWork({ connection, pool, name: 'one', onTold: told, onDeaf })
  onTestFinished(() => notices.stop())
  await vi.waitFor(() => expect(notices.isHeard()).toBe(true), SOON)
  return { connection, pool, told, onDeaf, notices }
}

test('who listens is told of work, and not that it or another tried whether it hears', async () => {
  const { connection, pool, told, notices } = await hearing()
  const other = hearOfWork({ connection, pool, name: 'other', onTold: () => undefined, onDeaf: () => undefined })
  onTestFinished(() => other.stop())
  await vi.waitFor(() => expect(other.isHeard()).toBe(true), SOON)
  expect(told).not.toHaveBeenCalled()
  await tellOfWork(pool)
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce(), SOON)
  await notices.stop()
  expect(notices.isHeard()).toBe(false)
})

test('a connection that was cut is followed by another; meanwhile it is known that nothing is heard', async () => {
  const { pool, told, onDeaf, notices } = await hearing()
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'malipo (listening)' and datname = current_database()`,
  )
  await vi.waitFor(() => expect(notices.isHeard()).toBe(false), SOON)
  await vi.waitFor(() => expect(notices.isHeard()).toBe(true), SOON)
  expect(onDeaf).toHaveBeenCalledOnce()
  await tellOfWork(pool)
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce(), SOON)
})
