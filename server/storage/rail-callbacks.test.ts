import { beforeEach, describe, expect, test } from 'vitest'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE } from '../actions/ports/rail-references.ts'
import type { Job } from '../actions/ports/jobs.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { MASTER_KEY, seededRandom } from '../verification/testing/gateway.ts'
import { uniqueId } from '../verification/testing/transactions.ts'
import { CALLBACKS_KEPT_MS, createRailCallbackStore } from './rail-callbacks.ts'
import { removeExpired } from './housekeeping.ts'
import { createSecretBox } from './secret-box.ts'
import { createStore } from './store.ts'

// What PostgreSQL adds to the port tests of rail references: sealed texts, concurrency, deletion.

const { pool } = await databaseTest()
const NOW = new Date('2026-03-02T08:00:00Z')

const random = seededRandom('messages')
const woken: string[] = []
const callbacks = createRailCallbackStore(pool, createSecretBox(MASTER_KEY, random), {
  wake: (kind) => void woken.push(kind),
})
const store = createStore(pool)

let transactionId: bigint
let orderId: string
beforeEach(async () => {
  await pool.query('truncate rail_callbacks, jobs')
  woken.length = 0
  transactionId = uniqueId()
  orderId = `00000000-0000-4000-8000-${String(transactionId).padStart(12, '0')}`
  await called('mpesa-kenya', OUR_REFERENCE, orderId)
})

const called = (railAccount: string, name: string, reference: string) =>
  store.transaction((unit) => unit.addRailReferences([{ transactionId, railAccount, name, reference }], NOW))
const message = (changes: Partial<RailCallback> = {}): RailCallback => ({
  railAccount: 'mpesa-kenya',
  orderId,
  method: 'POST',
  body: '{"said":"once"}',
  ...changes,
})
const receive = (changes: Partial<RailCallback> = {}, at = NOW): Promise<Reception> =>
  callbacks.receive(message(changes), at)
const rows = async () =>
  (
    await pool.query<{ id: bigint; sealed_body: Buffer | null; result: string | null }>(
      'select id, sealed_body, result from rail_callbacks order by id',
    )
  ).rows
const work = async (): Promise<Job[]> =>
  (
    await pool.query<{ id: bigint; subject_id: bigint }>(
      `select id, subject_id from jobs where kind = 'readRailCallback' order by id`,
    )
  ).rows.map(({ id, subject_id }) => ({
    id,
    kind: 'readRailCallback',
    subjectId: subject_id,
    attempt: 1,
    token: '0'.repeat(32),
    failures: 0,
  }))
const end = async () => {
  const [row] = await rows()
  await store.transaction((unit) => unit.endRailCallback(row?.id ?? 0n, 'no_verdict', NOW))
}

describe('a message', () => {
  test('is stored with its job and notified at once; its text is sealed', async () => {
    expect(await receive({ tail: 'result', method: 'PUT' })).toBe('stored')
    expect(await callbacks.load(await work())).toEqual([
      { ...message({ tail: 'result', method: 'PUT' }), id: (await rows())[0]?.id, transactionId },
    ])
    expect(woken).toEqual(['readRailCallback'])
    expect((await rows())[0]?.sealed_body?.toString('latin1')).not.toContain('once')
  })

  test('of the same words to two addresses at the same moment is one', async () => {
    const receptions = await Promise.all(Array.from({ length: 8 }, () => receive()))
    expect(receptions.toSorted()).toEqual([...Array<string>(7).fill('known'), 'stored'])
  })

  test("about the operator's id for an order is ignored and stores nothing", async () => {
    await called('mpesa-kenya', 'ConversationID', '11111111-1111-4111-8111-111111111111')
    expect(await receive({ orderId: '11111111-1111-4111-8111-111111111111' })).toBe('unknown_order')
    expect([await rows(), await work(), woken]).toEqual([[], [], []])
  })

  test('whose words were moved or changed in the database does not open', async () => {
    await receive()
    await pool.query(`update rail_callbacks set order_id = '22222222-2222-4222-8222-222222222222'`)
    await expect(callbacks.load(await work())).rejects.toThrow('was sealed for something else')
  })

  test('that was read has no text any more', async () => {
    await receive()
    await end()
    expect(await rows()).toMatchObject([{ sealed_body: null, result: 'no_verdict' }])
  })
})

describe('a flood', () => {
  const flood = async (count: number, changes: Partial<RailCallback> = {}, at = NOW): Promise<Set<Reception>> => {
    const reported = new Set<Reception>()
    for (let n = 0; n < count; n += 1) reported.add(await receive({ ...changes, body: `${at.getTime()} ${n}` }, at))
    return reported
  }

  const kinds = async () =>
    (
      await pool.query<{ kind: string }>('select kind from transaction_events where transaction_id = $1', [
        transactionId,
      ])
    ).rows.map(({ kind }) => kind)

  test('uses no capacity of another order', async () => {
    await flood(50)
    const other = '00000000-0000-4000-8000-aaaaaaaaaaaa'
    await called('mpesa-kenya', OUR_REFERENCE, other)
    expect(await receive({ orderId: other })).toBe('stored')
  })

  test("is recorded once in the order's history by many at once", async () => {
    await flood(50)
    expect(await kinds()).toEqual([])
    await Promise.all(Array.from({ length: 8 }, (_, n) => receive({ body: `more ${n}` })))
    expect(await kinds()).toEqual(['rail_callback_refused'])
  })
})

test('deletes read messages after 90 days, and keeps unread ones', async () => {
  await receive()
  await end()
  await receive({ body: 'nobody has read it' })
  const over = new Date(NOW.getTime() + CALLBACKS_KEPT_MS)
  await removeExpired(pool, new Date(over.getTime() - 1))
  expect(await rows()).toHaveLength(2)
  await removeExpired(pool, over)
  expect(await rows()).toMatchObject([{ result: null }])
  expect(await callbacks.load(await work())).toMatchObject([{ body: 'nobody has read it' }])
})
