import { createHmac, createPublicKey, verify as verifyRsa } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMalipo } from '../../../client/index.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { seededRandom, MASTER_KEY } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { acceptedCollection, phoneCollection } from '../testing/client-requests.ts'
import { startReceiver, type ReceivedCallback } from '../testing/receiver.ts'
import { until } from '../testing/served-gateway.ts'
import { collect } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { createStore } from '../../storage/store.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { settleResults } from '../../actions/settle-results.ts'

// Which callbacks a merchant's server receives, how often, and from which process, whether or not it replies.

const { gateway, clock, after, receiver, malipo } = await gatewayTest({ toReceiver: ['collection_callback_url'] })

test('a merchant unknown to the settling process still gets its callback', async () => {
  const random = seededRandom('settle')
  const { body } = await collect(gateway.url, { msisdn: '256772000006' })
  await gateway.runDue()
  // Reference data of live mode excludes the demo merchant: to this process it is like a merchant that was created a
  // moment ago.
  const stale = await loadReferenceData({
    pool: gateway.pool,
    box: createSecretBox(MASTER_KEY, random),
    clock,
    sandbox: false,
  })
  expect(await stale.merchantByPublicKey('pub_sandbox_demo')).toBeUndefined()
  const internalReference = body.data.internal_reference as string
  await settleResults(
    {
      store: createStore(gateway.pool),
      reference: stale,
      clock,
      random,
      notices: { paidNotBooked: () => {}, unmappedResult: () => {} },
      callbackBody,
    },
    [{ internalReference, outcome: { status: 'COMPLETED' } }],
  )

  await gateway.refresh()
  await gateway.runDue()
  expect(receiver.received.map(({ json }) => json.payload.internal_reference)).toEqual([internalReference])
})

describe('callbacks', () => {
  test('carry all three signatures, each good over what was received', async () => {
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    const [
      {
        headers,
        body,
        json: { event, payload },
      },
    ] = receiver.about(reference) as [ReceivedCallback]
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

  // Each attempt has the same id.
  test('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, no more', async () => {
    receiver.answer(500)
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, seconds] of waits.entries()) {
      expect(receiver.about(reference)).toHaveLength(index + 1)
      await after(seconds * 1000 - 1)
      expect(receiver.about(reference)).toHaveLength(index + 1)
      await after(seconds * 100 + 1000) // the jitter adds up to a tenth
    }
    expect(receiver.about(reference)).toHaveLength(10)
    await after(10 * 86_400_000)
    expect(receiver.about(reference)).toHaveLength(10)
    expect(new Set(receiver.about(reference).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
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
    ['200 with Retry-After', [{ status: 200, headers: { 'retry-after': '5' } }], 1],
    ['200 at the third attempt', [500, 'reset', 200], 3],
  ] as const)('never come again after an acknowledgement: %s', async (_case, answers, attempts) => {
    receiver.answer(...answers)
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    // Later than the last retry of a callback that is never acknowledged.
    for (const seconds of [6, 400, 2_000, 8_000, 20_000, 40_000, 60_000, 80_000, 100_000, 864_000])
      await after(seconds * 1000)
    expect(receiver.about(reference)).toHaveLength(attempts)
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
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    expect(receiver.about(reference)).toHaveLength(1)
    const { rows } = await gateway.pool.query(
      `select c.status from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1`,
      [reference],
    )
    expect(rows).toEqual([{ status }])
    receiver.answer(200)
    await after(10_000)
    expect(receiver.about(reference)).toHaveLength(status === 'PENDING' ? 2 : 1)
  })

  test('Retry-After is honoured', async () => {
    receiver.answer({ status: 503, headers: { 'retry-after': '120' } }, 200)
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    await after(119_000)
    expect(receiver.about(reference)).toHaveLength(1)
    await after(14_000)
    expect(receiver.about(reference)).toHaveLength(2)
  })

  test.each([
    ['in seconds', () => String(30 * 3_600)],
    ['as a date', () => new Date(Date.now() + 30 * 3_600_000).toUTCString()],
    ['in more seconds than there are', () => '9'.repeat(30)],
  ])('Retry-After %s is honoured up to 24 hours', async (_how, longer) => {
    receiver.answer({ status: 503, headers: { 'retry-after': longer() } }, 200)
    const reference = await acceptedCollection(malipo, '123')
    await after(1000)
    await after(24 * 3_600_000 - 1000)
    expect(receiver.about(reference)).toHaveLength(1)
    await after(2.4 * 3_600_000 + 1000)
    expect(receiver.about(reference)).toHaveLength(2)
  })

  test('stores each attempt with status, duration and the first kilobyte of the reply', async () => {
    receiver.answer({ status: 500, body: 'x'.repeat(5000) }, 200)
    const reference = await acceptedCollection(malipo, '123')
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

  test('a corrected URL gets the waiting callbacks', async () => {
    const elsewhere = await startReceiver()
    receiver.answer(500)
    const reference = await acceptedCollection(malipo, '123')
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

test("a slow endpoint does not delay another merchant's callback", async () => {
  const hanging = await startReceiver()
  hanging.answer('hang')
  const random = seededRandom('another merchant')
  const keys = newMerchantKeys(random)
  await createMerchant(
    gateway.pool,
    createSecretBox(MASTER_KEY, random),
    { name: 'Another', keys, sandboxOnly: false, collectionCallbackUrl: hanging.url },
    clock.now(),
  )
  await gateway.refresh()
  const another = createMalipo({ baseUrl: gateway.url, publicKey: keys.publicKey })
  for (let n = 0; n < 60; n += 1) await another.collections.initialize(phoneCollection())
  const reference = await acceptedCollection(malipo, '123')
  await gateway.runDue()
  clock.advance(1000)
  const done = gateway.runDue() // ends when the hanging requests have timed out; nothing here waits for that
  await until(() => receiver.about(reference).length === 1, 5_000, 'the callback of the other merchant has arrived')
  expect(hanging.received.length).toBeLessThanOrEqual(16) // a server that has not replied yet gets no more at a time
  await hanging.close() // resets the first requests and all that follow
  await done
  await expectBalancedBooks(gateway)
})
