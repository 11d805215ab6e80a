import { constants, privateDecrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  certificate,
  darajaAtTest,
  MSISDN,
  ORDER_ID,
  PAYOUT,
  payoutOf,
  queued,
  refused,
  STATUS,
} from './testing/daraja-at-test.ts'

const urlOf = (tail: string): string => `https://pay.example/operators/tested/f00d/${ORDER_ID}/${tail}`

/** Decrypts a credential with the private key, as only Safaricom can. */
const decrypted = (credential: unknown): string =>
  privateDecrypt(
    { key: certificate.key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(String(credential), 'base64'),
  ).toString()

test('a payout goes out under the id of the order', async () => {
  const { operator, adapter, records } = await darajaAtTest()
  operator.on(PAYOUT, queued())
  expect(await adapter.submit(payoutOf())).toEqual({
    answer: 'accepted',
    externalIds: { OriginatorConversationID: ORDER_ID, ConversationID: 'AG_20260302_0001' },
  })
  const sent = operator.requestsTo(PAYOUT)[0]?.json() as { SecurityCredential: string }
  expect(sent).toEqual({
    OriginatorConversationID: ORDER_ID,
    InitiatorName: 'malipo',
    SecurityCredential: expect.any(String),
    CommandID: 'BusinessPayment',
    Amount: 500,
    PartyA: '600992',
    PartyB: MSISDN,
    Remarks: 'Payout',
    QueueTimeOutURL: urlOf('timeout'),
    ResultURL: urlOf('result'),
  })
  expect(decrypted(sent.SecurityCredential)).toBe('the-initiator-password')
  expect(records.at(-1)).toMatchObject({ purpose: 'submit', orderId: ORDER_ID })
})

/** An error that also contains the payout's ids as if it were accepted. */
const namedIn = (status: number, errorCode: string) => ({ status, body: { ...queued().body, errorCode } })

test.each([
  ['no such path', refused(404, '404.001.01'), { answer: 'not_sent' }],
  ["another payout's answer", queued('0b9d8f6e-0000-4000-8000-000000000000'), { answer: 'unreachable' }],
  ['a name beside a refusal', namedIn(400, '400.002.02'), { answer: 'unreachable' }],
  ['a name beside a refused token', namedIn(404, '404.001.03'), { answer: 'unreachable' }],
  [
    'a name beside a repeated id',
    namedIn(500, '500.002.1001'),
    { answer: 'accepted', externalIds: { OriginatorConversationID: ORDER_ID } },
  ],
] as const)('%s in reply to a payout', async (_what, answer, expected) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PAYOUT, answer)
  expect(await adapter.submit(payoutOf())).toMatchObject(expected)
})

test.each([
  ['an initiator', { without: ['initiator_name', 'initiator_password', 'certificate'] }],
  ['an address for results', { callbackUrl: () => undefined }],
])('without %s nothing is paid out or queried', async (_what, options) => {
  const { operator, adapter } = await darajaAtTest(options)
  expect(await adapter.submit(payoutOf())).toMatchObject({ answer: 'not_sent' })
  expect(await adapter.query(payoutOf())).toMatchObject({ knows: 'unreachable' })
  expect(operator.requests).toEqual([])
})

test('a payout that has arrived is in progress while its status is queried', async () => {
  const { operator, adapter, records } = await darajaAtTest()
  operator.on(STATUS, queued('3211-416020-3'))
  expect(await adapter.query(payoutOf({ externalIds: { OriginatorConversationID: ORDER_ID } }))).toEqual({
    knows: 'in_progress',
    question: 'AG_20260302_0001',
  })
  expect(operator.requestsTo(STATUS).map((request) => request.json())).toEqual([
    {
      Initiator: 'malipo',
      SecurityCredential: expect.any(String),
      CommandID: 'TransactionStatusQuery',
      OriginalConversationID: ORDER_ID,
      PartyA: '600992',
      IdentifierType: '4',
      ResultURL: urlOf('status'),
      QueueTimeOutURL: urlOf('timeout'),
      Remarks: 'Payout',
    },
  ])
  expect(records.at(-1)).toMatchObject({ purpose: 'ask', orderId: ORDER_ID })
})

test('polls a payout by our own id, whatever receipt is known', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(STATUS, queued('3211-416020-3'))
  await adapter.query(payoutOf({ externalIds: { TransactionID: 'UC23XYZ9KL' } }))
  const sent = operator.requestsTo(STATUS)[0]?.json()
  expect(sent).toMatchObject({ OriginalConversationID: ORDER_ID })
  expect(sent).not.toHaveProperty('TransactionID')
})

test('polls a payout that may be lost, and no poll sends it', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(STATUS, queued('3211-416020-3'))
  expect(await adapter.query(payoutOf())).toMatchObject({ knows: 'unreachable', question: 'AG_20260302_0001' })
  expect([operator.requestsTo(STATUS).length, operator.requestsTo(PAYOUT).length]).toEqual([1, 0])
})

test('a query that Safaricom did not accept says nothing', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(STATUS, refused(500, '500.003.02'), 'close_after_reading')
  const arrived = payoutOf({ externalIds: { OriginatorConversationID: ORDER_ID } })
  expect(await adapter.query(arrived)).toMatchObject({ knows: 'unreachable' })
  expect(await adapter.query(arrived)).toMatchObject({ knows: 'unreachable' })
})

const replied = (body: unknown) => ({ status: 200, body })

test.each([
  ['a number as code', { ConversationID: 'AG_1', OriginatorConversationID: ORDER_ID, ResponseCode: 0 }, 'AG_1'],
  ['no order id', { ConversationID: 'AG_1', ResponseCode: ' 0 ' }, 'AG_1'],
  ['null as order id', { ConversationID: 'AG_1', OriginatorConversationID: null, ResponseCode: '0' }, 'AG_1'],
  ['our id in capitals', { OriginatorConversationID: ORDER_ID.toUpperCase(), ResponseCode: 0 }, undefined],
  ['an object as conversation', { ConversationID: {}, ResponseCode: '0', ResponseDescription: [] }, undefined],
] as const)('accepts a payout when the reply has %s', async (_what, body, conversation) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PAYOUT, replied(body))
  expect(await adapter.submit(payoutOf())).toEqual({
    answer: 'accepted',
    externalIds: { OriginatorConversationID: ORDER_ID, ...(conversation && { ConversationID: conversation }) },
  })
})

test.each([
  ['no code', { ConversationID: 'AG_1', OriginatorConversationID: ORDER_ID }],
  ['null as code', { ConversationID: 'AG_1', OriginatorConversationID: ORDER_ID, ResponseCode: null }],
  ['a refusal inside HTTP 200', { requestId: '1', errorCode: '400.002.02', errorMessage: 'x' }],
  ['a list', [{ ResponseCode: '0' }]],
  ['null', null],
] as const)('leaves a payout unknown when the reply has %s', async (_what, body) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PAYOUT, replied(body === null ? 'null' : body))
  expect(await adapter.submit(payoutOf())).toMatchObject({ answer: 'unreachable' })
})

test.each([
  ['an object as conversation', { ConversationID: {}, ResponseCode: 0 }, { knows: 'in_progress' }],
  ['no code', { ConversationID: 'AG_7' }, { knows: 'in_progress', question: 'AG_7' }],
  ['a number as conversation', { ConversationID: 77, ResponseCode: '0' }, { knows: 'in_progress', question: '77' }],
] as const)('reads the reply to a status query with %s', async (_what, body, expected) => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(STATUS, replied(body))
  expect(await adapter.query(payoutOf({ externalIds: { OriginatorConversationID: ORDER_ID } }))).toEqual(expected)
})

test('stores no question of a status query that was not accepted', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(STATUS, queued('3211-416020-3', '1'))
  const known = await adapter.query(payoutOf({ externalIds: { OriginatorConversationID: ORDER_ID } }))
  expect(known).toEqual({ knows: 'unreachable', error: 'M-PESA did not take the question' })
})
