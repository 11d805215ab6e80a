import { expect, test } from 'vitest'
import type { NewInboxMessage } from '../domain/received/message.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { removeExpired } from './housekeeping.ts'
import { addReceivedOf, RECEIVED_KEPT_MAX } from './received-messages.ts'

const { pool } = await databaseTest()
const NOW = new Date('2026-03-01T08:00:00Z')
const message: NewInboxMessage = {
  receivedAt: NOW,
  kind: 'callback',
  answered: 200,
  expiresAt: new Date(NOW.getTime() + 1_000),
  summary: {},
  headers: {},
  checks: { webhook: { verdict: 'good' }, hmac: { verdict: 'good' }, rsa: { verdict: 'good' } },
  body: Buffer.from('{}'),
}
const kept = async (): Promise<unknown> =>
  (
    await pool.query(
      'select merchant_id::int as merchant, count(*)::int from sandbox.inbox group by merchant_id order by merchant_id',
    )
  ).rows

test('a merchant keeps their newest messages until they expire', async () => {
  await addReceivedOf(pool, 8n, message)
  for (let n = 0; n < RECEIVED_KEPT_MAX + 2; n += 1) await addReceivedOf(pool, 7n, message)
  expect(await kept()).toEqual([
    { merchant: 7, count: RECEIVED_KEPT_MAX },
    { merchant: 8, count: 1 },
  ])
  await removeExpired(pool, NOW)
  expect(await kept()).toHaveLength(2)
  await removeExpired(pool, message.expiresAt!)
  expect(await kept()).toEqual([])
})
