import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { onJobNotice, notifyOfJobs } from './job-notices.ts'

const SOON = { timeout: 20_000, interval: 20 }

async function hearing() {
  const { connection, pool } = await databaseTest()
  const reported = vi.fn<() => void>()
  const onDeaf = vi.fn<(error: unknown) => void>()
  const notices = onJobNotice({ connection, pool, name: 'one', onTold: reported, onDeaf })
  onTestFinished(() => notices.stop())
  await vi.waitFor(() => expect(notices.isHeard()).toBe(true), SOON)
  return { connection, pool, told: reported, onDeaf, notices }
}

test('who listens is told of work, and not that it or another tried whether it hears', async () => {
  const { connection, pool, told: reported, notices } = await hearing()
  const other = onJobNotice({ connection, pool, name: 'other', onTold: () => undefined, onDeaf: () => undefined })
  onTestFinished(() => other.stop())
  await vi.waitFor(() => expect(other.isHeard()).toBe(true), SOON)
  expect(reported).not.toHaveBeenCalled()
  await notifyOfJobs(pool)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce(), SOON)
  await notices.stop()
  expect(notices.isHeard()).toBe(false)
})

test('a connection that was cut is followed by another; meanwhile it is known that nothing is heard', async () => {
  const { pool, told: reported, onDeaf, notices } = await hearing()
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'malipo (listening)' and datname = current_database()`,
  )
  await vi.waitFor(() => expect(notices.isHeard()).toBe(false), SOON)
  await vi.waitFor(() => expect(notices.isHeard()).toBe(true), SOON)
  expect(onDeaf).toHaveBeenCalledOnce()
  await notifyOfJobs(pool)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce(), SOON)
})
