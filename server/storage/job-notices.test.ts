import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { onJobNotice, notifyOfJobs } from './job-notices.ts'

const SOON = { timeout: 60_000, interval: 20 }

async function listening() {
  const { connection, pool } = await databaseTest()
  const reported = vi.fn<() => void>()
  const onDeaf = vi.fn<(error: unknown) => void>()
  const notices = onJobNotice({ connection, pool, name: 'one', onNotice: reported, onDeaf })
  onTestFinished(() => notices.stop())
  await vi.waitFor(() => expect(notices.isListening()).toBe(true), SOON)
  return { connection, pool, reported, onDeaf, notices }
}

test("a listener gets job notices, and not its own or another's connection tests", async () => {
  const { connection, pool, reported, notices } = await listening()
  const other = onJobNotice({ connection, pool, name: 'other', onNotice: () => undefined, onDeaf: () => undefined })
  onTestFinished(() => other.stop())
  await vi.waitFor(() => expect(other.isListening()).toBe(true), SOON)
  expect(reported).not.toHaveBeenCalled()
  await notifyOfJobs(pool)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce(), SOON)
  await notices.stop()
  expect(notices.isListening()).toBe(false)
})

test('a cut connection is replaced; until then it is known that no notice arrives', async () => {
  const { pool, reported, onDeaf, notices } = await listening()
  onDeaf.mockClear() // a busy machine may need several tries to connect
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'malipo (listening)' and datname = current_database()`,
  )
  await vi.waitFor(() => expect(notices.isListening()).toBe(false), SOON)
  await vi.waitFor(() => expect(notices.isListening()).toBe(true), SOON)
  expect(onDeaf).toHaveBeenCalled()
  await notifyOfJobs(pool)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce(), SOON)
})
