import { expect, test } from 'vitest'
import { databaseAway } from '../verification/testing/database-away.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { removeExpired } from './housekeeping.ts'
import { createOperatorDrift, DRIFT_KEPT_MS, DRIFT_ROWS_MAX } from './operator-drift.ts'
import { listDrift } from '../admin/queries/drift.ts'

const { pool } = await databaseTest()
const NOW = new Date('2026-03-02T08:00:00Z')
const LATER = new Date('2026-03-02T09:00:00Z')
const drift = { source: 'getOrder', field: 'payer.partyId', shape: 'is missing' }
const fails = (error: unknown): never => {
  throw error
}

function counter(now: Date, database: Pick<typeof pool, 'query'> = pool, onLost: (error: unknown) => void = fails) {
  return createOperatorDrift(database, { now: () => now }, onLost, 60_000)
}

test('counts differences, and writes them in one batch', async () => {
  const first = counter(NOW)
  for (let n = 0; n < 1_000; n += 1) first.add({ railAccount: 'one', ...drift })
  first.add({ railAccount: 'other', ...drift })
  expect(await listDrift(pool, 'one')).toEqual([])
  await first.flushed()
  const second = counter(LATER)
  second.add({ railAccount: 'one', ...drift })
  second.add({ railAccount: 'one', ...drift, field: 'reason' })
  await second.flushed()
  expect(await listDrift(pool, 'one')).toEqual([
    { ...drift, count: 1_001, first_seen_at: NOW, last_seen_at: LATER },
    { ...drift, field: 'reason', count: 1, first_seen_at: LATER, last_seen_at: LATER },
  ])
  expect(await listDrift(pool, 'other')).toHaveLength(1)
})

test('keeps a bounded number of rows, and goes on counting them', async () => {
  for (let round = 0; round < 3; round += 1) {
    const drifts = counter(NOW)
    for (let n = 0; n < DRIFT_ROWS_MAX / 2 + 1; n += 1)
      drifts.add({ railAccount: 'bounded', ...drift, field: `${round}-${n}` })
    drifts.add({ railAccount: 'bounded', ...drift, field: '0-0' })
    await drifts.flushed()
  }
  const rows = await listDrift(pool, 'bounded')
  expect(rows).toHaveLength(DRIFT_ROWS_MAX)
  expect(rows.find(({ field }) => field === '0-0')?.count).toBe(4)
})

test('keeps its counts while the database is away', async () => {
  let isAway = true
  const drifts = counter(NOW, {
    query: ((...given: Parameters<typeof pool.query>) =>
      isAway ? Promise.reject(databaseAway()) : pool.query(...given)) as typeof pool.query,
  })
  drifts.add({ railAccount: 'away', ...drift })
  await drifts.flushed()
  drifts.add({ railAccount: 'away', ...drift })
  isAway = false
  await drifts.flushed()
  expect(await listDrift(pool, 'away')).toMatchObject([{ count: 2 }])
})

test('reports why counts are lost, and throws nothing', async () => {
  const lost: unknown[] = []
  const drifts = counter(NOW, pool, (error) => void lost.push(error))
  drifts.add({ railAccount: 'a NUL: \0', ...drift })
  await drifts.flushed()
  expect(lost).toHaveLength(1)
})

test('deletes what did not occur for 90 days', async () => {
  const drifts = counter(NOW)
  drifts.add({ railAccount: 'old', ...drift })
  await drifts.flushed()
  await removeExpired(pool, new Date(NOW.getTime() + DRIFT_KEPT_MS))
  expect(await listDrift(pool, 'old')).toEqual([])
})
