import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway, MASTER_KEY } from '../verification/testing/gateway.ts'
import { openDigests } from './digests.ts'
import { rotateRsaKey } from '../admin/queries/key-rotation.ts'
import { createMerchant, newMerchantKeys } from '../admin/queries/merchants.ts'
import { loadReferenceData } from './reference-data.ts'
import { reseal } from './reseal.ts'
import { createSecretBox } from './secret-box.ts'

const random = { bytes: (size: number) => randomBytes(size) }
const NEW_MASTER_KEY = 'another master key for tests, nothing real'
const box = createSecretBox(MASTER_KEY, random)
const newBox = createSecretBox(NEW_MASTER_KEY, random)
const clock = fixedClock()

const { pool, ...database } = await databaseTest()
const merchants: bigint[] = []
for (const name of ['Mmoja', 'Pili']) {
  const keys = newMerchantKeys(seededRandom(name))
  merchants.push(await createMerchant(pool, box, { name, keys, sandboxOnly: false }, clock.now()))
}
const TABLES = ['merchant_keys', 'rsa_keys', 'digest_key']
await pool.query(TABLES.map((table) => `create table copy_of_${table} as select * from ${table};`).join('\n'))
afterEach(async () => {
  await pool.query(
    TABLES.map(
      (table) => `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table};`,
    ).join('\n'),
  )
})

const load = (withBox = box) => loadReferenceData({ pool, box: withBox, clock, sandbox: true })
const secretsOf = async (withBox = box) => {
  const reference = await load(withBox)
  return {
    merchants: await Promise.all(merchants.map((id) => reference.callbackSecrets(id))),
    rsa: reference.rsaSigningKey(),
  }
}
const sealedBytes = async () =>
  (
    await pool.query<{ sealed: Buffer }>(
      `select sealed from merchant_keys where sealed is not null
       union all select sealed_private_pem from rsa_keys
       union all select sealed from digest_key order by 1`,
    )
  ).rows.map(({ sealed }) => sealed)

const NOTHING = {
  merchantSecrets: 0,
  rsaKeys: 0,
  digestKeys: 0,
  railSettings: 0,
  callbackKeys: 0,
  railCallbacks: 0,
  approvalInputs: 0,
  accountMessages: 0,
  current: 0,
}

describe('a sealed secret opens in its own place only', () => {
  const copy = (kind: string, to: { readonly merchant: bigint; readonly kind: string }) =>
    pool.query(
      `update merchant_keys set sealed = (select sealed from merchant_keys where merchant_id = $1 and kind = $2)
       where merchant_id = $3 and kind = $4`,
      [merchants[0], kind, to.merchant, to.kind],
    )

  test('does not open when copied to another merchant', async () => {
    await copy('signing_key', { merchant: merchants[1]!, kind: 'signing_key' })
    await expect(secretsOf()).rejects.toThrow(
      `the sealed signing_key of merchant ${merchants[1]} was sealed for something else, or altered in the database`,
    )
  })

  test('does not open as a webhook secret in the row of a signing key', async () => {
    await copy('webhook_secret', { merchant: merchants[0]!, kind: 'signing_key' })
    await expect(secretsOf()).rejects.toThrow(
      `the sealed signing_key of merchant ${merchants[0]} was sealed for something else`,
    )
  })

  test('does not open as a private RSA key under another public half', async () => {
    await rotateRsaKey(pool, box, clock.now())
    await pool.query(
      'update rsa_keys set sealed_private_pem = (select sealed_private_pem from rsa_keys order by id limit 1)',
    )
    await expect(load()).rejects.toThrow(
      /^the sealed rsa_private_key of RSA key [0-9a-f]{16} was sealed for something else/,
    )
  })
})

test('concurrent first starts agree on one key of digests', async () => {
  await pool.query('delete from digest_key')
  const made = await Promise.all(
    [1, 2, 3].map(async () => (await openDigests(pool, box, random, clock.now()))('otp', 'MLP1:123456')),
  )
  expect(made).toEqual([made[0], made[0], made[0]])
})

describe('a new master key', () => {
  test('seals everything anew, and repeating it finds nothing to do', async () => {
    const before = await secretsOf()
    const digest = (await openDigests(pool, box, random, clock.now()))('otp', 'MLP1:123456')
    expect(await reseal(pool, newBox, box)).toEqual({ ...NOTHING, merchantSecrets: 6, rsaKeys: 1, digestKeys: 1 })
    expect(await secretsOf(newBox)).toEqual(before)
    expect((await openDigests(pool, newBox, random, clock.now()))('otp', 'MLP1:123456')).toEqual(digest)
    await expect(load(box)).rejects.toThrow('MALIPO_MASTER_KEY is not the key that this database was written with')
    expect(await reseal(pool, newBox, box)).toEqual({ ...NOTHING, current: 8 })
  })

  test('seals all of them anew, even over several pages', async () => {
    const webhookSecret = (n: number) => `whsec_${String(n)}`
    const { rows } = await pool.query<{ id: bigint }>(
      `insert into merchants (public_key, name, created_at)
       select 'pub_many_' || n, 'Many', now() from generate_series(1, 2001) n returning id`,
    )
    await pool.query(
      `insert into merchant_keys (merchant_id, kind, sealed, created_at)
       select merchant_id, 'webhook_secret', sealed, now() from unnest($1::bigint[], $2::bytea[]) as r(merchant_id, sealed)`,
      [
        rows.map(({ id }) => id),
        rows.map(({ id }, n) => box.seal(webhookSecret(n), { purpose: 'webhook_secret', owner: `merchant ${id}` })),
      ],
    )
    expect(await reseal(pool, newBox, box)).toMatchObject({ merchantSecrets: 6 + 2_001, current: 0 })
    const reference = await load(newBox)
    const [first, last] = [rows[0]!, rows.at(-1)!]
    expect((await reference.callbackSecrets(first.id)).webhookSecrets).toEqual([webhookSecret(0)])
    expect((await reference.callbackSecrets(last.id)).webhookSecrets).toEqual([webhookSecret(2_000)])
  })

  test('one of two concurrent runs seals, the other finds it done', async () => {
    const ends = await Promise.all([reseal(pool, newBox, box), reseal(pool, newBox, box)])
    expect(ends.map(({ current }) => current).sort((a, b) => a - b)).toEqual([0, 8])
  })

  test('seals nothing when one secret opens with neither key, or belongs elsewhere', async () => {
    await pool.query(`update merchant_keys set sealed = $2 where merchant_id = $1 and kind = 'webhook_secret'`, [
      merchants[1],
      createSecretBox('a third master key that nobody gave, really', random).seal('whsec_AAAA', {
        purpose: 'webhook_secret',
        owner: `merchant ${merchants[1]}`,
      }),
    ])
    const before = await sealedBytes()
    await expect(reseal(pool, newBox, box)).rejects.toThrow(
      `neither master key opens the sealed webhook_secret of merchant ${merchants[1]}`,
    )
    await pool.query(
      `update merchant_keys set sealed = (
         select sealed from merchant_keys where merchant_id = $1 and kind = 'webhook_secret')
       where merchant_id = $2 and kind = 'webhook_secret'`,
      merchants,
    )
    await expect(reseal(pool, newBox, box)).rejects.toThrow(
      `the sealed webhook_secret of merchant ${merchants[1]} was sealed for something else`,
    )
    expect((await sealedBytes()).filter((sealed) => newBox.isCurrent(sealed))).toEqual([])
    expect(before).toHaveLength(8)
  })

  // They recognise idempotency keys and run again what was refused before.
  test('running servers keep their state; new ones know keys and judge refusals anew', async () => {
    const start = (masterKey: string) =>
      startTestGateway({ connection: database.connection, env: { MALIPO_MASTER_KEY: masterKey } })
    const collect = (url: string, key: string, amount: number) =>
      fetch(`${url}/collections/initialize`, {
        method: 'POST',
        headers: { ...DEMO_KEYS, 'x-api-version': '1', 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({
          transaction_method: 'MOBILE_MONEY',
          provider_code: 'mtn_ug',
          merchant_reference: 'auto',
          msisdn: '256772000123',
          currency: 'UGX',
          amount,
          description: 'Before and after',
        }),
      })
    const old = await start(MASTER_KEY)
    const accepted = (await (await collect(old.url, 'accepted-before', 5_000)).json()) as object
    expect((await collect(old.url, 'refused-before', 1)).status).toBe(400)
    await reseal(pool, newBox, box)
    await expect(old.refresh()).rejects.toThrow('MALIPO_MASTER_KEY is not the key that this database was written with')
    expect((await collect(old.url, 'accepted-by-old', 5_000)).status).toBe(202)
    expect((await collect(old.url, 'refused-by-old', 1)).status).toBe(400)
    await old.stop()
    await expect(start(MASTER_KEY)).rejects.toThrow(
      'MALIPO_MASTER_KEY is not the key that this database was written with',
    )

    const next = await start(NEW_MASTER_KEY)
    try {
      const again = await collect(next.url, 'accepted-before', 5_000)
      expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual(['true', accepted])
      for (const key of ['refused-before', 'refused-by-old']) expect((await collect(next.url, key, 1)).status).toBe(400)
    } finally {
      await next.stop()
    }
  })
})
