import { expect, test } from 'vitest'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { lockWaits, untilLockWaits } from '../../verification/testing/lock-waits.ts'
import { until } from '../../verification/testing/served-gateway.ts'
import { findLogo } from '../../storage/merchant-logos.ts'
import { changeBrand } from './merchant-brand.ts'

const { pool } = await databaseTest()

const logo = { mediaType: 'image/png', bytes: Buffer.from('the same picture'), width: 1, height: 1 } as const

async function merchant(name: string): Promise<bigint> {
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into merchants (public_key, name, created_at) values ($1, $1, now()) returning id`,
    [name],
  )
  return rows[0]!.id
}
const digestOf = async (id: bigint): Promise<string> =>
  (await pool.query<{ digest: string }>('select logo_digest as digest from merchants where id = $1', [id])).rows[0]!
    .digest
test('keeps a picture that one merchant drops while another adds it', async () => {
  const [former, next] = [await merchant('pub_former'), await merchant('pub_next')]
  await changeBrand(pool, former, { logo })
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from merchants where id = $1 for update', [next])
  // It has found the logo, and cannot yet store which merchant uses it.
  const taking = changeBrand(pool, next, { logo })
  await untilLockWaits(pool)
  const givingUp = changeBrand(pool, former, { logo: null })
  let isOver = false
  void givingUp.then(() => (isOver = true))
  await until(async () => isOver || (await lockWaits(pool)) === 2, 60_000, 'the former one waits, or is through')
  await holder.query('commit')
  holder.release()
  await Promise.all([taking, givingUp])
  expect(await findLogo(pool, await digestOf(next))).toMatchObject({ mediaType: 'image/png' })
  await changeBrand(pool, next, { logo: null })
  expect((await pool.query('select from merchant_logos')).rowCount).toBe(0)
})
