import { expect, test } from 'vitest'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  postJson,
  uniqueReference,
  verify,
  type RawReply,
} from '../testing/requests.ts'

// The same request many times at once. One after the other it is sent by the parts `declared`, `limits` and `apart` of
// the contract suite.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const uniqueKey = () => ({ ...DEMO_KEYS, 'idempotency-key': uniqueReference() })
const isReplayed = ({ headers }: RawReply): boolean => headers.get('idempotency-replayed') === 'true'

test('100 concurrent requests with one reference: one 202, the others 409 naming it', async () => {
  const merchant_reference = uniqueReference()
  const replies = await Promise.all(Array.from({ length: 100 }, () => collect(url, { merchant_reference })))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
  const refused = replies.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(99)
  for (const reply of refused)
    expectError(reply, 409, `merchant_reference (${merchant_reference}) has already been used`)
})

test('50 concurrent requests with one Idempotency-Key: one transaction, one reply', async () => {
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
