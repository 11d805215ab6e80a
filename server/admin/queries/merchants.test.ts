import { expect, test } from 'vitest'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { eachMerchant, firstMerchants } from './merchants.ts'

const { pool } = await databaseTest()

test('lists each of many merchants once, in the order of their addition', async () => {
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into merchants (public_key, name, created_at)
     select 'pub_listed_' || n, 'Listed ' || n, now() from generate_series(1, 2001) n returning id`,
  )
  const listed: bigint[] = []
  for await (const { id, public_key } of eachMerchant(pool)) if (public_key.startsWith('pub_listed_')) listed.push(id)
  expect(listed).toEqual(rows.map(({ id }) => id))
  expect(await firstMerchants(pool, 2)).toEqual([
    expect.objectContaining({ name: 'Duka la Mfano' }),
    { id: rows[0]!.id, name: 'Listed 1' },
  ])
})
