import { expect, test } from 'vitest'
import contract from '../../../generated/operators/daraja.json' with { type: 'json' }
import type { ReceivedCallback } from '../rail-kind.ts'
import { CHECKOUT, darajaReading, ORDER_ID } from './testing/daraja-at-test.ts'

const adapter = darajaReading()

const received = (body: unknown, tail?: string): ReceivedCallback => ({
  method: 'POST',
  ...(tail !== undefined && { tail }),
  body: JSON.stringify(body),
})
const read = (body: unknown, tail?: string) => adapter.readCallback(received(body, tail))

const { examples } = contract.components
const KES_500 = { amountMinor: 50_000n, currency: 'KES' }

const prompt = (ResultCode: number | string, items?: readonly object[]) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: '7f3a-4c1e',
      CheckoutRequestID: CHECKOUT,
      ResultCode,
      ...(items && { CallbackMetadata: { Item: items } }),
    },
  },
})

test('a paid prompt: metadata is read by name, and the query decides', () => {
  expect(read(examples.callback_paid.value)).toEqual({
    type: 'COLLECTION',
    outcome: { status: 'COMPLETED' },
    mayQuery: true,
    amount: KES_500,
    account: '254712345678',
    externalIds: {
      MerchantRequestID: '7f3a-4c1e-9d20-6b5e8a1f2c33',
      CheckoutRequestID: CHECKOUT,
    },
    receipts: { MpesaReceiptNumber: 'UC23ABC4DE' },
  })
  const shuffled = [
    { Name: 'PhoneNumber', Value: '2547*****678' },
    { Name: 'SomethingNew', Value: 'x' },
    { Name: 'MpesaReceiptNumber', Value: '' },
    { Name: 'Amount', Value: '500.00' },
  ]
  expect(read(prompt('0', shuffled))).toEqual({
    type: 'COLLECTION',
    outcome: { status: 'COMPLETED' },
    mayQuery: true,
    amount: KES_500,
    externalIds: { MerchantRequestID: '7f3a-4c1e', CheckoutRequestID: CHECKOUT },
  })
})

test('a paid payout must agree; its id, amount and names come along', () => {
  expect(read(examples.payout_paid.value, 'result')).toEqual({
    type: 'PAYOUT',
    outcome: { status: 'COMPLETED' },
    mayQuery: false,
    orderId: ORDER_ID,
    amount: { amountMinor: 2_000_000n, currency: 'KES' },
    externalIds: {
      OriginatorConversationID: ORDER_ID,
      ConversationID: 'AG_20260302_00004e2b6f1a9c7d3e58',
    },
    receipts: { TransactionID: 'UC23XYZ9KL' },
  })
})

const payout = (ResultCode: number | string, parameters?: readonly object[]) => ({
  Result: {
    ResultCode,
    OriginatorConversationID: ORDER_ID,
    ConversationID: 'AG_1',
    ...(parameters && { ResultParameters: { ResultParameter: parameters } }),
  },
})

test.each([
  ['254712345678 - Jane Doe', '254712345678'],
  ['2547*****678 - Jane Doe', undefined],
  ['254712345*78 - Jane Doe', undefined],
  ['0712345678 - Jane Doe', '254712345678'],
  ['+254712345678', '254712345678'],
  [' 712345678 - Jane Doe', '254712345678'],
  ['254 712-345-678 - Jane Doe', '254712345678'],
  ['tel:+254712345678', '254712345678'],
  ['00254712345678', '254712345678'],
  ['600992 - Company', undefined],
  ['Jane Doe', undefined],
])('the recipient %s is compared as %s', (ReceiverPartyPublicName, account) => {
  const parameters = [
    { Key: 'TransactionAmount', Value: 500 },
    { Key: 'ReceiverPartyPublicName', Value: ReceiverPartyPublicName },
  ]
  expect(read(payout(0, parameters), 'result')?.account).toBe(account)
})

test('a payout reported as paid without an amount has no verdict', () => {
  expect(read(payout(0), 'result')).toEqual({
    type: 'PAYOUT',
    claimsPaid: true,
    mayQuery: false,
    orderId: ORDER_ID,
    externalIds: { OriginatorConversationID: ORDER_ID, ConversationID: 'AG_1' },
  })
})

test.each([
  [1, 'operator_error'],
  [2, 'limit_reached'],
  [3, 'limit_reached'],
  [4, 'limit_reached'],
  [8, 'limit_reached'],
  [11, 'operator_error'],
  [21, 'operator_error'],
  [2001, 'operator_error'],
  [2006, 'not_allowed'],
  [2028, 'not_allowed'],
  [2040, 'account_not_found'],
  [8006, 'operator_error'],
  ['SFC_IC0003', 'account_not_found'],
])('a payout with result %s has failed: %s', (code, failure) => {
  const outcome = {
    status: 'FAILED',
    reason: expect.stringMatching(/^(M-PESA|The|A) .*[a-z]$/i) as string,
    code: failure,
  }
  for (const written of [code, String(code)]) expect(read(payout(written), 'result')?.outcome).toEqual(outcome)
})

test('believes other results of a payout only where the setting names them', () => {
  const trusting = darajaReading({ payout_failed_codes: '0, 4999,26' })
  const readingOf = (code: number | string) => trusting.readCallback(received(payout(code), 'result'))
  const believed = { status: 'FAILED', reason: 'M-PESA did not pay it', code: 'operator_error' }
  expect(readingOf('26')).toMatchObject({ outcome: believed })
  expect(readingOf(26)).not.toHaveProperty('unmappedCode')
  expect(readingOf(1)?.outcome).toMatchObject({ status: 'FAILED' })
  expect(readingOf(0)?.outcome).toBeUndefined()
  for (const code of [26, '26', 4999, 'toString', 'none', '__proto__']) {
    const reading = read(payout(code), 'result')
    expect([code, reading?.outcome, reading?.unmappedCode]).toEqual([code, undefined, String(code)])
  }
})

test.each([
  [2001, 'The service request was not processed successfully.', 'FAILED'],
  [2001, 'The service request is processed successfully.', undefined],
  [1, 'Request accepted for processing', undefined],
  [1, 'Transaction pending', undefined],
])('result %s beside "%s" is %s', (code, ResultDesc, status) => {
  expect(read({ Result: { ...payout(code).Result, ResultDesc } }, 'result')?.outcome?.status).toBe(status)
})

test.each([
  ['20260302103015', '2026-03-02T07:30:15.000Z'],
  ['02/03/2026 10:30:15', undefined],
  [null, undefined],
])('a payment without a prompt is read whatever its time: %s', (TransTime, at) => {
  const paid = { TransID: 'UC23ABC4DE', TransAmount: '500.00', BusinessShortCode: '174379', TransTime }
  const said = darajaReading({ unrequested: 'yes' }).readMessage?.(received(paid, 'paid'))
  expect(said).toMatchObject({ payment: { receipt: 'UC23ABC4DE', amount: KES_500 } })
  if (at) expect(said).toMatchObject({ payment: { paidAt: new Date(at) } })
})

test('a wait in the queue that was too long is no failure', () => {
  expect(read(examples.time_out.value, 'timeout')).toEqual({ mayQuery: false, externalIds: {} })
  expect(read({ anything: true }, 'timeout')).toEqual({ mayQuery: false, externalIds: {} })
})

test.each([
  ['no JSON', undefined, 'nonsense'],
  ['a text', undefined, '"paid"'],
  ['no callback in its body', undefined, JSON.stringify({ Body: { stkCallback: null } })],
  ["a prompt's result at a payout's address", 'result', JSON.stringify(prompt(0))],
  ["a payout's result at a prompt's address", undefined, JSON.stringify(payout(0))],
])('%s is no message of M-PESA', (_what, tail, body) => {
  expect(adapter.readCallback({ method: 'POST', ...(tail !== undefined && { tail }), body })).toBeUndefined()
})

test('Safaricom uses POST only', () => {
  expect(adapter.readCallback({ ...received(examples.callback_paid.value), method: 'PUT' })).toBeUndefined()
})

test('counts where a message differs from the contract, whatever it is about', () => {
  const drifts = new Map<string, readonly string[]>()
  const onDrift = (source: string, drift: readonly { readonly field: string }[]): void =>
    void drifts.set(
      source,
      drift.map(({ field }) => field),
    )
  const watched = darajaReading({ unrequested: 'yes' }, { onDrift })
  watched.readCallback(received({ Result: { ...payout(0).Result, ResultDesc: {} } }, 'result'))
  watched.readMessage?.(received({ TransID: 7 }, 'paid'))
  watched.readPaymentQuestion?.(received({ BusinessShortCode: {} }, 'wanted'))
  expect(drifts.get('payOutResult')).toContain('Result.ResultDesc')
  expect(drifts.get('c2bConfirmation')).toContain('TransID')
  expect(drifts.get('c2bValidation')).toContain('BusinessShortCode')
})
