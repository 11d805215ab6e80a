import { describe, expect, test } from 'vitest'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  payOut,
  postJson,
  uniqueMsisdn,
  uniqueReference,
  verify,
  type RawReply,
} from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// The same request twice, repeated by its reference and by its Idempotency-Key, one after the other and concurrently.

const { gateway, clock } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const uniqueKey = () => ({ ...DEMO_KEYS, 'idempotency-key': uniqueReference() })
const isReplayed = ({ headers }: RawReply): boolean => headers.get('idempotency-replayed') === 'true'
const USED = refusal('idempotency_key_used')

test('100 concurrent requests with one reference: one 202, the others 409 naming it', async () => {
  const merchant_reference = uniqueReference()
  const replies = await Promise.all(Array.from({ length: 100 }, () => collect(url, { merchant_reference })))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
  const refused = replies.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(99)
  for (const reply of refused)
    expectError(reply, 409, `merchant_reference (${merchant_reference}) has already been used`)
})

describe('Idempotency-Key', () => {
  test('the same key with the same body replays the first reply', async () => {
    const key = uniqueKey()
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(url, '/collections/initialize', body, key)
    const turned = Object.fromEntries(Object.entries(body).reverse())
    const second = await postJson(url, '/collections/initialize', turned, key)
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true])
    expect([second.status, second.body]).toEqual([202, first.body])
    expectError(await collect(url, {}, key), 409, USED)
    clock.advance(24 * 3_600_000)
    const next = await postJson(url, '/collections/initialize', body, key)
    expect([next.status, isReplayed(next)]).toEqual([202, false])
    expect(next.body.data.internal_reference).not.toBe(first.body.data.internal_reference)
  })

  const phone = { msisdn: uniqueMsisdn(), amount: 3_000_000 }
  const used = mobileMoneyCollection()
  test.each<[why: string, wrong: object, right: object, status: number, message: string]>([
    ['breaks the schema', { amount: 'many' }, {}, 400, 'amount must be a number'],
    ['is outside the limits', { amount: 1 }, { amount: 500 }, 400, refusal('amount_range')],
    [
      'has a used reference',
      used,
      {},
      409,
      `merchant_reference (${String(used['merchant_reference'])}) has already been used`,
    ],
    ['exceeds the daily limit', phone, { ...phone, msisdn: uniqueMsisdn() }, 400, refusal('amount_daily')],
  ])(
    'a request that %s frees its key: refused afresh, and corrected it passes',
    async (...[, wrong, right, status, message]) => {
      await postJson(url, '/collections/initialize', used)
      for (let n = 0; n < 2; n += 1) await collect(url, phone)
      const [key, body] = [uniqueKey(), mobileMoneyCollection()]
      for (let times = 0; times < 2; times += 1) {
        const reply = await postJson(url, '/collections/initialize', { ...body, ...wrong }, key)
        expectError(reply, status, message)
        expect(isReplayed(reply)).toBe(false)
      }
      expect((await postJson(url, '/collections/initialize', { ...body, ...right }, key)).status).toBe(202)
    },
  )

  test("belongs to one operation: the public key alone cannot use up a payout's key", async () => {
    const key = uniqueKey()
    expect((await collect(url, {}, key)).status).toBe(202)
    const otp = { internal_reference: 'MLP0000000000000000000000', otp: 123_456 }
    expect((await postJson(url, '/collections/authorize', otp, key)).status).toBe(404)
    const payout = mobileMoneyPayout()
    expectError(await payOut(url, { ...payout, amount: 1 }, key), 400, refusal('amount_range'))
    const [first, again] = [await payOut(url, payout, key), await payOut(url, payout, key)]
    expect([first.status, isReplayed(first), again.status, isReplayed(again)]).toEqual([202, false, 202, true])
    expect(again.body).toEqual(first.body)
  })

  test('50 concurrent requests with one key: one transaction, fifty equal replies', async () => {
    const key = uniqueKey()
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => postJson(url, '/collections/initialize', body, key)),
    )
    expect(new Set(replies.map(({ body: { data } }) => data.internal_reference)).size).toBe(1)
    expect(replies.every(({ status }) => status === 202)).toBe(true)
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1)
  })

  test('twins in one batch both get the existing transaction', async () => {
    const pairs = Array.from({ length: 20 }, async () => {
      const [key, body] = [uniqueKey(), mobileMoneyCollection({ merchant_reference: 'auto' })]
      return Promise.all([1, 2].map(() => postJson(url, '/collections/initialize', body, key)))
    })
    for (const reply of (await Promise.all(pairs)).flat())
      expect((await verify(url, String(reply.body.data.merchant_reference))).status).toBe(200)
  })
})
