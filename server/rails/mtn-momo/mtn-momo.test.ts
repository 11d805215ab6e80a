import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import { connected, DIRECTIONS, NOW, order, ORDER_ID, result, type Direction } from './testing/connected.ts'

const BOTH = Object.keys(DIRECTIONS) as Direction[]
const ok = (body: unknown): ScriptedAnswer => ({ status: 200, body })
const refusal = (status: number, body: unknown): ScriptedAnswer => ({ status, body })
const SUCCESS = { status: 200, body: result({ status: 'SUCCESSFUL' }) } as const
const HTML: ScriptedAnswer = { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }

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
      'x-callback-url': `https://pay.example/operators/mtn-ug/secret/${ORDER_ID}/${tail}`,
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

  test('409 means that an earlier attempt arrived', async () => {
    const { operator, adapter } = await connected()
    operator.on(post, refusal(409, { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' }))
    expect(await adapter.submit(given)).toEqual({ answer: 'accepted' })
    operator.on(post, refusal(409, { statusCode: 409, message: 'Conflict' }))
    expect(await adapter.submit(given)).toEqual({ answer: 'accepted' })
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

  test.each<[string, ScriptedAnswer]>([
    ['an unknown code', refusal(500, { code: 'NOBODY_KNOWS', message: 'x' })],
    ['an error of the front of the API', refusal(500, { statusCode: 500, message: 'x' })],
    ['unavailable', refusal(503, { code: 'SERVICE_UNAVAILABLE', message: 'x' })],
    ['unavailable with the code of a refusal', refusal(503, { code: 'NOT_ALLOWED', message: 'x' })],
    ['a page of HTML', HTML],
    ['a success that the contract does not know', 200],
    ['a 202 that says something', { status: 202, body: { status: 'FAILED' } }],
    ['not found', refusal(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' })],
    ['too many', refusal(429, { statusCode: 429, message: 'x' })],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['an end before it was read', 'close_before_reading'],
    ['an end after it was read', 'close_after_reading'],
    ['half a refusal', { status: 500, body: { code: 'NOT_ALLOWED', message: 'x' }, delivery: 'truncated' }],
  ])('%s leaves the order unknown', async (_what, answer) => {
    const { operator, adapter } = await connected()
    operator.on(post, answer)
    expect(await adapter.submit(given)).toEqual({ answer: 'unreachable', error: expect.any(String) })
  })

  test.each<[string, ScriptedAnswer]>([
    ['silence', 'hang'],
    ['half an answer and then silence', { ...SUCCESS, delivery: 'stall' }],
  ])('%s is no answer, whatever was asked', async (_what, answer) => {
    for (const call of ['submit', 'query'] as const) {
      const { operator, adapter, afterSilence } = await connected()
      const route = call === 'submit' ? post : get
      operator.on(route, answer)
      expect(await afterSilence<unknown>(route, adapter[call](given))).toEqual({
        [call === 'submit' ? 'answer' : 'knows']: 'unreachable',
        error: expect.stringMatching(/^no reply within/) as string,
      })
    }
  })

  test('a token that MTN refuses is renewed once, and the same order resent', async () => {
    const { operator, adapter } = await connected()
    operator.on(
      `POST /${product}/token/`,
      ok({ access_token: 'old', token_type: 'access_token', expires_in: 3600 }),
      ok({ access_token: 'new', token_type: 'access_token', expires_in: 3600 }),
    )
    operator.on(post, refusal(401, { statusCode: 401, message: 'Access denied' }), 202)
    expect(await adapter.submit(given)).toEqual({ answer: 'accepted' })
    expect(operator.requestsTo(post).map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    const sent = operator.requestsTo(post).map(({ headers, body }) => [headers['x-reference-id'], body])
    expect(sent[1]).toEqual(sent[0])
  })

  test.each([401, 403])('an order that %i rejects has not gone out', async (status) => {
    const { operator, adapter } = await connected()
    operator.on(post, refusal(status, { statusCode: status, message: 'Access denied' }))
    expect(await adapter.submit(given)).toEqual({ answer: 'not_sent', error: `MTN answered HTTP ${status}` })
    expect(operator.requestsTo(post)).toHaveLength(status === 401 ? 2 : 1)
  })

  test('sends nothing without a token', async () => {
    const { operator, adapter } = await connected()
    operator.on(`POST /${product}/token/`, refusal(500, { error: 'login_failed' }))
    expect(await adapter.submit(given)).toEqual({ answer: 'not_sent', error: 'no token: MTN answered HTTP 500' })
    expect(operator.requestsTo(post)).toEqual([])
  })

  test('sends nothing when nobody listens', async () => {
    const { operator, adapter } = await connected()
    await operator.close()
    expect(await adapter.submit(given)).toMatchObject({ answer: 'not_sent' })
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

  test("a success brings MTN's name of the movement", async () => {
    const { operator, adapter } = await connected()
    operator.on(get, ok(result({ status: 'SUCCESSFUL', financialTransactionId: '363440463', amount: '5000.00' })))
    expect(await adapter.query(given)).toEqual({
      knows: 'outcome',
      outcome: { status: 'COMPLETED' },
      receipts: { financialTransactionId: '363440463' },
    })
    expect(operator.requestsTo(get)[0]?.path).toMatch(new RegExp(`/${ORDER_ID}$`))
    expect(operator.requestsTo(get)[0]?.headers).toMatchObject({
      'x-target-environment': 'mtnuganda',
      'ocp-apim-subscription-key': `${product}-subscription-key`,
    })
  })

  test.each(['PENDING', 'CREATED', 'ONGOING'])('%s is still in progress', async (status) => {
    const { operator, adapter } = await connected()
    operator.on(get, ok(result({ status })))
    expect(await adapter.query(given)).toEqual({ knows: 'in_progress' })
  })

  test.each(['TIMEOUT', 'REJECTED', 'COMPLETED', ''])('status "%s" is undocumented: unknown', async (status) => {
    const { operator, adapter } = await connected()
    operator.on(get, ok(result({ status })))
    expect(await adapter.query(given)).toEqual({ knows: 'unreachable', error: expect.any(String) })
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['amount', { amount: '500' }],
    ['amount', { amount: '5000.50' }],
    ['currency', { currency: 'EUR' }],
    ['external id', { externalId: '4fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11' }],
  ])('a reply with another %s says nothing about the order, whatever its status', async (what, other) => {
    for (const status of ['SUCCESSFUL', 'FAILED', 'PENDING']) {
      const { operator, adapter } = await connected()
      operator.on(get, ok(result({ status, ...other })))
      expect(await adapter.query(given)).toEqual({
        knows: 'unreachable',
        error: `MTN's answer has another ${what} than the order`,
      })
    }
  })

  test.each<[string, unknown]>([
    ['none', undefined],
    ['an undocumented text', 'SOMETHING_NEW'],
    ['an undocumented code', { code: 'SOMETHING_NEW', message: 'of 256772000123' }],
  ])('FAILED is final also when its reason is %s', async (_what, reason) => {
    const { operator, adapter } = await connected()
    operator.on(get, ok(result({ status: 'FAILED', reason })))
    expect(await adapter.query(given)).toEqual({
      knows: 'outcome',
      outcome: { status: 'FAILED', reason: 'Mobile money did not complete the transaction' },
    })
  })

  const NOT_FOUND = refusal(404, { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' })
  const secondsOld = (seconds: number) => ({ ...given, orderedAt: new Date(NOW.getTime() - seconds * 1000) })

  test('not found means no movement only for an order that MTN would know by now', async () => {
    const { operator, adapter } = await connected()
    operator.on(get, NOT_FOUND)
    const { orderedAt: _unknown, ...ofUnknownAge } = given
    const unknown = { knows: 'unreachable', error: expect.stringContaining('too young') }
    expect(await adapter.query(secondsOld(0))).toEqual(unknown)
    expect(await adapter.query(secondsOld(299))).toEqual(unknown)
    expect(await adapter.query(ofUnknownAge)).toEqual(unknown)
    expect(await adapter.query(secondsOld(300))).toEqual({ knows: 'nothing_moved' })
  })

  test('a setting gives the age from which not found counts', async () => {
    const { operator, adapter } = await connected({ settings: { not_found_after_seconds: '3600' } })
    operator.on(get, NOT_FOUND)
    expect(await adapter.query(secondsOld(3599))).toMatchObject({ knows: 'unreachable' })
    expect(await adapter.query(secondsOld(3600))).toEqual({ knows: 'nothing_moved' })
  })

  test.each<[string, ScriptedAnswer]>([
    ['another code', refusal(404, { code: 'NOT_ALLOWED', message: 'x' })],
    ['the front of the API', refusal(404, { statusCode: 404, message: 'Resource not found' })],
    ['a page', { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } }],
  ])('a 404 of %s is about the address, not about the order', async (_what, answer) => {
    const { operator, adapter } = await connected()
    operator.on(get, answer)
    expect(await adapter.query(given)).toMatchObject({ knows: 'unreachable' })
  })

  test.each<[string, ScriptedAnswer]>([
    ['a refusal', refusal(500, { code: 'NOT_ALLOWED', message: 'x' })],
    ['a malformed id', refusal(400, { code: 'BAD', message: 'x' })],
    ['unavailable', refusal(503, { code: 'SERVICE_UNAVAILABLE', message: 'x' })],
    ['rejected', refusal(403, { statusCode: 403, message: 'x' })],
    ['HTML', HTML],
    ['nothing', 200],
    ['a success without its fields', ok({ status: 'SUCCESSFUL' })],
    ['a success in a list', ok([result({ status: 'SUCCESSFUL' })])],
    ['null', ok(null)],
    ['a text', ok('SUCCESSFUL')],
    ['a repeated verdict', ok('{"status":"FAILED","status":"SUCCESSFUL"}')],
    ['half a success', { ...SUCCESS, delivery: 'truncated' }],
  ])('%s in reply to a query says nothing about the order', async (_what, answer) => {
    const { operator, adapter } = await connected()
    operator.on(get, answer)
    expect(await adapter.query(given)).toEqual({ knows: 'unreachable', error: expect.any(String) })
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

test('every call names its purpose and its order', async () => {
  const { operator, adapter, exchanges } = await connected()
  operator.on(DIRECTIONS.COLLECTION.post, 202)
  operator.on(DIRECTIONS.COLLECTION.get, ok(result()))
  await adapter.submit(order())
  await adapter.query(order())
  expect(exchanges).toEqual([
    { purpose: 'token' },
    { purpose: 'submit', orderId: ORDER_ID },
    { purpose: 'ask', orderId: ORDER_ID },
  ])
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

test('a refund has its own id, its collection and no number, and polls as a transfer', async () => {
  const { operator, adapter } = await connected()
  const collectionOrderId = '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
  const refund = { orderId: ORDER_ID, collectionOrderId, amount: order().amount, orderedAt: NOW }
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
