import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import { connected, DIRECTIONS, NOW, order, ORDER_ID, result, type Direction } from './testing/connected.ts'

const BOTH = Object.keys(DIRECTIONS) as Direction[]
const ok = (body: unknown): ScriptedAnswer => ({ status: 200, body })
const refusal = (status: number, body: unknown): ScriptedAnswer => ({ status, body })

describe.each(BOTH)('%s', (type) => {
  const { post, get, party, product, tail } = DIRECTIONS[type]
  const given = order({ type })

  test('sends our id and the amount in major units once, and nothing else of ours', async () => {
    const { operator, adapter } = await connected()
    operator.on(post, 202)
    expect(await adapter.submit(given)).toEqual({ answer: 'accepted' })
    const [request, ...others] = operator.requestsTo(post)
    expect(others).toEqual([])
    expect(request?.json()).toEqual({
      amount: '5000',
      currency: 'UGX',
      externalId: ORDER_ID,
      [party]: { partyIdType: 'MSISDN', partyId: '256772000123' },
      payerMessage: 'Payment',
      payeeNote: 'Payment',
    })
    expect(request?.headers).toMatchObject({
      'x-reference-id': ORDER_ID,
      'x-target-environment': 'mtnuganda',
      'x-callback-url': `https://pay.example/operators/tested/f00d/${ORDER_ID}/${tail}`,
      'ocp-apim-subscription-key': `${product}-subscription-key`,
      authorization: `Bearer token-of-${product}`,
    })
  })

  test('the text beside the amount names the merchant', async () => {
    const { operator, adapter } = await connected()
    operator.on(post, 202)
    await adapter.submit({ ...given, shown: { merchant: "Grandma's Duka", reference: 'ORDER-2026-0001' } })
    const text = 'Grandmas Duka ORDER 2026 0001'
    expect(operator.requestsTo(post)[0]?.json()).toMatchObject({ payerMessage: text, payeeNote: text })
  })

  test('omits the header without an address for callbacks', async () => {
    const { operator, adapter } = await connected({ world: { callbackUrl: () => undefined } })
    operator.on(post, 202)
    await adapter.submit(given)
    expect(operator.requestsTo(post)[0]?.headers).not.toHaveProperty('x-callback-url')
  })

  test('a request that MTN calls malformed started nothing', async () => {
    const { operator, adapter } = await connected()
    operator.on(post, refusal(400, { code: 'SOMETHING_NEW', message: 'number 256772000123 is odd' }))
    expect(await adapter.submit(given)).toEqual({
      answer: 'refused',
      reason: 'Mobile money does not take this transaction now',
      code: 'operator_error',
    })
  })

  test('does not send an order in another currency', async () => {
    const { operator, adapter } = await connected()
    const inShillings = { ...given, amount: { amountMinor: 5000n, currency: 'KES' } }
    expect(await adapter.submit(inShillings)).toEqual({
      answer: 'not_sent',
      error: 'the order is in KES, and the rail account takes UGX only',
    })
    expect(operator.requests).toEqual([])
  })

  test('a product without credentials accepts nothing and is not called', async () => {
    const none = Object.fromEntries(['subscription_key', 'api_user', 'api_key'].map((key) => [`${product}_${key}`, '']))
    const { operator, adapter } = await connected({ settings: none })
    const error = `the rail account has no credentials for ${product}`
    expect(await adapter.submit(given)).toEqual({ answer: 'not_sent', error })
    expect(await adapter.query(given)).toEqual({ knows: 'unreachable', error })
    expect(operator.requests).toEqual([])
  })

  test.each([
    ...['PENDING', 'CREATED', 'ONGOING'].map((status) => [status, 'in_progress']),
    ...['TIMEOUT', 'REJECTED', 'COMPLETED', ''].map((status) => [status, 'unreachable']),
  ])('the status "%s" is %s', async (status, knows) => {
    const { operator, adapter } = await connected()
    operator.on(get, ok(result({ status })))
    expect(await adapter.query(given)).toMatchObject({ knows })
  })

  const NOT_FOUND = refusal(404, { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' })
  const secondsOld = (seconds: number) => ({ ...given, orderedAt: new Date(NOW.getTime() - seconds * 1000) })

  test('a setting gives the age from which not found counts', async () => {
    const { operator, adapter } = await connected({ settings: { not_found_after_seconds: '3600' } })
    operator.on(get, NOT_FOUND)
    expect(await adapter.query(secondsOld(3599))).toMatchObject({ knows: 'unreachable' })
    expect(await adapter.query(secondsOld(3600))).toEqual({ knows: 'nothing_moved' })
  })
})

test('requests one token for all orders of its product, without a body', async () => {
  const { operator, adapter } = await connected()
  operator.on(DIRECTIONS.COLLECTION.post, 202)
  await Promise.all([1, 2, 3].map(() => adapter.submit(order())))
  const tokens = operator.requestsTo('POST /collection/token/')
  expect(tokens.map(({ body, headers }) => [body, headers['content-length'], headers['content-type']])).toEqual([
    ['', '0', undefined],
  ])
  expect(tokens[0]?.headers.authorization).toBe(
    `Basic ${btoa('8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55:f1db798c98df4bcf83b538175893bbf0')}`,
  )
  expect(tokens[0]?.headers).not.toHaveProperty('x-target-environment')
})

// The customer has that time to approve.
test('both directions may be repeated; the first poll comes after five minutes', async () => {
  const { adapter } = await connected()
  for (const type of BOTH) {
    const { repeat, pollAfterMs } = adapter.traitsOf(type)
    expect(repeat).toBe('safe')
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1000].map((queried) => pollAfterMs(queried) / 1000)).toEqual([
      300, 60, 120, 300, 600, 1800, 3600, 3600, 3600,
    ])
  }
})

test('pays out by a deposit where a setting says so, and queries it there', async () => {
  const { operator, adapter } = await connected({ settings: { payout_call: 'deposit' } })
  operator.on('POST /disbursement/v1_0/deposit', 202)
  operator.on('GET /disbursement/v1_0/deposit/{id}', ok(result({ status: 'SUCCESSFUL' })))
  const payout = order({ type: 'PAYOUT' })
  expect(await adapter.submit(payout)).toEqual({ answer: 'accepted' })
  const [request] = operator.requestsTo('POST /disbursement/v1_0/deposit')
  expect(request?.json()).toMatchObject({ payee: { partyId: payout.account } })
  expect(request?.headers['x-callback-url']).toMatch(/\/deposit$/)
  expect(await adapter.query(payout)).toMatchObject({ knows: 'outcome' })
})

test('a refund has its own id, its collection and no number, and polls as a transfer', async () => {
  const { operator, adapter } = await connected()
  const collectionOrderId = '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
  const collection = { orderId: collectionOrderId, amount: order().amount, externalIds: {} }
  const refund = { ...order(), orderId: ORDER_ID, collection, orderedAt: NOW }
  operator.on('POST /disbursement/v1_0/refund', 202)
  operator.on(
    'GET /disbursement/v1_0/refund/{id}',
    ok(result({ status: 'SUCCESSFUL', financialTransactionId: '1' })),
    refusal(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }),
  )
  expect(await adapter.refund?.(refund)).toEqual({ answer: 'accepted' })
  const [request] = operator.requestsTo('POST /disbursement/v1_0/refund')
  expect(request?.json()).toEqual({
    amount: '5000',
    currency: 'UGX',
    externalId: ORDER_ID,
    referenceIdToRefund: collectionOrderId,
    payerMessage: 'Payment',
    payeeNote: 'Payment',
  })
  expect(request?.headers['x-reference-id']).toBe(ORDER_ID)
  expect(await adapter.queryRefund?.(refund)).toMatchObject({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
  expect(await adapter.queryRefund?.(refund)).toMatchObject({ knows: 'unreachable' })
})
