import { beforeEach, expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { MASTER_KEY, seededRandom } from '../verification/testing/gateway.ts'
import { untilLockWaits } from '../verification/testing/lock-waits.ts'
import {
  CHANGES_READ_MAX,
  readChanges,
  readPosition,
  removeOldChanges,
  type ReferencePosition,
} from './merchant-changes.ts'
import { rotateKey } from '../admin/queries/key-rotation.ts'
import { createMerchant, newMerchantKeys, setOptionEnabled, updateMerchant } from '../admin/queries/merchants.ts'
import { reseal } from './reseal.ts'
import { createSecretBox } from './secret-box.ts'

const { pool } = await databaseTest()
const random = seededRandom('changes')
const box = createSecretBox(MASTER_KEY, random)
const HOUR_MS = 60 * 60_000

let merchants: bigint[]
let position: ReferencePosition
beforeEach(async () => {
  merchants = []
  for (const name of ['Mmoja', 'Pili'])
    merchants.push(
      await createMerchant(pool, box, { name, keys: newMerchantKeys(random), sandboxOnly: false }, new Date()),
    )
  position = await readPosition(pool)
})

/** The merchants reported as changed since the last poll. */
async function received(): Promise<readonly bigint[] | 'all'> {
  const { position: current, changed } = await readChanges(pool, position)
  position = current
  return changed === 'all' ? 'all' : [...changed].sort((a, b) => Number(a - b))
}

test('notifies each change of a merchant, its keys and its options by its id alone', async () => {
  const [one, other] = merchants as [bigint, bigint]
  expect(await received()).toEqual([])
  await updateMerchant(pool, one, { name: 'Moja' })
  expect(await received()).toEqual([one])
  await setOptionEnabled(pool, other, 'mtn_ug', 'PAYOUT', false)
  expect(await received()).toEqual([other])
  await setOptionEnabled(pool, other, 'mtn_ug', 'PAYOUT', true)
  expect(await received()).toEqual([other])
  await pool.query(`update merchant_keys set expires_at = now() where merchant_id = $1 and kind = 'secret_key'`, [one])
  expect(await received()).toEqual([one])
  await pool.query(`delete from merchant_keys where merchant_id = $1 and kind = 'secret_key'`, [one])
  expect(await received()).toEqual([one])
  const made = await createMerchant(
    pool,
    box,
    { name: 'Tatu', keys: newMerchantKeys(random), sandboxOnly: false },
    new Date(),
  )
  expect(await received()).toEqual([made])
  await pool.query('update merchant_options set merchant_id = $2 where merchant_id = $1 and provider_code = $3', [
    made,
    await unenabled(),
    'mtn_ug',
  ])
  expect(await received()).toEqual([made, made + 1n])
})

/** Creates a merchant without enabled options; its id follows the newest one. */
async function unenabled(): Promise<bigint> {
  const id = await createMerchant(
    pool,
    box,
    { name: 'Nne', keys: newMerchantKeys(random), sandboxOnly: false },
    new Date(),
  )
  await pool.query('delete from merchant_options where merchant_id = $1', [id])
  await received()
  return id
}

test('platform data has a counter of its own, and neither moves the other', async () => {
  const before = position
  await updateMerchant(pool, merchants[0]!, { name: 'Moja' })
  await received()
  expect(position).toEqual({ platform: before.platform, merchants: before.merchants + 1n })
  await pool.query(`update providers set name = 'MTN' where code = 'mtn_ug'`)
  expect(await received()).toEqual([])
  expect(position).toEqual({ platform: before.platform + 1n, merchants: before.merchants + 1n })
})

test('processes of the previous version see every change by the counter they watch', async () => {
  const version = async () =>
    (await pool.query<{ version: bigint }>('select version from reference_version')).rows[0]!.version
  const before = await version()
  await updateMerchant(pool, merchants[0]!, { name: 'Moja' })
  await pool.query(`update providers set name = 'MTN' where code = 'mtn_ug'`)
  expect(await version()).toBe(before + 2n)
})

test('a later commit has a later version: a reader of one misses no other', async () => {
  const [one, other] = merchants as [bigint, bigint]
  const slow = await pool.connect()
  await slow.query('begin')
  await slow.query(`update merchants set name = 'Slow' where id = $1`, [one])
  const fast = updateMerchant(pool, other, { name: 'Fast' })
  await untilLockWaits(pool)
  expect(await received()).toEqual([])
  await slow.query('commit')
  slow.release()
  await fast
  expect(await received()).toEqual([one, other])
})

test('notifies nothing rolled back, even to a savepoint, but all that follows it', async () => {
  const [one, other] = merchants as [bigint, bigint]
  const client = await pool.connect()
  await client.query('begin')
  await client.query('savepoint before')
  await client.query(`update merchants set name = 'Never' where id = $1`, [one])
  await client.query('rollback to before')
  await client.query(`update merchants set name = 'Kept' where id = $1`, [other])
  await client.query('commit')
  client.release()
  expect(await received()).toEqual([other])
  await updateMerchant(pool, one, { name: 'Next' })
  expect(await received()).toEqual([one])
})

test('a transaction has one version, however many rows and merchants it changes', async () => {
  const before = position
  await pool.query('update merchants set name = name')
  expect(await received()).toEqual(expect.arrayContaining(merchants))
  expect(position.merchants).toBe(before.merchants + 1n)
})

test('resealed secrets are the same secrets and notify nothing', async () => {
  await rotateKey(pool, box, random, { merchantId: merchants[0]!, kind: 'signing_key', keepOldMs: HOUR_MS }, new Date())
  expect(await received()).toEqual([merchants[0]])
  const { merchantSecrets } = await reseal(
    pool,
    createSecretBox('another master key for tests, nothing real', random),
    box,
  )
  expect(merchantSecrets).toBeGreaterThan(0)
  expect(await received()).toEqual([])
})

test('prunes old changes by whole versions; a reader that lags reloads everything', async () => {
  const reader = position
  for (const id of merchants) await updateMerchant(pool, id, { name: 'Again' })
  await removeOldChanges(pool, new Date())
  expect((await readChanges(pool, reader)).changed).toEqual(new Set(merchants))
  await pool.query(`update merchant_changes set changed_at = now() - interval '61 minutes' where version <= $1`, [
    reader.merchants + 1n,
  ])
  await removeOldChanges(pool, new Date())
  expect((await readChanges(pool, reader)).changed).toBe('all')
  const later = { ...reader, merchants: reader.merchants + 1n }
  expect((await readChanges(pool, later)).changed).toEqual(new Set([merchants[1]]))
  await pool.query('delete from merchant_changes')
  expect((await readChanges(pool, later)).changed).toBe('all')
})

test('too many changes and a database set back are reported as a change of all', async () => {
  expect((await readChanges(pool, { ...position, merchants: position.merchants + 5n })).changed).toBe('all')
  const more = (count: number) =>
    pool.query(
      `with v as (update reference_version set merchants = merchants + 1 returning merchants)
       insert into merchant_changes (version, merchant_id) select merchants, n from v, generate_series(1, $1::int) n`,
      [count],
    )
  await more(CHANGES_READ_MAX)
  expect(await received()).toHaveLength(CHANGES_READ_MAX)
  await more(CHANGES_READ_MAX + 1)
  expect(await received()).toBe('all')
})
