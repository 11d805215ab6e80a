import { expect, test } from 'vitest'
import { createMerchantLists } from '../admin/queries/merchant-lists.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { numberEvents } from './merchant-events.ts'
import { ensureMonths, monthsAhead } from './months.ts'
import { idBound } from './time-ids.ts'

const { pool } = await databaseTest()
const now = new Date('2026-03-01T08:00:00Z')
await ensureMonths(pool, monthsAhead(now, 1), now)
const [shop, other] = (
  await pool.query<{ id: bigint }>(
    `insert into merchants (public_key, name, created_at) values ('pub_a', 'A', $1), ('pub_b', 'B', $1) returning id`,
    [now],
  )
).rows.map(({ id }) => id) as [bigint, bigint]
let payment = 0n

/** Stores callbacks in a transaction of their own. @returns their webhook ids, and what ends the transaction */
async function tell(merchantId: bigint, times = 1) {
  const client = await pool.connect()
  await client.query('begin')
  const ids = Array.from({ length: times }, () => idBound(now) + (payment += 1n) * 16n)
  await client.query(
    `insert into callbacks (id, webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
     select id, 'cb_' || id, id, $2, 'transaction.failed', '', '{}', 'STOPPED', $3 from unnest($1::bigint[]) id`,
    [ids, merchantId, now],
  )
  return {
    webhookIds: ids.map((id) => `cb_${id}`),
    async end(how: 'commit' | 'rollback' = 'commit') {
      await client.query(how)
      client.release()
    },
  }
}
const lists = createMerchantLists(pool)
const read = async (after = 0n, merchantId = shop) =>
  (await lists.events(merchantId, { after, limit: 100 })).map(({ number, webhookId }) => [number, webhookId] as const)

test('an event that commits late gets a later number than what was read', async () => {
  const [first, second, third] = [await tell(shop), await tell(shop), await tell(shop)]
  await second.end()
  await numberEvents(pool)
  const seen = await read()
  expect(seen).toEqual([[1n, ...second.webhookIds]])
  await third.end('rollback')
  await first.end()
  await numberEvents(pool)
  expect(await read(1n)).toEqual([[2n, ...first.webhookIds]])
})

test('two workers number each event once, each merchant without gaps', async () => {
  const before = (await read()).length
  const told = [await tell(shop, 30), await tell(other, 20), await tell(shop, 30)]
  await Promise.all([...told.map(({ end }) => end()), ...Array.from({ length: 6 }, () => numberEvents(pool))])
  await numberEvents(pool)
  const ofShop = await read()
  expect(ofShop.map(([number]) => number)).toEqual(Array.from({ length: before + 60 }, (_, n) => BigInt(n + 1)))
  expect(
    ofShop
      .slice(before)
      .map(([, id]) => id)
      .toSorted(),
  ).toEqual([...told[0]!.webhookIds, ...told[2]!.webhookIds].toSorted())
  expect((await read(0n, other)).map(([number]) => number)).toEqual(Array.from({ length: 20 }, (_, n) => BigInt(n + 1)))
})

test('a worker that is numbering keeps the others from it', async () => {
  const { end } = await tell(shop)
  await end()
  const known = await read()
  const client = await pool.connect()
  await client.query('begin; select from merchant_event_turn for update')
  await numberEvents(pool)
  expect(await read()).toEqual(known)
  await client.query('rollback')
  client.release()
  await numberEvents(pool)
  expect(await read()).toHaveLength(known.length + 1)
})
