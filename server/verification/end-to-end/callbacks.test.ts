import { createHmac, createPublicKey, verify as verifyRsa } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMalipo } from '../../../client/index.ts'
import { settleResults } from '../../actions/settle-results.ts'
import { callbackAttempts, callbacksToResend, findCallback, resendCallbacks } from '../../admin/queries/callbacks.ts'
import { transactionEvents } from '../../admin/queries/transactions.ts'
import { present } from '../../domain/present.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { createStore } from '../../storage/store.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { acceptedCollection, phoneCollection } from '../testing/client-requests.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { MASTER_KEY, seededRandom } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver, type ReceivedCallback } from '../testing/receiver.ts'
import { collect } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

// Which callbacks a merchant's server receives, how often, and from which process, whether or not it replies. What each
// reply means, and how long `Retry-After` delays, is tested in callback.test.ts, sender.test.ts and the parts `receiver`
// and `limits` of the contract suite, what is stored in the port tests of callbacks.

const { gateway, clock, after, receiver, malipo } = await gatewayTest({ toReceiver: ['collection_callback_url'] })

/** A correction of staff; without `refresh` the process has no notice of it yet. */
async function setUrl(url: string | null, { refresh = true } = {}): Promise<void> {
  await gateway.pool.query('update merchants set collection_callback_url = $1', [url])
  if (refresh) await gateway.refresh()
}
async function callbackOf(merchantReference: string) {
  const { rows } = await gateway.pool.query<{ id: bigint }>(
    'select c.id from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1',
    [merchantReference],
  )
  expect(rows).toHaveLength(1)
  return present(await findCallback(gateway.pool, String(rows[0]?.id)), 'the callback')
}
async function resend(merchantReference: string, inMs: number): Promise<void> {
  const { transaction_id: transactionId } = await callbackOf(merchantReference)
  const callbacks = await callbacksToResend(gateway.pool, { transactionId })
  await resendCallbacks(gateway.pool, callbacks, clock.now(), new Date(clock.now().getTime() + inMs))
}
/** A collection whose callback is due and tried once. */
async function reported(): Promise<string> {
  const reference = await acceptedCollection(malipo, '123')
  await after(1000)
  return reference
}

test('a merchant unknown to the settling process still gets its callback', async () => {
  const random = seededRandom('settle')
  const { body } = await collect(gateway.url, { msisdn: '256772000006' })
  await gateway.runDue()
  // Reference data of live mode excludes the demo merchant: to this process it is like a merchant that was created a
  // moment ago.
  const box = createSecretBox(MASTER_KEY, random)
  const stale = await loadReferenceData({ pool: gateway.pool, box, clock, sandbox: false })
  expect(await stale.merchantByPublicKey('pub_sandbox_demo')).toBeUndefined()
  const internalReference = body.data.internal_reference as string
  const notices = { paidNotBooked: () => {}, unmappedResult: () => {} }
  await settleResults({ store: createStore(gateway.pool), reference: stale, clock, random, notices, callbackBody }, [
    { internalReference, outcome: { status: 'COMPLETED' } },
  ])
  await gateway.refresh()
  await gateway.runDue()
  expect(receiver.received.map(({ json }) => json.payload.internal_reference)).toEqual([internalReference])
})

describe('callbacks', () => {
  test('carry all three signatures, each good over what was received', async () => {
    const [{ headers, body, json }] = receiver.about(await reported()) as [ReceivedCallback]
    const { merchant_reference, internal_reference, transaction_type, transaction_status } = json.payload
    const text = [json.event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')

    const [, time, digest] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(headers['hmac-signature'] as string)!
    expect(Number(time)).toBe(clock.now().getTime())
    expect(digest).toBe(createHmac('sha256', 'SANDBOXDEMOSIGNKEY01').update(text).digest('hex'))

    const pem = await (await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).text()
    expect(createPublicKey(pem).asymmetricKeyDetails?.modulusLength).toBe(2048)
    const rsa = Buffer.from(headers['rsa-signature'] as string, 'base64')
    expect(verifyRsa('sha256', Buffer.from(text), pem, rsa)).toBe(true)
    expect(verifyRsa('sha256', Buffer.from(`${text}x`), pem, rsa)).toBe(false)

    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const secret = Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(clock.now().getTime() / 1000))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  // Each attempt has the same id.
  test('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, no more', async () => {
    receiver.answer(500)
    const reference = await reported()
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, seconds] of waits.entries()) {
      expect(receiver.about(reference)).toHaveLength(index + 1)
      await after(seconds * 1000 - 1)
      expect(receiver.about(reference)).toHaveLength(index + 1)
      await after(seconds * 100 + 1000) // the jitter adds up to a tenth
    }
    await after(10 * 86_400_000)
    expect(receiver.about(reference)).toHaveLength(10)
    expect(new Set(receiver.about(reference).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { id, ...callback } = await callbackOf(reference)
    expect(callback).toMatchObject({ status: 'STOPPED', attempts: 10 })
    expect(await callbackAttempts(gateway.pool, [id])).toHaveLength(10)
    // Resent by staff it has a whole schedule again, and waits when the merchant says "not now".
    receiver.answer({ status: 503, headers: { 'retry-after': '120' } }, 200)
    await resend(reference, 1_000)
    await after(1_000)
    expect(await callbackOf(reference)).toMatchObject({ status: 'PENDING', attempts: 11 })
    await after(119_000)
    expect(receiver.about(reference)).toHaveLength(11)
    await after(14_000)
    expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED', attempts: 12 })
  })

  test('stores each attempt with status, duration and the first kilobyte of the reply', async () => {
    receiver.answer({ status: 500, body: 'x'.repeat(5000) }, 200)
    const { id } = await callbackOf(await reported())
    await after(6000)
    const { rows } = await gateway.pool.query(
      `select attempt, http_status, length(reply_excerpt) as excerpt, duration_ms >= 0 as timed
       from callback_attempts where callback_id = $1 order by 1`,
      [id],
    )
    expect(rows).toEqual([
      { attempt: 1, http_status: 500, excerpt: 1024, timed: true },
      { attempt: 2, http_status: 200, excerpt: null, timed: true },
    ])
  })

  test('resent while an attempt at the old URL hangs, it goes to the corrected one', async () => {
    const old = await forFile(startReceiver())
    old.answer('hang')
    await setUrl(old.url)
    const reference = await acceptedCollection(malipo, '123')
    await gateway.runDue()
    clock.advance(1_000)
    const run = gateway.runDue()
    await until(() => old.received.length === 1, 60_000, 'the attempt at the old URL')
    await setUrl(receiver.url)
    await resend(reference, 1_000)
    await old.close() // which ends that attempt
    await run
    expect(await callbackOf(reference)).toMatchObject({ status: 'PENDING' })
    await after(2_000)
    expect(receiver.about(reference)).toHaveLength(1)
    expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED' })
  })
})

describe('a callback of a merchant without a URL', () => {
  test('is kept; a resend to a new URL delivers it, and its attempt says where', async () => {
    await setUrl(null)
    const reference = await reported()
    const { transaction_id: transactionId } = await callbackOf(reference)
    const history = await transactionEvents(gateway.pool, transactionId)
    expect(history.map(({ kind }) => kind).slice(-2)).toEqual(['settled', 'callback_stopped'])
    await after(5 * 24 * 60 * 60_000) // longer than any retry schedule
    const kept = await callbackOf(reference)
    expect(kept).toMatchObject({ status: 'STOPPED', attempts: 0, url: '', next_attempt_at: null })
    await resend(reference, 0)
    await gateway.runDue()
    expect(await callbackOf(reference)).toMatchObject({ status: 'STOPPED', attempts: 0 })

    await setUrl(`${receiver.url}?shop=7&token=not-for-everybody`)
    await after(60_000)
    expect(receiver.received).toEqual([])
    await resend(reference, 0)
    await gateway.runDue()
    expect(receiver.about(reference).map(({ path, headers }) => [path, headers['webhook-id']])).toEqual([
      ['/callbacks?shop=7&token=not-for-everybody', kept.webhook_id],
    ])
    expect(await callbackAttempts(gateway.pool, [kept.id])).toMatchObject([
      { attempt: 1, http_status: 200, url: `${receiver.url}?shop=***&token=***` },
    ])
  })

  test('is found by its time, and delivered to a URL set just before its end', async () => {
    await setUrl(null)
    clock.advance(1)
    const since = clock.now()
    const { id } = await callbackOf(await reported())
    const filter = { since, until: new Date(clock.now().getTime() + 1), merchantId: undefined }
    expect(await callbacksToResend(gateway.pool, { ...filter, status: 'STOPPED' })).toEqual([id])
    expect(await callbacksToResend(gateway.pool, { ...filter, status: 'DELIVERED' })).toEqual([])

    const reference = await acceptedCollection(malipo, '123')
    await gateway.runDue()
    await setUrl(receiver.url, { refresh: false })
    await after(1000)
    await gateway.refresh()
    await after(2000)
    expect(receiver.about(reference)).toHaveLength(1)
    expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  })
})

test("a slow endpoint does not delay another merchant's callback", async () => {
  const hanging = await startReceiver()
  hanging.answer('hang')
  const { publicKey } = await addMerchant(gateway, { name: 'Another', collectionCallbackUrl: hanging.url }, clock.now())
  const another = createMalipo({ baseUrl: gateway.url, publicKey })
  for (let n = 0; n < 60; n += 1) await another.collections.initialize(phoneCollection())
  const reference = await acceptedCollection(malipo, '123')
  await gateway.runDue()
  clock.advance(1000)
  const done = gateway.runDue() // ends when the hanging requests have timed out; nothing here waits for that
  await until(() => receiver.about(reference).length === 1, 60_000, 'the callback of the other merchant has arrived')
  expect(hanging.received.length).toBeLessThanOrEqual(16) // a server that has not replied yet gets no more at a time
  await hanging.close() // resets the first requests and all that follow
  await done
  await expectBalancedBooks(gateway)
})
