import { expect, test } from 'vitest'
import { CHECKOUT, darajaReading, ORDER_ID } from './testing/daraja-at-test.ts'

const adapter = darajaReading()
const readText = (body: string, tail?: string) =>
  adapter.readCallback({ method: 'POST', ...(tail !== undefined && { tail }), body })
const read = (body: unknown, tail?: string) => readText(JSON.stringify(body), tail)

const KES_100 = { amountMinor: 10_000n, currency: 'KES' }
const PAID = { status: 'COMPLETED' }
/** Shapes that are invalid for every field. */
const ODD = [null, true, false, 0, 1.5, '', ' ', 'x', {}, [], [null], { a: 1 }, 'x'.repeat(5000), '\u0000'] as const

const paid = (changes: object = {}, parameters: unknown = [{ Key: 'TransactionAmount', Value: 100 }]) => ({
  Result: {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: 'x',
    OriginatorConversationID: ORDER_ID,
    ConversationID: 'AG_1',
    TransactionID: 'TKB0000001',
    ResultParameters: { ResultParameter: parameters },
    ...changes,
  },
})
const outcomeOf = (body: unknown, tail = 'result') => read(body, tail)?.outcome

test.each(['ResultType', 'ResultDesc', 'ConversationID', 'TransactionID', 'ReferenceData'])(
  'reads both verdicts of a payout whatever stands in %s',
  (field) => {
    for (const value of [...ODD, undefined]) {
      expect([value, outcomeOf(paid({ [field]: value }))]).toEqual([value, PAID])
      const failed = paid({ ResultCode: 2001, ResultParameters: undefined, [field]: value })
      expect([value, outcomeOf(failed)?.status]).toEqual([value, 'FAILED'])
    }
  },
)

test('reads a failed payout whatever stands in its parameters', () => {
  for (const value of ODD) {
    for (const ResultParameters of [value, [value], { ResultParameter: value }, { ResultParameter: [value] }])
      expect(outcomeOf(paid({ ResultCode: '2040', ResultParameters }))?.status).toBe('FAILED')
    const odd = [{ Key: 'TransactionAmount', Value: value }, { Key: value, Value: 1 }, { Value: 1 }]
    expect(outcomeOf(paid({ ResultCode: '2040' }, odd))?.status).toBe('FAILED')
  }
})

test('reads a paid payout whatever stands beside what decides', () => {
  for (const Value of ODD) {
    const beside = ['TransactionReceipt', 'B2CUtilityAccountAvailableFunds', 'ReceiverPartyPublicName', 'Other']
    for (const Key of beside)
      expect([
        Key,
        Value,
        outcomeOf(
          paid({}, [
            { Key, Value },
            { Key: 'TransactionAmount', Value: 100 },
          ]),
        ),
      ]).toEqual([Key, Value, PAID])
    expect(outcomeOf(paid({}, [Value, { Key: Value }, { Key: 'TransactionAmount', Value: '100.00' }]))).toEqual(PAID)
  }
})

test('reads parameters as an object, as a nested list and without the level between', () => {
  const amount = { Key: 'TransactionAmount', Value: 100 }
  for (const ResultParameters of [{ ResultParameter: amount }, { ResultParameter: [[amount]] }, [amount], amount])
    expect(read(paid({ ResultParameters }), 'result')).toMatchObject({ outcome: PAID, amount: KES_100 })
})

test.each([0, '0', ' 0 ', '0\n'])('takes result code %j for zero', (ResultCode) => {
  expect(outcomeOf(paid({ ResultCode }))).toEqual(PAID)
})

test('takes 0.0 and 0e0 in JSON for zero', () => {
  for (const written of ['0.0', '0e0', '-0'])
    expect(
      readText(JSON.stringify(paid()).replace('"ResultCode":0', `"ResultCode":${written}`), 'result'),
    ).toMatchObject({ outcome: PAID })
})

test.each([null, true, false, '', {}, [], [0], '00', '0x0', undefined])(
  'reads no verdict in result code %j',
  (code) => {
    expect(outcomeOf(paid({ ResultCode: code }))).toBeUndefined()
  },
)

test.each([100, '100', '100.00', 100.0, '1e2', ' 100 '])('reads %j as 100 shillings', (Value) => {
  expect(read(paid({}, [{ Key: 'TransactionAmount', Value }]), 'result')).toMatchObject({
    outcome: PAID,
    amount: KES_100,
  })
})

test('passes on an amount in cents, which no order of whole shillings has', () => {
  const reading = read(paid({}, [{ Key: 'TransactionAmount', Value: '100.50' }]), 'result')
  expect(reading?.amount).toEqual({ amountMinor: 10_050n, currency: 'KES' })
})

test.each([null, true, '', {}, [], [100], 'lots', '1,000', '-100', '100.001', 'KES 100', undefined])(
  'believes no paid payout with %j as amount',
  (Value) => {
    const reading = read(paid({}, [{ Key: 'TransactionAmount', Value }]), 'result')
    expect(reading).toMatchObject({ claimsPaid: true, mayQuery: false, orderId: ORDER_ID })
    expect(reading).not.toHaveProperty('outcome')
    expect(reading).not.toHaveProperty('receipts')
  },
)

test.each([ORDER_ID.toUpperCase(), ` ${ORDER_ID} `])(
  'names the order %j as it was sent',
  (OriginatorConversationID) => {
    const named = { orderId: ORDER_ID, externalIds: { OriginatorConversationID: ORDER_ID, ConversationID: 'AG_1' } }
    expect(read(paid({ OriginatorConversationID }), 'result')).toMatchObject({ outcome: PAID, ...named })
    expect(read(paid({ OriginatorConversationID, ResultCode: 2001 }), 'result')).toMatchObject(named)
  },
)

test.each([null, undefined, '', {}, [], true])(
  'believes no result that names %j as order',
  (OriginatorConversationID) => {
    expect(outcomeOf(paid({ OriginatorConversationID }))).toBeUndefined()
    expect(outcomeOf(paid({ ResultCode: 2001, OriginatorConversationID }))).toBeUndefined()
  },
)

test('leaves a payout unknown when a key that decides is repeated with another value', () => {
  const amount = (Value: unknown) => ({ Key: 'TransactionAmount', Value })
  const recipient = (Value: unknown) => ({ Key: 'ReceiverPartyPublicName', Value })
  expect(outcomeOf(paid({}, [amount(100), amount(200)]))).toBeUndefined()
  expect(outcomeOf(paid({}, [amount(100), amount({})]))).toBeUndefined()
  expect(outcomeOf(paid({}, [amount(100), recipient('254712345678 - A'), recipient('0712345679 - B')]))).toBeUndefined()
  expect(outcomeOf(paid({}, [amount(100), amount('100.00'), amount(null)]))).toEqual(PAID)
  expect(outcomeOf(paid({}, [amount(100), recipient('254712345678 - A'), recipient('0712345678')]))).toEqual(PAID)
})

test.each([
  ['OAK0000000', 2001, undefined],
  ['TKB0000001', 0, { TransactionID: 'TKB0000001' }],
  ['0', 0, undefined],
  ['0000000000', 0, undefined],
  ['N/A', 0, undefined],
  [null, 0, { TransactionID: 'TKB0000009' }],
  ['TKB0000008', 0, undefined],
])('with TransactionID %j and result %j the receipts are %j', (TransactionID, ResultCode, receipts) => {
  const Value = TransactionID === null || TransactionID === 'TKB0000008' ? 'TKB0000009' : undefined
  const parameters = [
    { Key: 'TransactionAmount', Value: 100 },
    { Key: 'TransactionReceipt', Value },
  ]
  const reading = read(paid({ TransactionID, ResultCode }, parameters), 'result')
  expect(reading?.receipts).toEqual(receipts)
  expect(reading?.externalIds).toEqual({ OriginatorConversationID: ORDER_ID, ConversationID: 'AG_1' })
})

test.each([
  ['9'.repeat(40), '_'],
  ['a b/c"d', 'a_b_c_d'],
  ['X'.repeat(100), 'X'.repeat(32)],
  ['call 254712345678', 'call__'],
  [26.5, '26.5'],
])('reports code %j as %j', (ResultCode, unmappedCode) => {
  expect(read(paid({ ResultCode }), 'result')).toMatchObject({ unmappedCode })
})

test.each([
  [1, 'The transaction is still under processing', undefined],
  [0, 'The transaction is being processed', undefined],
  [1, 'The service request is processed successfully.', undefined],
  [0, 'Request cancelled by user', undefined],
  [0, 'The service request is processed successfully.', 'COMPLETED'],
  [1, 'The balance is insufficient for the transaction.', 'FAILED'],
  [2001, 'An error occurred while processing the request', 'FAILED'],
  [1, 'A similar transaction is being processed', 'FAILED'],
  [1, 'The transaction is already being processed', undefined],
  [0, 'A similar transaction is being processed', undefined],
])('reads result %j with the text "%s" as %s', (ResultCode, ResultDesc, status) => {
  expect(outcomeOf(paid({ ResultCode, ResultDesc }))?.status).toBe(status)
})

const prompt = (changes: object = {}) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: '7f3a-4c1e',
      CheckoutRequestID: CHECKOUT,
      ResultCode: 0,
      ResultDesc: 'x',
      ...changes,
    },
  },
})
const items = (...Item: unknown[]) => ({ CallbackMetadata: { Item } })

test('reads the verdict of a prompt whatever stands beside it', () => {
  for (const value of ODD)
    for (const changes of [
      { CallbackMetadata: value },
      { CallbackMetadata: { Item: value } },
      { CallbackMetadata: { Item: [value] } },
      { ResultDesc: value },
      { MerchantRequestID: value },
      items({ Name: 'Balance', Value: value }),
      items({ Name: 'MpesaReceiptNumber', Value: value }),
      items({ Name: value, Value: 1 }),
    ]) {
      expect(read(prompt(changes))).toMatchObject({ outcome: PAID, mayQuery: true })
      expect(read(prompt({ ...changes, ResultCode: '1032' }))?.outcome?.status).toBe('FAILED')
    }
})

test('reads a single item of a prompt, and keeps its receipt only with a success', () => {
  const CallbackMetadata = { Item: { Name: 'MpesaReceiptNumber', Value: 'UC23ABC4DE' } }
  expect(read(prompt({ CallbackMetadata }))?.receipts).toEqual({ MpesaReceiptNumber: 'UC23ABC4DE' })
  expect(read(prompt({ CallbackMetadata, ResultCode: 1 }))).not.toHaveProperty('receipts')
})

test('claims no success of a prompt with amounts or numbers that differ', () => {
  const named = (Name: string, ...values: unknown[]) => values.map((Value) => ({ Name, Value }))
  for (const odd of [
    named('Amount', 100, 200),
    named('Amount', {}),
    named('PhoneNumber', 254712345678, '0712345679'),
  ]) {
    const reading = read(prompt(items(...odd, { Name: 'MpesaReceiptNumber', Value: 'UC23ABC4DE' })))
    expect(reading).toMatchObject({ claimsPaid: true, mayQuery: true })
    expect(reading).not.toHaveProperty('outcome')
    expect(reading).not.toHaveProperty('receipts')
  }
  expect(read(prompt(items(...named('Amount', 100, '100.00'))))).toMatchObject({ outcome: PAID, amount: KES_100 })
})
