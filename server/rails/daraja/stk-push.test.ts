import { expect, test } from 'vitest'
import { hashedReference } from './account-reference.ts'
import { CHECKOUT, darajaAtTest, ORDER_ID, orderOf, PUSH, pushed, refused, TOKEN } from './testing/daraja-at-test.ts'

test('a prompt carries what Safaricom accepts, and its ids come back', async () => {
  const { operator, adapter, records } = await darajaAtTest()
  operator.on(PUSH, pushed())
  expect(await adapter.submit(orderOf())).toEqual({
    answer: 'accepted',
    externalIds: { MerchantRequestID: '7f3a-4c1e', CheckoutRequestID: CHECKOUT },
  })
  const [request] = operator.requestsTo(PUSH)
  expect(request?.json()).toEqual({
    BusinessShortCode: '174379',
    Password: Buffer.from('174379the-passkey20260302103000').toString('base64'),
    Timestamp: '20260302103000',
    TransactionType: 'CustomerPayBillOnline',
    Amount: 500,
    PartyA: '254712345678',
    PartyB: '174379',
    PhoneNumber: '254712345678',
    CallBackURL: `https://pay.example/operators/tested/f00d/${ORDER_ID}`,
    AccountReference: hashedReference(ORDER_ID),
    TransactionDesc: 'Payment',
  })
  expect(request?.headers.authorization).toBe('Bearer token-1')
  expect(records).toMatchObject([{ purpose: 'token' }, { purpose: 'submit', orderId: ORDER_ID }])
  const [token] = operator.requestsTo(TOKEN)
  expect(token?.headers.authorization).toBe(`Basic ${btoa('the-consumer-key:the-consumer-secret')}`)
  expect(token?.query.get('grant_type')).toBe('client_credentials')
})

test("shows the customer whose payment it is, as far as the operator's field allows", async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, pushed(0))
  await adapter.submit(orderOf({ shown: { merchant: 'Duka la Mfano & Sons', reference: 'ORDER-2026-0001' } }))
  expect(operator.requestsTo(PUSH)[0]?.json()).toMatchObject({ TransactionDesc: 'Duka la Mfano' })
})

test('sends the reference that was stored for the payer, also to a till', async () => {
  for (const settings of [{}, { transaction_type: 'buygoods', till_number: '300584' }]) {
    const { operator, adapter } = await darajaAtTest({ settings })
    operator.on(PUSH, pushed())
    await adapter.submit(orderOf({ externalIds: { AccountReference: 'INV-1001' } }))
    expect(operator.requestsTo(PUSH)[0]?.json()).toMatchObject({ AccountReference: 'INV-1001' })
  }
})

test('a till is a receiver beside the short code', async () => {
  const { operator, adapter } = await darajaAtTest({
    settings: { transaction_type: 'buygoods', till_number: '300584', prompt_text: 'Tickets' },
  })
  operator.on(PUSH, pushed(0))
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'accepted' })
  expect(operator.requestsTo(PUSH)[0]?.json()).toMatchObject({
    TransactionType: 'CustomerBuyGoodsOnline',
    BusinessShortCode: '174379',
    PartyB: '300584',
    TransactionDesc: 'Tickets',
  })
})

test.each([
  ['another currency', { amount: { amountMinor: 50_000n, currency: 'UGX' } }, 'not_allowed'],
  ['more than a number holds', { amount: { amountMinor: 10n ** 19n, currency: 'KES' } }, 'not_allowed'],
  ['an account that is no number', { account: '+254712345678' }, 'account_not_found'],
])('%s: refused before anything is sent', async (_what, changes, code) => {
  const { operator, adapter } = await darajaAtTest()
  for (const type of ['COLLECTION', 'PAYOUT'] as const)
    expect(await adapter.submit(orderOf({ type, ...changes }))).toMatchObject({ answer: 'refused', code })
  expect(operator.requests).toEqual([])
})

test('sends no prompt without an address for the callback', async () => {
  const { operator, adapter } = await darajaAtTest({ callbackUrl: () => undefined })
  expect(await adapter.submit(orderOf())).toEqual({
    answer: 'not_sent',
    error: expect.stringContaining('no public address'),
  })
  expect(operator.requests).toEqual([])
})

test('does not send an address that Safaricom refuses for one order', async () => {
  const { operator, adapter } = await darajaAtTest({
    callbackUrl: (id) => `https://pay.example/${id === ORDER_ID ? 'aSQLb' : 'ok'}`,
  })
  const error = expect.stringContaining('"SQL"')
  expect(await adapter.submit(orderOf())).toEqual({ answer: 'not_sent', error })
  expect(operator.requests).toEqual([])
})

test('collects nothing without a passkey', async () => {
  const { operator, adapter } = await darajaAtTest({ without: ['passkey'] })
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'not_sent' })
  expect(operator.requests).toEqual([])
})

// The codes that Safaricom documents as a refusal before the order is processed, and the one that it documents as
// final.
test.each([
  ['a field is invalid', refused(400, '400.002.02'), { answer: 'refused', code: 'not_allowed' }],
  ['no such path', refused(404, '404.001.01'), { answer: 'not_sent' }],
  ['the method is not allowed', refused(405, '405.001'), { answer: 'not_sent' }],
] as const)('%s: nothing was started', async (_what, answer, expected) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, answer)
  expect(await adapter.submit(orderOf())).toMatchObject(expected)
  expect(operator.requestsTo(PUSH)).toHaveLength(1)
})

test.each([
  ['an answer without the names', { status: 200, body: { ResponseCode: '0' } }],
  ['an answer with null as its name', { status: 200, body: { ResponseCode: '0', CheckoutRequestID: null } }],
  ['an answer without a code', { status: 200, body: { CheckoutRequestID: CHECKOUT } }],
  ['a refusal inside HTTP 200', refused(200, '400.002.02')],
  ['a refused token inside HTTP 200', refused(200, '404.001.03')],
  ['a name and a refusal at once', { status: 200, body: { ...pushed().body, errorCode: '400.002.02' } }],
  ...[
    [400, '400.002.02'],
    [404, '404.001.03'],
    [404, '404.001.01'],
    [401, '401.002.01'],
  ].map(
    ([status, errorCode]) =>
      [`a name beside ${errorCode}`, { status: Number(status), body: { ...pushed().body, errorCode } }] as const,
  ),
] as const)('%s: a prompt may be on its way, so it is unknown', async (_what, answer) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, answer)
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'unreachable' })
  expect(operator.requestsTo(PUSH)).toHaveLength(1)
})

test("an undocumented reply names the prompt without the customer's number", async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, pushed('1'))
  expect(await adapter.submit(orderOf())).toEqual({ answer: 'unreachable', error: 'M-PESA answered 1 to 7f3a-4c1e' })
})

test('a prompt whose reply is lost after a renewed token is not sent a third time', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, refused(404, '404.001.03'), 'close_after_reading')
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'unreachable' })
  expect(operator.requestsTo(PUSH)).toHaveLength(2)
})

test('a setting states that no prompt follows 500.001.1001', async () => {
  const { operator, adapter } = await darajaAtTest({ settings: { push_error_1001: 'refused' } })
  operator.on(PUSH, refused(500, '500.001.1001'))
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'refused', code: 'not_allowed' })
})

test.each([
  ['a number as code', { ResponseCode: 0, CheckoutRequestID: CHECKOUT }],
  ['null as the other name', { ResponseCode: ' 0 ', CheckoutRequestID: CHECKOUT, MerchantRequestID: null }],
  [
    'objects as texts',
    { ResponseCode: '0', CheckoutRequestID: CHECKOUT, ResponseDescription: {}, CustomerMessage: [] },
  ],
  ['no error', { ResponseCode: '0', CheckoutRequestID: CHECKOUT, errorCode: null, errorMessage: '' }],
])('accepts a prompt when the reply has %s', async (_what, body) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, { status: 200, body })
  expect(await adapter.submit(orderOf())).toEqual({ answer: 'accepted', externalIds: { CheckoutRequestID: CHECKOUT } })
})

test.each([
  ['a number', { access_token: 't', expires_in: 3599 }],
  ['a text with blanks', { access_token: ' t ', expires_in: ' 3599 ' }],
  ['nothing', { access_token: 't' }],
  ['null', { access_token: 't', expires_in: null }],
  ['words', { access_token: 't', expires_in: 'an hour', token_type: 7 }],
])('uses a token whose life is %s', async (_what, body) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(TOKEN, { status: 200, body })
  operator.on(PUSH, pushed())
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'accepted' })
  expect(operator.requestsTo(PUSH)[0]?.headers.authorization).toBe('Bearer t')
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'accepted' })
  expect(operator.requestsTo(TOKEN)).toHaveLength(1)
})

test.each([{ access_token: null }, { access_token: '' }, { access_token: {}, expires_in: 3599 }, []])(
  'sends nothing with the token reply %j',
  async (body) => {
    const { operator, adapter } = await darajaAtTest()
    operator.on(TOKEN, { status: 200, body })
    expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'not_sent' })
    expect(operator.requestsTo(PUSH)).toEqual([])
  },
)
