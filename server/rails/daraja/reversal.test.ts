import { expect, test } from 'vitest'
import type { RefundOrder } from '../../actions/ports/rail.ts'
import { PAYER_REFERENCE } from '../../actions/ports/rail-references.ts'
import { daraja } from './daraja.ts'
import { darajaAtTest, MSISDN, NOW, ORDER_ID, PULL } from './testing/daraja-at-test.ts'

const REVERSE = 'POST /mpesa/reversal/v1/request'
const RECEIPT = 'UC23ABC1XY'
const AMOUNT = { amountMinor: 50_000n, currency: 'KES' }

const refund = (receipts: RefundOrder['collection']['externalIds']): RefundOrder => ({
  internalReference: 'MLPRQZVFYDQTSNMNXZDV0WZHT',
  orderId: ORDER_ID,
  providerCode: 'mpesa_ke',
  account: MSISDN,
  amount: AMOUNT,
  externalIds: {},
  collection: { orderId: '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11', amount: AMOUNT, externalIds: receipts },
})

const result = (fields: object, parameters: readonly object[] = []) => ({
  method: 'POST' as const,
  tail: 'reversal',
  body: JSON.stringify({
    Result: { ResultType: 0, ResultDesc: 'x', ...fields, ResultParameters: { ResultParameter: parameters } },
  }),
})
const DONE = [
  { Key: 'Amount', Value: '500.00' },
  { Key: 'OriginalTransactionID', Value: RECEIPT },
]

test('a refund reverses the receipt of its collection', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(REVERSE, {
    status: 200,
    body: { ConversationID: 'AG_1', OriginatorConversationID: 'x', ResponseCode: '0' },
  })
  expect(await adapter.refund?.(refund({ MpesaReceiptNumber: RECEIPT }))).toEqual({
    answer: 'accepted',
    externalIds: { ConversationID: 'AG_1' },
  })
  expect(operator.requestsTo(REVERSE)[0]?.json()).toMatchObject({
    CommandID: 'TransactionReversal',
    TransactionID: RECEIPT,
    Amount: 500,
    ReceiverParty: '174379',
    RecieverIdentifierType: '11',
    ResultURL: `https://pay.example/operators/tested/f00d/${ORDER_ID}/reversal`,
  })
})

test('a receipt that never came is taken from the list of payments, if it fits', async () => {
  const { operator, adapter } = await darajaAtTest({ settings: { pull: 'yes' } })
  const listed = { transactionId: RECEIPT, msisdn: Number(MSISDN), billreference: 'INV-1', amount: '500.00' }
  const reply = (one: object) => ({ status: 200, body: { ResponseCode: '1000', Response: [[one]] } })
  operator.on(PULL, reply({ ...listed, trxDate: '2026-03-02T10:29:00+03:00' }))
  operator.on(REVERSE, { status: 200, body: { ConversationID: 'AG_1', ResponseCode: '0' } })
  const sought = (amountMinor: bigint) => {
    const { collection, ...order } = refund({ [PAYER_REFERENCE]: 'INV-1' })
    const amount = { ...AMOUNT, amountMinor }
    return adapter.refund?.({ ...order, amount, collection: { ...collection, amount, orderedAt: NOW } })
  }
  expect(await sought(60_000n)).toMatchObject({ answer: 'not_sent', lacksId: true })
  expect(await sought(50_000n)).toMatchObject({ answer: 'accepted' })
  expect(operator.requestsTo(REVERSE).map((request) => request.json())).toMatchObject([{ TransactionID: RECEIPT }])
})

test('without a receipt, or without an initiator, nothing is sent', async () => {
  const { operator, adapter } = await darajaAtTest()
  for (const receipts of [{}, { MpesaReceiptNumber: '0000000000' }])
    expect(await adapter.refund?.(refund(receipts))).toMatchObject({ answer: 'not_sent' })
  const without = await darajaAtTest({ without: ['initiator_name', 'initiator_password', 'certificate'] })
  expect(await without.adapter.refund?.(refund({ MpesaReceiptNumber: RECEIPT }))).toMatchObject({ answer: 'not_sent' })
  expect(without.adapter.traitsOf('COLLECTION').refund).toBeUndefined()
  expect(operator.requests).toEqual([])
})

test('a reversal repeats only where a setting says so', async () => {
  const repeats = async (settings = {}) =>
    (await darajaAtTest({ settings })).adapter.traitsOf('COLLECTION').refund?.repeat
  expect([await repeats(), await repeats({ reversal_repeat: 'safe' })]).toEqual(['never', 'safe'])
  expect(daraja.settings['reversal_repeat']?.fault?.('sometimes')).toBe('must be never or safe')
})

test.each([
  ['a success with its amount', { ResultCode: 0, ConversationID: 'AG_1' }, DONE, { status: 'COMPLETED' }],
  ['a success without an amount', { ResultCode: 0, ConversationID: 'AG_1' }, DONE.slice(1), undefined],
  ['a failure', { ResultCode: 'R000002', ConversationID: 'AG_1' }, [], { status: 'FAILED' }],
  ['a failure without a conversation', { ResultCode: 'R000002' }, [], undefined],
  ['reversed before', { ResultCode: 'R000001', ConversationID: 'AG_1' }, [], undefined],
])('%s is a verdict, or none', async (_what, fields, parameters, outcome) => {
  const { adapter } = await darajaAtTest()
  const reading = adapter.readCallback(result(fields, parameters))
  expect(reading).toMatchObject({ type: 'REFUND', mayQuery: false })
  if (outcome) expect(reading?.outcome).toMatchObject(outcome)
  else expect(reading?.outcome).toBeUndefined()
})
