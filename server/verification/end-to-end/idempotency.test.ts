import { describe, expect, test } from 'vitest'
import { DEMO_KEYS, seededRandom, MASTER_KEY } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, postJson, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectError } from '../testing/expect-error.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'

// The same request twice, repeated by its reference and by its Idempotency-Key, one after the other and concurrently.

const { gateway, clock } = await gatewayTest({
  surroundings: { random: seededRandom('requests') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

describe('duplicate merchant_reference', () => {
  test('409 naming it', async () => {
    const merchant_reference = uniqueReference()
    expect((await collect(url, { merchant_reference })).status).toBe(202)
    expectError(
      await collect(url, { merchant_reference }),
      409,
      `merchant_reference (${merchant_reference}) has already been used`,
    )
  })
  test('100 concurrent requests with one reference: one 202, ninety-nine 409', async () => {
    const merchant_reference = uniqueReference()
    const replies = await Promise.all(Array.from({ length: 100 }, () => collect(url, { merchant_reference })))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(99)
  })
})

describe('Idempotency-Key', () => {
  test('the same key with the same body replays the first reply', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(url, '/collections/initialize', body, key)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const second = await postJson(
      url,
      '/collections/initialize',
      Object.fromEntries(Object.entries(body).reverse()),
      key,
    )
    expect(second.body).toEqual(first.body)
    expect(second.status).toBe(202)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
  test('with another body: 409', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    await collect(url, {}, key)
    expectError(await collect(url, {}, key), 409, 'Idempotency-Key has already been used with a different request')
  })
  const bothRefusedAfresh = async (
    path: string,
    refused: object,
    code: number,
    message: string,
    key: Record<string, string>,
  ) => {
    for (let times = 0; times < 2; times += 1) {
      const reply = await postJson(url, path, refused, key)
      expectError(reply, code, message)
      expect(reply.headers.get('idempotency-replayed')).toBeNull()
    }
  }
  test.each([
    ['that breaks the schema', { amount: 'many' }, {}, 'amount must be a number'],
    ['outside the limits', { amount: 1 }, { amount: 500 }, 'amount must be between 500 and 3000000 UGX'],
    [
      'with a number of another operator',
      { msisdn: '256752000123' },
      { msisdn: '256772000124' },
      '256752000123 is not a valid MTN Uganda (mtn_ug) phone number',
    ],
  ])(
    'a collection %s frees its key: rules refuse it again, and corrected it passes',
    async (_what, wrong, right, message) => {
      const key = { 'idempotency-key': uniqueReference() }
      const body = mobileMoneyCollection()
      await bothRefusedAfresh('/collections/initialize', { ...body, ...wrong }, 400, message, key)
      expect((await postJson(url, '/collections/initialize', { ...body, ...right }, key)).status).toBe(202)
    },
  )
  test('a used reference frees the key of its request', async () => {
    const [key, body] = [{ 'idempotency-key': uniqueReference() }, mobileMoneyCollection()]
    await postJson(url, '/collections/initialize', body)
    await bothRefusedAfresh(
      '/collections/initialize',
      body,
      409,
      `merchant_reference (${String(body.merchant_reference)}) has already been used`,
      key,
    )
    expect(
      (await postJson(url, '/collections/initialize', { ...body, merchant_reference: uniqueReference() }, key)).status,
    ).toBe(202)
  })
  test('a used-up daily limit frees the key: the request passes once there is room', async () => {
    const msisdn = uniqueMsisdn()
    for (let times = 0; times < 2; times += 1)
      expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    const [key, body] = [{ 'idempotency-key': uniqueReference() }, mobileMoneyCollection({ msisdn, amount: 3_000_000 })]
    await bothRefusedAfresh(
      '/collections/initialize',
      body,
      400,
      'amount exceeds the daily limit of 7000000 UGX for this account number',
      key,
    )
    clock.advance(24 * 3_600_000)
    const reply = await postJson(url, '/collections/initialize', body, key)
    expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([202, null])
  })
  const payout = (changes: object = {}) => ({
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    merchant_reference: uniqueReference(),
    account_number: uniqueMsisdn(),
    currency: 'UGX',
    amount: 5000,
    customer_name: 'Amina Nakato',
    description: 'Refund of March',
    ...changes,
  })
  test('a refused payout frees its key', async () => {
    const [key, body] = [{ ...DEMO_KEYS, 'idempotency-key': uniqueReference() }, payout()]
    await bothRefusedAfresh(
      '/payout/send-funds',
      { ...body, amount: 1 },
      400,
      'amount must be between 500 and 3000000 UGX',
      key,
    )
    expect((await postJson(url, '/payout/send-funds', body, key)).status).toBe(202)
  })
  test("belongs to one operation: the public key alone cannot use up a payout's key", async () => {
    const key = { 'idempotency-key': uniqueReference() }
    expect((await collect(url, {}, key)).status).toBe(202)
    expect(
      (
        await postJson(
          url,
          '/collections/authorize',
          { internal_reference: 'MLP0000000000000000000000', otp: 123_456 },
          key,
        )
      ).status,
    ).toBe(404)
    const body = payout()
    const first = await postJson(url, '/payout/send-funds', body, { ...DEMO_KEYS, ...key })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null])
    const again = await postJson(url, '/payout/send-funds', body, { ...DEMO_KEYS, ...key })
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', first.body])
  })
  test('50 concurrent requests with one key: one transaction, fifty equal replies', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => postJson(url, '/collections/initialize', body, key)),
    )
    expect(new Set(replies.map(({ body: { data } }) => data.internal_reference)).size).toBe(1)
    expect(replies.every(({ status }) => status === 202)).toBe(true)
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })
  test('twins in one batch both get the existing transaction', async () => {
    const references = (
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const [key, body] = [
            { 'idempotency-key': uniqueReference() },
            mobileMoneyCollection({ merchant_reference: 'auto' }),
          ]
          return Promise.all([
            postJson(url, '/collections/initialize', body, key),
            postJson(url, '/collections/initialize', body, key),
          ])
        }),
      )
    )
      .flat()
      .map(({ body: { data } }) => data.merchant_reference as string)
    const found = await Promise.all(references.map((reference) => verify(url, reference)))
    expect(found.every(({ status }) => status === 200)).toBe(true)
  })
  test('for 24 hours', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(url, '/collections/initialize', body, key)
    clock.advance(24 * 3_600_000)
    const second = await postJson(url, '/collections/initialize', body, key)
    expect(second.body.data.internal_reference).not.toBe(first.body.data.internal_reference)
    expect(second.headers.get('idempotency-replayed')).toBeNull()
  })
  test('the keys of two merchants do not meet', async () => {
    const random = seededRandom('another merchant')
    const keys = newMerchantKeys(random)
    const merchant = { name: 'Other', keys, sandboxOnly: false }
    await createMerchant(gateway.pool, createSecretBox(MASTER_KEY, random), merchant, clock.now())
    await gateway.refresh()
    const key = uniqueReference()
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const [one, other] = await Promise.all([
      postJson(url, '/collections/initialize', body, { 'idempotency-key': key }),
      postJson(url, '/collections/initialize', body, { 'idempotency-key': key, 'public-key': keys.publicKey }),
    ])
    expect(one.body.data.internal_reference).not.toBe(other.body.data.internal_reference)
  })
  test('1 to 255 printable characters', async () => {
    expect((await collect(url, {}, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(202)
    expectError(
      await collect(url, {}, { 'idempotency-key': 'k'.repeat(256) }),
      400,
      'Idempotency-Key must have 1 to 255 characters',
    )
    expect((await collect(url, {}, { 'idempotency-key': 'tab\there' })).status).toBe(400)
  })
})
