import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock, MASTER_KEY, seededRandom } from '../verification/testing/gateway.ts'
import { rotateKey } from '../admin/queries/key-rotation.ts'
import { createMerchant, newMerchantKeys, setOptionEnabled, updateMerchant } from '../admin/queries/merchants.ts'
import type { Pool } from './pool.ts'
import { loadReferenceData } from './reference-data.ts'
import { reseal } from './reseal.ts'
import { createSecretBox } from './secret-box.ts'

const { pool } = await databaseTest()
const random = seededRandom('reference data')
const box = createSecretBox(MASTER_KEY, random)
const newBox = createSecretBox('another master key for tests, nothing real', random)
const clock = fixedClock(new Date())
const HOUR_MS = 60 * 60_000

async function newMerchant(name: string) {
  const keys = newMerchantKeys(random)
  return { keys, id: await createMerchant(pool, box, { name, keys, sandboxOnly: false }, clock.now()) }
}
const load = (from: Pool = pool) => loadReferenceData({ pool: from, box, clock, sandbox: true })
const digestOf = (secretKey: string) => createHash('sha256').update(secretKey).digest()

/**
 * A pool with delayed lookups of merchants: each lookup runs at once, and its result is withheld while `held` is set.
 */
function withSlowLookUps() {
  let held: Promise<void> | undefined
  let lookUps = 0
  let letGo = (): void => undefined
  const slow = Object.create(pool) as Pool
  slow.query = (async (given: { readonly name?: string }, ...more: never[]) => {
    const isLookUp = given.name === 'merchants'
    const rows: unknown = await (pool.query as (...all: unknown[]) => Promise<unknown>)(given, ...more)
    if (isLookUp) lookUps += 1
    if (isLookUp && held) await held
    return rows
  }) as Pool['query']
  return {
    pool: slow,
    hold: () => ({ promise: held, resolve: letGo } = Promise.withResolvers<void>()),
    release() {
      held = undefined
      letGo()
    },
    lookUps: () => lookUps,
  }
}

// Options, URLs, digests and callback secrets.
test('finds a merchant with all its data by key and by id, in one statement each', async () => {
  const { id, keys } = await newMerchant('Duka')
  await updateMerchant(pool, id, { collectionCallbackUrl: 'https://duka.example/', redirectHosts: ['duka.example'] })
  await pool.query('delete from merchant_options where merchant_id = $1', [id])
  await setOptionEnabled(pool, id, 'mtn_ug', 'PAYOUT', true)
  await setOptionEnabled(pool, id, 'mtn_ug', 'COLLECTION', true)
  const reference = await load()
  const merchant = await reference.merchantByPublicKey(keys.publicKey)
  expect(merchant).toEqual({
    id,
    name: 'Duka',
    publicKey: keys.publicKey,
    collectionCallbackUrl: 'https://duka.example/',
    redirectHosts: ['duka.example'],
    refundsByPayout: false,
    pageRetries: false,
    batchHandshake: false,
    secretKeyDigests: [digestOf(keys.secretKey)],
    enabledOptions: new Set(['mtn_ug:COLLECTION', 'mtn_ug:PAYOUT']),
  })
  expect(await reference.merchantById(id)).toEqual(merchant)
  expect(await reference.callbackSecrets(id)).toEqual({
    signingKeys: [keys.signingKey],
    webhookSecrets: [keys.webhookSecret],
  })
  expect(await reference.merchantById(id + 1_000n)).toBeUndefined()
  expect(await reference.callbackSecrets(id + 1_000n)).toEqual({ signingKeys: [], webhookSecrets: [] })
})

test('keys are listed newest first, without ended ones', async () => {
  const { id, keys } = await newMerchant('Keys')
  const now = clock.now()
  const { secret } = await rotateKey(pool, box, random, { merchantId: id, kind: 'secret_key', keepOldMs: HOUR_MS }, now)
  await rotateKey(pool, box, random, { merchantId: id, kind: 'webhook_secret', keepOldMs: 0 }, now)
  const reference = await load()
  expect((await reference.merchantById(id))?.secretKeyDigests).toEqual([digestOf(secret), digestOf(keys.secretKey)])
  expect((await reference.callbackSecrets(id)).webhookSecrets).toHaveLength(1)
  clock.advance(HOUR_MS)
  expect((await reference.merchantById(id))?.secretKeyDigests).toEqual([digestOf(secret)])
})

test('a process without the sandbox knows no merchant of the sandbox', async () => {
  const live = await loadReferenceData({ pool, box, clock, sandbox: false })
  expect(await live.merchantByPublicKey('pub_sandbox_demo')).toBeUndefined()
  expect(await (await load()).merchantByPublicKey('pub_sandbox_demo')).toBeDefined()
})

test('a public key is cached from the start, or once it was found, until it is gone', async () => {
  const [early, reference] = [await newMerchant('Early'), await load()]
  const late = await newMerchant('Late')
  expect([early, late].map(({ keys }) => reference.isKnownKey(keys.publicKey))).toEqual([true, false])
  await reference.merchantByPublicKey(late.keys.publicKey)
  await reference.merchantByPublicKey('nobody')
  expect([late.keys.publicKey, 'nobody'].map(reference.isKnownKey)).toEqual([true, false])
  await pool.query(`update merchants set public_key = public_key || '-former' where id = $1`, [early.id])
  await reference.refresh()
  await reference.merchantByPublicKey(early.keys.publicKey)
  expect(reference.isKnownKey(early.keys.publicKey)).toBe(false)
  const live = await loadReferenceData({ pool, box, clock, sandbox: false })
  expect([live, reference].map((one) => one.isKnownKey('pub_sandbox_demo'))).toEqual([false, true])
})

test('a change during a lookup leaves no stale entry: a revoked key stays refused', async () => {
  const { id, keys } = await newMerchant('Race')
  const database = withSlowLookUps()
  const reference = await load(database.pool)
  database.hold()
  const early = reference.merchantByPublicKey(keys.publicKey)
  await expect.poll(database.lookUps).toBe(1)
  await pool.query(`delete from merchant_keys where merchant_id = $1 and kind = 'secret_key'`, [id])
  expect(await reference.refresh()).toBe(true)
  database.release()
  expect((await early)?.secretKeyDigests).toHaveLength(1)
  expect((await reference.merchantByPublicKey(keys.publicKey))?.secretKeyDigests).toEqual([])
  expect((await reference.merchantById(id))?.secretKeyDigests).toEqual([])
  expect(database.lookUps()).toBe(2)
})

test('a change of one merchant keeps the others cached and reloads no platform data', async () => {
  const [one, other] = [await newMerchant('One'), await newMerchant('Other')]
  const database = withSlowLookUps()
  const reference = await load(database.pool)
  const both = () => Promise.all([one, other].map(async ({ id }) => (await reference.merchantById(id))?.name))
  const option = reference.option('mtn_ug', 'COLLECTION')
  await both()
  await updateMerchant(pool, one.id, { name: 'Changed' })
  await reference.refresh()
  expect(await both()).toEqual(['Changed', 'Other'])
  expect(database.lookUps()).toBe(2)
  expect(reference.option('mtn_ug', 'COLLECTION')).toBe(option)
  expect(await reference.refresh()).toBe(false)
})

test('after a new master key a process knows all keys, signs for recent merchants only', async () => {
  const [known, unknown] = [await newMerchant('Known'), await newMerchant('Unknown')]
  const reference = await load()
  await reference.callbackSecrets(known.id)
  await reseal(pool, newBox, box)
  await expect(reference.refresh()).rejects.toThrow('MALIPO_MASTER_KEY')
  expect((await reference.callbackSecrets(known.id)).signingKeys).toEqual([known.keys.signingKey])
  await expect(reference.callbackSecrets(unknown.id)).rejects.toThrow('MALIPO_MASTER_KEY')
  for (const { keys } of [known, unknown])
    expect((await reference.merchantByPublicKey(keys.publicKey))?.secretKeyDigests).toEqual([digestOf(keys.secretKey)])
  await reseal(pool, box, newBox)
})

test('changes of merchants arrive even with another master key', async () => {
  const { id, keys } = await newMerchant('Resealed')
  const reference = await load()
  await reference.merchantByPublicKey(keys.publicKey)
  await pool.query('update rsa_keys set sealed_private_pem = $1', [Buffer.alloc(64)])
  await pool.query(`delete from merchant_keys where merchant_id = $1 and kind = 'secret_key'`, [id])
  await expect(reference.refresh()).rejects.toThrow('MALIPO_MASTER_KEY')
  expect((await reference.merchantByPublicKey(keys.publicKey))?.secretKeyDigests).toEqual([])
})
