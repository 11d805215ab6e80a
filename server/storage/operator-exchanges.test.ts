import type pg from 'pg'
import { expect, test } from 'vitest'
import type { OperatorExchange } from '../actions/ports/operator-exchanges.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { databaseAway } from '../verification/testing/database-away.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { removeExpired } from './housekeeping.ts'
import { createOperatorExchanges, EXCHANGES_KEPT_MS } from './operator-exchanges.ts'
import { listExchanges } from '../admin/queries/exchanges.ts'
import { createPool } from './pool.ts'

const { pool, connection } = await databaseTest()
const NOW = new Date('2026-03-02T08:00:00Z')

const exchange = (orderId: string, more: Partial<OperatorExchange> = {}): OperatorExchange => ({
  railAccount: 'mtn-ug',
  purpose: 'submit',
  orderId,
  at: NOW,
  durationMs: 12,
  method: 'POST',
  path: '/collection/v1_0/requesttopay',
  request: 'authorization: ***\n\n{}',
  ...more,
})

test('an exchange that cannot be stored is lost alone', async () => {
  const lost: unknown[] = []
  const exchanges = createOperatorExchanges(pool, (error) => lost.push(error))
  exchanges.add(exchange('o-4'))
  exchanges.add(exchange('o-4', { reply: 'a NUL: \0' }))
  exchanges.add(exchange('o-4'))
  await exchanges.flushed()
  expect(lost).toHaveLength(1)
  expect(await listExchanges(pool, { orderId: 'o-4', limit: 10 })).toHaveLength(2)
})

test('a database outage disturbs nobody; lost exchanges are logged', async () => {
  const away = createPool({ connection: { ...connection, port: 1 }, connectionsMax: 1, onError: () => undefined })
  const lost: unknown[] = []
  const exchanges = createOperatorExchanges(away, (error) => lost.push(error))
  for (let n = 0; n < 4_100; n += 1) exchanges.add(exchange('o-5'))
  await exchanges.flushed()
  await away.end()
  expect(lost).toHaveLength(4_100)
  expect(new Set(lost.map((error) => (error as Error).constructor))).toEqual(new Set([StorageUnavailable]))
})

test('stores an exchange once after an outage, even when a reply was lost', async () => {
  const lost: unknown[] = []
  let tries = 0
  const shaky = {
    async query(statement: pg.QueryConfig) {
      tries += 1
      if (tries === 1) throw databaseAway()
      const result = await pool.query(statement)
      if (tries === 2) throw databaseAway()
      return result
    },
  }
  const exchanges = createOperatorExchanges(shaky as unknown as pg.Pool, (error) => lost.push(error), 10)
  exchanges.add(exchange('o-6', { durationMs: 1 }))
  exchanges.add(exchange('o-6', { durationMs: 2 }))
  await expect.poll(() => tries).toBe(3)
  exchanges.add(exchange('o-6', { durationMs: 3 }))
  await exchanges.flushed()
  expect(lost).toEqual([])
  const kept = await listExchanges(pool, { orderId: 'o-6', limit: 10 })
  expect(kept.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other)).toEqual([1, 2, 3])
})

test('deletes exchanges after 90 days, and not a moment before', async () => {
  const exchanges = createOperatorExchanges(pool, () => undefined)
  exchanges.add(exchange('old', { at: new Date(NOW.getTime() - EXCHANGES_KEPT_MS) }))
  exchanges.add(exchange('kept', { at: new Date(NOW.getTime() - EXCHANGES_KEPT_MS + 1) }))
  await exchanges.flushed()
  await removeExpired(pool, NOW)
  expect(await listExchanges(pool, { orderId: 'old', limit: 1 })).toEqual([])
  expect(await listExchanges(pool, { orderId: 'kept', limit: 1 })).toHaveLength(1)
})
