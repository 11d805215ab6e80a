import { describe, expect, test } from 'vitest'
import { newTokenKey } from '../domain/callback-tokens.ts'
import { present } from '../domain/present.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { MASTER_KEY, seededRandom } from '../verification/testing/gateway.ts'
import { untilLockWaits } from '../verification/testing/lock-waits.ts'
import { newTransaction, START, unique, uniqueId } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import { railAccountChanges } from '../admin/queries/rail-account-changes.ts'
import {
  addRailAccount,
  changeRailAccount,
  removeRailAccount,
  type RailAccountChange,
  type NewRailAccount,
} from '../admin/queries/rail-accounts.ts'
import { openSettings, readRailAccounts, toRailAccount } from './rail-accounts.ts'
import { createRailCallbackStore } from './rail-callbacks.ts'
import { reseal } from './reseal.ts'
import { createSecretBox } from './secret-box.ts'
import { createStore } from './store.ts'

const { pool } = await databaseTest()
const random = seededRandom('railAccounts')
const box = createSecretBox(MASTER_KEY, random)
const newBox = createSecretBox('another master key for tests, nothing real', random)

async function added(changes: Partial<NewRailAccount> = {}): Promise<string> {
  const name = `mtn-${unique()}`
  const railAccount: NewRailAccount = {
    name,
    rail: 'mtn-momo',
    environment: 'trial',
    currency: 'UGX',
    baseUrl: 'https://operator.example',
    callbackKey: newTokenKey(random),
    settings: { target_environment: 'sandbox' },
    secrets: { collection_api_key: 'a very secret key' },
    ...changes,
  }
  expect(await addRailAccount(pool, box, railAccount, START)).toBe(true)
  return name
}
const rowOf = async (name: string) =>
  present(
    (await readRailAccounts(pool)).find((row) => row.name === name),
    'the rail account',
  )

test('secret settings are sealed at rest, and join the others when it is opened', async () => {
  const name = await added()
  const row = await rowOf(name)
  expect(toRailAccount(box, row)).toMatchObject({
    name,
    settings: { target_environment: 'sandbox', collection_api_key: 'a very secret key' },
  })
  expect(Buffer.from(row.sealed_settings).toString('latin1')).not.toContain('very secret')
  expect(row.settings).not.toHaveProperty('collection_api_key')
})

const keysOf = async (name: string) => toRailAccount(box, await rowOf(name)).callbackKeys
const minutesLater = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000)

describe('the keys of the addresses', () => {
  const change = (name: string, changes: Partial<RailAccountChange>, at = START) =>
    changeRailAccount(pool, box, name, { settings: {}, secrets: {}, requiresNoOpenOrders: false, ...changes }, at)

  test('are sealed at rest, and open in their own row only', async () => {
    const callbackKey = newTokenKey(random)
    const [name, other] = [await added({ callbackKey }), await added()]
    expect(await keysOf(name)).toEqual({ keys: [callbackKey] })
    const { rows } = await pool.query<{ row: string }>(
      `select i::text || encode(sealed_callback_keys, 'escape') as row from rail_accounts i where name = $1`,
      [name],
    )
    for (const part of [callbackKey.id, callbackKey.secret]) expect(rows[0]?.row).not.toContain(part)
    await pool.query(
      `update rail_accounts set sealed_callback_keys = (select sealed_callback_keys from rail_accounts
       where name = $1) where name = $2`,
      [name, other],
    )
    await expect(keysOf(other)).rejects.toThrow('was sealed for something else')
    await pool.query('delete from rail_accounts where name = $1', [other])
  })

  test('stay for 90 days as retired after a rotation, unchanged after other changes', async () => {
    const [first, second, third] = [newTokenKey(random), newTokenKey(random), newTokenKey(random)]
    const name = await added({ callbackKey: first })
    await change(name, { callbackKey: second }, minutesLater(1))
    await change(name, { settings: { requests_per_second: '7' } }, minutesLater(2))
    expect(await keysOf(name)).toEqual({ keys: [second, { ...first, retiredAt: minutesLater(2) }] })
    const later = minutesLater(2 + 90 * 24 * 60)
    await change(name, { callbackKey: third }, later)
    expect(await keysOf(name)).toEqual({ keys: [third, { ...second, retiredAt: new Date(later.getTime() + 60_000) }] })
  })

  test('end at once when they leaked', async () => {
    const [first, second] = [newTokenKey(random), newTokenKey(random)]
    const name = await added({ callbackKey: first })
    await change(name, { callbackKey: second, endsFormerAddresses: true })
    expect(await keysOf(name)).toEqual({ keys: [second] })
    expect((await railAccountChanges(pool, name, 1))[0]?.what).toBe('changed: addresses=new, those before ended')
  })
})

test('the secrets of one rail account do not open in the row of another', async () => {
  const [one, other] = [await added(), await added()]
  await pool.query(
    'update rail_accounts set sealed_settings = (select sealed_settings from rail_accounts where name = $1) where name = $2',
    [one, other],
  )
  const row = await rowOf(other)
  expect(() => openSettings(box, row)).toThrow('was sealed for something else')
  await pool.query('delete from rail_accounts where name = $1', [other])
})

test('a new master key still opens its settings and unread messages', async () => {
  const name = await added()
  const store = createStore(pool)
  const messages = (withBox = box) => createRailCallbackStore(pool, withBox, { wake: () => undefined })
  const transactionId = uniqueId()
  const orderId = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
  await store.transaction((unit) =>
    unit.addRailReferences([{ transactionId, railAccount: name, name: 'order', reference: orderId }], START),
  )
  for (const body of ['{"read":true}', '{"read":false}'])
    expect(await messages().receive({ railAccount: name, orderId, method: 'POST', body }, START)).toBe('stored')
  const ids = (await pool.query<{ id: bigint }>('select id from rail_callbacks order by id')).rows.map(({ id }) => id)
  await store.transaction((unit) => unit.endRailCallback(present(ids[0], 'a message'), 'no_verdict', START))

  const before = toRailAccount(box, await rowOf(name))
  const railAccounts = (await readRailAccounts(pool)).length
  expect(await reseal(pool, newBox, box)).toMatchObject({
    railSettings: railAccounts,
    callbackKeys: railAccounts,
    railCallbacks: 1,
  })
  const row = await rowOf(name)
  expect(toRailAccount(newBox, row)).toEqual(before)
  expect(() => toRailAccount(box, row)).toThrow()
  const items = ids.map((subjectId) => ({
    id: subjectId,
    kind: 'readRailCallback' as const,
    subjectId,
    attempt: 1,
    token: '0'.repeat(32),
    failures: 0,
  }))
  expect(await messages(newBox).load(items)).toMatchObject([{ body: '{"read":false}', transactionId }])
  await expect(messages().load(items)).rejects.toThrow()
})

test('a removed one is never read, has no secrets left and its name stays taken', async () => {
  const name = await added()
  expect(await removeRailAccount(pool, box, name, START)).toBe(true)
  expect((await readRailAccounts(pool)).map((row) => row.name)).not.toContain(name)
  const { rows } = await pool.query<{ sealed_settings: Buffer; sealed_callback_keys: Buffer | null }>(
    'select sealed_settings, sealed_callback_keys from rail_accounts where name = $1',
    [name],
  )
  expect(openSettings(box, { name, ...present(rows[0], 'its row') })).toEqual({})
  expect(rows[0]?.sealed_callback_keys).toBeNull()
  expect(
    await addRailAccount(
      pool,
      box,
      {
        name,
        rail: 'daraja',
        environment: 'trial',
        currency: 'KES',
        baseUrl: 'https://operator.example',
        callbackKey: newTokenKey(random),
        settings: {},
        secrets: {},
      },
      START,
    ),
  ).toBe(false)
})

test('a process without notice of a removal passes nothing to what is gone', async () => {
  const name = await added()
  const store = createStore(pool)
  const handOver = () =>
    store.transaction((unit) =>
      unit.addRailReferences(
        [{ transactionId: uniqueId(), railAccount: name, name: 'order', reference: String(unique()) }],
        START,
      ),
    )
  // The removal waits for an order that is being handed over.
  const { promise: committed, resolve: commit } = Promise.withResolvers<undefined>()
  const handing = store.transaction(async (unit) => {
    await unit.addRailReferences(
      [{ transactionId: uniqueId(), railAccount: name, name: 'order', reference: String(unique()) }],
      START,
    )
    await committed
  })
  let isRemoved = false
  await expect
    .poll(() =>
      pool
        .query(
          `select 1 from pg_locks l join pg_class c on c.oid = l.relation join pg_database d on d.oid = l.database
           where c.relname = 'rail_references' and d.datname = current_database()`,
        )
        .then(({ rowCount }) => rowCount),
    )
    .toBeGreaterThan(0)
  const removing = removeRailAccount(pool, box, name, START).then((removed) => {
    isRemoved = removed
  })
  await untilLockWaits(pool)
  expect(isRemoved).toBe(false)
  commit(undefined)
  await Promise.all([handing, removing])
  expect(isRemoved).toBe(true)
  await expect(handOver()).rejects.toThrow(`the rail account ${name} is removed`)
})

test('an open order locks the identity and destination, and no other setting', async () => {
  const name = await added()
  const change = (requiresNoOpenOrders: boolean) =>
    changeRailAccount(
      pool,
      box,
      name,
      {
        baseUrl: 'https://elsewhere.example',
        settings: {},
        secrets: { collection_api_key: 'a newer key' },
        requiresNoOpenOrders: requiresNoOpenOrders,
      },
      START,
    )
  const transaction = newTransaction()
  await createAcceptance(pool).accept(transaction)
  const become = (status: string) =>
    pool.query('update transactions set status = $3, rail_account = $2 where internal_reference = $1', [
      transaction.internalReference,
      name,
      status,
    ])
  await become('PROCESSING')
  expect(await change(true)).toBe('orders_open')
  expect(toRailAccount(box, await rowOf(name))).toMatchObject({
    baseUrl: 'https://operator.example',
    settings: { collection_api_key: 'a very secret key' },
  })
  expect(await change(false)).toBe('changed')
  await become('FAILED')
  expect(await change(true)).toBe('changed')
  expect(toRailAccount(box, await rowOf(name)).settings['collection_api_key']).toBe('a newer key')
  expect(
    await changeRailAccount(pool, box, 'nobody', { settings: {}, secrets: {}, requiresNoOpenOrders: false }, START),
  ).toBe('unknown')
})
