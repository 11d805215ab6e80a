import { createHmac, createPublicKey, verify as verifyRsa } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMalipo, type CollectionRequest, type Malipo, type Transaction } from '../../client/index.ts'
import type { Gateway } from '../main.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createMerchant, newMerchantKeys } from '../storage/operators/merchants.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway, type FixedClock } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { until } from '../testing/served-gateway.ts'
import { mobileMoneyCollection, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'

// The life of a mobile-money collection through the real thing: our client, HTTP, PostgreSQL, simulated rail, HTTP out
// to a merchant's server.

let database: TestDatabase
let gateway: Gateway
let clock: FixedClock
let receiver: Receiver
let malipo: Malipo

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  receiver = await startReceiver()
  gateway = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
  await gateway.refresh()
  malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer(200)
})
afterAll(async () => {
  await gateway?.stop()
  await receiver?.close()
  await database?.drop()
})

async function accepted(ending: string, changes: Record<string, unknown> = {}): Promise<string> {
  const merchant_reference = uniqueReference()
  const collection = mobileMoneyCollection({
    merchant_reference,
    msisdn: uniqueMsisdn(ending),
    ...changes,
  }) as unknown as CollectionRequest
  expect(await malipo.collections.initialize(collection)).toEqual({
    merchant_reference,
    internal_reference: expect.stringMatching(/^MLP/) as string,
  })
  return merchant_reference
}

async function after(ms: number): Promise<void> {
  await gateway.runDue()
  clock.advance(ms)
  await gateway.runDue()
}

const record = (reference: string): Promise<Transaction> => malipo.transactions.verify(reference)

async function collectionBalance(): Promise<number> {
  const wallets = await malipo.wallets.list({ currency: 'UGX' })
  return wallets.find(({ wallet_type }) => wallet_type === 'MERCHANT_COLLECTION')!.available_balance
}

const callbacksOf = (reference: string) =>
  receiver.received.filter(({ json }) => json.payload.merchant_reference === reference)

async function eventsOf(reference: string): Promise<string[]> {
  const { rows } = await gateway.pool.query<{ kind: string }>(
    `select e.kind from transaction_events e join transactions t on t.id = e.transaction_id where t.merchant_reference = $1 order by e.id`,
    [reference],
  )
  return rows.map(({ kind }) => kind)
}

async function transfersOnRail(reference: string): Promise<number> {
  const { rows } = await gateway.pool.query<{ transfers: number }>(
    `select o.transfers from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1`,
    [reference],
  )
  return rows[0]!.transfers
}

describe('states', () => {
  test('PENDING after acceptance, PROCESSING while the rail works, COMPLETED at last', async () => {
    const reference = await accepted('123')
    expect(await record(reference)).toMatchObject({
      transaction_status: 'PENDING',
      status_message: 'Transaction Pending',
    })
    await gateway.runDue()
    expect(await record(reference)).toMatchObject({
      transaction_status: 'PROCESSING',
      status_message: "Waiting for the customer's approval",
    })
    await after(1000)
    expect(await record(reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      status_message: 'Transaction Completed Successfully',
      transaction_charge: 50,
      total_credit: 4950,
    })
    expect(await eventsOf(reference)).toEqual(['submitted', 'settled', 'callback_delivered'])
  })

  test.each([
    ['001', 'COMPLETED', 'Transaction Completed Successfully'],
    ['123', 'COMPLETED', 'Transaction Completed Successfully'],
    ['777', 'COMPLETED', 'Transaction Completed Successfully'],
    ['002', 'FAILED', 'Insufficient balance on the customer account'],
    ['456', 'FAILED', 'Insufficient balance on the customer account'],
    ['003', 'FAILED', 'The request timed out without a transfer'],
    ['004', 'FAILED', 'The customer declined the request'],
  ])('test number %s ends %s: %s', async (ending, status, message) => {
    const balance = await collectionBalance()
    const reference = await accepted(ending)
    await after(1000)
    expect(await record(reference)).toMatchObject({ transaction_status: status, status_message: message })
    expect(await collectionBalance()).toBe(balance + (status === 'COMPLETED' ? 4950 : 0))
    const [callback, ...more] = callbacksOf(reference)
    expect(more).toEqual([])
    expect(callback!.json).toEqual({
      event: status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed',
      payload: await record(reference),
    })
    await expectBalancedBooks(gateway)
  })

  test('a failed collection has no charge and no credit', async () => {
    const reference = await accepted('002')
    await after(1000)
    expect(await record(reference)).toMatchObject({ transaction_amount: 5000, transaction_charge: 0, total_credit: 0 })
  })

  test('test number 006 stays PROCESSING, is asked about every ten minutes, and never fails by itself', async () => {
    const reference = await accepted('006')
    await after(10 * 60_000)
    for (let hour = 0; hour < 25; hour += 1) await after(3_600_000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
    // The first, second, fourth, eighth and sixteenth question are in its history: it must not grow without end.
    expect((await eventsOf(reference)).filter((kind) => kind === 'rail_asked')).toHaveLength(5)
    expect(callbacksOf(reference)).toEqual([])
  })

  test('test number 008: unreachable twice, then exactly one transfer', async () => {
    const reference = await accepted('008')
    await gateway.runDue()
    expect(await transfersOnRail(reference)).toBe(0)
    await after(1000)
    await after(2000)
    expect(await transfersOnRail(reference)).toBe(1)
    await after(1000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(await transfersOnRail(reference)).toBe(1)
    expect((await eventsOf(reference)).filter((kind) => kind === 'rail_unreachable')).toHaveLength(2)
    expect(callbacksOf(reference)).toHaveLength(1)
  })

  test('test number 009: the same result three times has one effect and one callback', async () => {
    const balance = await collectionBalance()
    const reference = await accepted('009')
    await after(1000)
    expect(await collectionBalance()).toBe(balance + 4950)
    expect(callbacksOf(reference)).toHaveLength(1)
    expect((await eventsOf(reference)).filter((kind) => kind === 'rail_result_ignored')).toHaveLength(2)
    await expectBalancedBooks(gateway)
  })

  test('test number 010 takes 60 seconds', async () => {
    const reference = await accepted('010')
    await after(59_999)
    expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
    await after(1)
    expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  })

  test('after a day without a result it fails only because the rail confirms that nothing moved', async () => {
    const reference = await accepted('006')
    await gateway.runDue()
    await gateway.pool.query(
      `delete from sandbox.orders where reference = (select internal_reference from transactions where merchant_reference = $1)`,
      [reference],
    )
    for (let hour = 0; hour < 23; hour += 1) {
      await after(3_600_000)
      await gateway.pool.query(
        `delete from sandbox.orders where reference = (select internal_reference from transactions where merchant_reference = $1)`,
        [reference],
      )
    }
    expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
    await after(3_600_000)
    expect(await record(reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'The request timed out without a transfer',
    })
    expect(callbacksOf(reference)).toHaveLength(1)
  })

  test('what was accepted and never sent for a day is not sent any more', async () => {
    const reference = await accepted('123')
    clock.advance(25 * 3_600_000)
    await gateway.runDue()
    expect(await record(reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'The request timed out without a transfer',
    })
    await after(1000)
    const { rowCount } = await gateway.pool.query(
      `select from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1`,
      [reference],
    )
    expect(rowCount).toBe(0)
  })

  test('the customer pays the charge on top: the merchant is credited the whole amount, the rail collects more', async () => {
    const balance = await collectionBalance()
    const reference = await accepted('123', { charge_customer: true })
    await after(1000)
    expect(await record(reference)).toMatchObject({
      transaction_amount: 5000,
      transaction_charge: 50,
      total_credit: 5000,
    })
    expect(await collectionBalance()).toBe(balance + 5000)
    const { rows } = await gateway.pool.query<{ amount_minor: bigint }>(
      `select o.amount_minor from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1`,
      [reference],
    )
    expect(rows[0]!.amount_minor).toBe(5050n)
  })
})

describe('late results (test number 007)', () => {
  test('FAILED becomes COMPLETED when the merchant allows it: credited once, two callbacks', async () => {
    const balance = await collectionBalance()
    const reference = await accepted('007')
    await after(1000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'FAILED', total_credit: 0 })
    await after(2000)
    expect(await record(reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      transaction_charge: 50,
      total_credit: 4950,
    })
    expect(await collectionBalance()).toBe(balance + 4950)
    expect(callbacksOf(reference).map(({ json }) => json.event)).toEqual([
      'transaction.failed',
      'transaction.completed',
    ])
    await expectBalancedBooks(gateway)
  })

  test('stays FAILED when the merchant does not', async () => {
    const balance = await collectionBalance()
    const reference = await accepted('007', { allow_final_status_change: false })
    await after(1000)
    await after(2000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'FAILED' })
    expect(await collectionBalance()).toBe(balance)
    expect(callbacksOf(reference)).toHaveLength(1)
  })
})

describe('callbacks', () => {
  test('carry all three signatures, each good over what was received', async () => {
    const reference = await accepted('123')
    await after(1000)
    const [
      {
        headers,
        body,
        json: { event, payload },
      },
    ] = callbacksOf(reference) as [ReturnType<typeof callbacksOf>[number]]
    const text = [
      event,
      payload.merchant_reference,
      payload.internal_reference,
      payload.transaction_type,
      payload.transaction_status,
    ].join(':')

    const [, time, digest] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(headers['hmac-signature'] as string)!
    expect(Number(time)).toBe(clock.now().getTime())
    expect(digest).toBe(createHmac('sha256', 'SANDBOXDEMOSIGNKEY01').update(text).digest('hex'))

    const pem = await (await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).text()
    expect(createPublicKey(pem).asymmetricKeyDetails?.modulusLength).toBe(2048)
    const rsa = Buffer.from(headers['rsa-signature'] as string, 'base64')
    expect(verifyRsa('sha256', Buffer.from(text), pem, rsa)).toBe(true)
    expect(verifyRsa('sha256', Buffer.from(`${text}x`), pem, rsa)).toBe(false)

    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')).update(signed).digest('base64')}`,
    )
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(clock.now().getTime() / 1000))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('are retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, with the same id, and then given up', async () => {
    receiver.answer(500)
    const reference = await accepted('123')
    await after(1000)
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, seconds] of waits.entries()) {
      expect(callbacksOf(reference)).toHaveLength(index + 1)
      await after(seconds * 1000 - 1)
      expect(callbacksOf(reference)).toHaveLength(index + 1)
      await after(seconds * 100 + 1000) // the jitter adds up to a tenth
    }
    expect(callbacksOf(reference)).toHaveLength(10)
    await after(10 * 86_400_000)
    expect(callbacksOf(reference)).toHaveLength(10)
    expect(new Set(callbacksOf(reference).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { rows } = await gateway.pool.query(
      `select c.status, c.attempts, (select count(*)::int from callback_attempts where callback_id = c.id) as stored from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1`,
      [reference],
    )
    expect(rows).toEqual([{ status: 'STOPPED', attempts: 10, stored: 10 }])
  })

  test.each([
    ['200 at the first attempt', [200], 1],
    ['201', [201], 1],
    ['204', [204], 1],
    ['200 that asks for more time', [{ status: 200, headers: { 'retry-after': '5' } }], 1],
    ['200 at the third attempt', [500, 'reset', 200], 3],
  ] as const)('never come again after they were acknowledged: %s', async (_case, answers, attempts) => {
    receiver.answer(...answers)
    const reference = await accepted('123')
    await after(1000)
    // Later than the last retry of one that nobody acknowledges.
    for (const seconds of [6, 400, 2_000, 8_000, 20_000, 40_000, 60_000, 80_000, 100_000, 864_000])
      await after(seconds * 1000)
    expect(callbacksOf(reference)).toHaveLength(attempts)
  })

  test.each([
    [
      'a redirect is a failure and is not followed',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'PENDING',
    ],
    ['204 acknowledges', 204, 'DELIVERED'],
    ['299 acknowledges', 299, 'DELIVERED'],
    ['410 stops the delivery', 410, 'STOPPED'],
    ['404 is tried again', 404, 'PENDING'],
    ['a reset connection is tried again', 'reset', 'PENDING'],
  ] as const)('%s', async (_rule, answer, status) => {
    receiver.answer(answer)
    const reference = await accepted('123')
    await after(1000)
    expect(callbacksOf(reference)).toHaveLength(1)
    const { rows } = await gateway.pool.query(
      `select c.status from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1`,
      [reference],
    )
    expect(rows).toEqual([{ status }])
    receiver.answer(200)
    await after(10_000)
    expect(callbacksOf(reference)).toHaveLength(status === 'PENDING' ? 2 : 1)
  })

  test('Retry-After is honoured', async () => {
    receiver.answer({ status: 503, headers: { 'retry-after': '120' } }, 200)
    const reference = await accepted('123')
    await after(1000)
    await after(119_000)
    expect(callbacksOf(reference)).toHaveLength(1)
    await after(14_000)
    expect(callbacksOf(reference)).toHaveLength(2)
  })

  test('every attempt is stored with its status, its duration and the first kilobyte of the reply', async () => {
    receiver.answer({ status: 500, body: 'x'.repeat(5000) }, 200)
    const reference = await accepted('123')
    await after(1000)
    await after(6000)
    const { rows } = await gateway.pool.query(
      `select a.attempt, a.http_status, length(a.reply_excerpt) as excerpt, a.duration_ms >= 0 as timed from callback_attempts a
       join callbacks c on c.id = a.callback_id join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 order by 1`,
      [reference],
    )
    expect(rows).toEqual([
      { attempt: 1, http_status: 500, excerpt: 1024, timed: true },
      { attempt: 2, http_status: 200, excerpt: null, timed: true },
    ])
  })

  test('a URL that was corrected in the meantime gets what was waiting', async () => {
    const elsewhere = await startReceiver()
    receiver.answer(500)
    const reference = await accepted('123')
    await after(1000)
    await gateway.pool.query('update merchants set collection_callback_url = $1', [elsewhere.url])
    await gateway.refresh()
    await after(6000)
    expect(elsewhere.received.map(({ json }) => json.payload.merchant_reference)).toEqual([reference])
    await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
    await gateway.refresh()
    await elsewhere.close()
  })
})

test("a merchant's server that hangs does not hold up another merchant's callback", async () => {
  const hanging = await startReceiver()
  hanging.answer('hang')
  const random = seededRandom('another merchant')
  const keys = newMerchantKeys(random)
  await createMerchant(
    gateway.pool,
    createSecretBox('a master key for tests only, nothing real', random),
    { name: 'Another', keys, sandboxOnly: false, collectionCallbackUrl: hanging.url },
    clock.now(),
  )
  await gateway.refresh()
  const another = createMalipo({ baseUrl: gateway.url, publicKey: keys.publicKey })
  for (let n = 0; n < 60; n += 1)
    await another.collections.initialize(mobileMoneyCollection() as unknown as CollectionRequest)
  const reference = await accepted('123')
  await gateway.runDue()
  clock.advance(1000)
  const done = gateway.runDue() // ends when the hanging ones have timed out, which nobody waits for here
  await until(() => callbacksOf(reference).length === 1, 5_000, 'the callback of the other merchant has arrived')
  expect(hanging.received.length).toBeLessThanOrEqual(16) // a server that has not answered yet gets no more at a time
  await hanging.close() // the first ones are reset, and so are those that come after them
  await done
  await expectBalancedBooks(gateway)
})

describe('the ledger', () => {
  test('credits a wallet in the same commit as the final state, once per transaction, whatever comes again', async () => {
    const reference = await accepted('123')
    await after(1000)
    const {
      rows: [row],
    } = await gateway.pool.query<{ id: bigint }>(`select id from transactions where merchant_reference = $1`, [
      reference,
    ])
    await expect(
      gateway.pool.query(
        `insert into transfers (id, kind, transaction_id, created_at) values (nextval('transfer_ids'), 'collection', $1, now())`,
        [row!.id],
      ),
    ).rejects.toThrow(/unique/)
  })
  test.each([
    'update entries set amount_minor = amount_minor + 1',
    'delete from entries',
    'truncate entries',
    'delete from transfers',
    'update transaction_events set detail = $$x$$',
  ])('the database itself refuses: %s', async (sql) => {
    await expect(gateway.pool.query(sql)).rejects.toThrow(/append-only/)
  })
  test('the database itself refuses entries that do not sum to zero', async () => {
    await expect(
      gateway.pool.query(
        `insert into entries (transfer_id, account_id, amount_minor) select 999999, min(id), 5 from accounts`,
      ),
    ).rejects.toThrow(/does not sum to zero/)
  })
  test('the database itself refuses a negative wallet', async () => {
    await expect(
      gateway.pool.query(`update accounts set balance_minor = -1 where kind = 'collection_available'`),
    ).rejects.toThrow(/check constraint/)
  })
})
