import { expect, test } from 'vitest'
import contract from '../../../generated/operators/daraja.json' with { type: 'json' }
import { darajaReading, ORDER_ID } from './testing/daraja-at-test.ts'

const adapter = darajaReading()
const read = (body: unknown) => adapter.readCallback({ method: 'POST', tail: 'status', body: JSON.stringify(body) })

const FAILED = expect.objectContaining({ status: 'FAILED', code: 'operator_error' }) as unknown
const COMPLETED = { status: 'COMPLETED' }
const { examples } = contract.components

const STATUS = { Key: 'TransactionStatus', Value: 'Completed' }
const AMOUNT = { Key: 'Amount', Value: 500 }
const ORDER = { Key: 'OriginatorConversationID', Value: ORDER_ID }
const status = (Value: unknown) => ({ Key: 'TransactionStatus', Value })
const answer = (parameters: unknown, changes: object = {}) => ({
  Result: {
    ResultCode: 0,
    OriginatorConversationID: 'of-the-question',
    ConversationID: 'AG_of_the_question',
    ResultParameters: { ResultParameter: parameters },
    ...changes,
  },
})

test('a completion names its question, its order, its amount and its receipt', () => {
  expect(read(examples.status_found.value)).toEqual({
    type: 'PAYOUT',
    outcome: COMPLETED,
    mayQuery: false,
    orderId: ORDER_ID,
    amount: { amountMinor: 2_000_000n, currency: 'KES' },
    account: '254712345678',
    externalIds: {},
    receipts: { TransactionID: 'UC23XYZ9KL' },
    answersQuestion: 'AG_20260302_0000771c5a2d9e8f4b31',
  })
})

test.each(['Declined', 'Cancelled', 'Expired', 'Failed', ' declined ', 'FAILED'])(
  'a payout with the status %s has failed, and binds no receipt',
  (name) => {
    const reading = read(answer([status(name), ORDER, { Key: 'ReceiptNo', Value: 'OAK0000000' }]))
    expect(reading).toMatchObject({ outcome: FAILED, orderId: ORDER_ID, answersQuestion: 'AG_of_the_question' })
    expect(reading).not.toHaveProperty('receipts')
  },
)

test.each(['completed', ' Completed', 'COMPLETED'])('a payout with the status %j is paid', (name) => {
  expect(read(answer([status(name), AMOUNT]))?.outcome).toEqual(COMPLETED)
})

test.each([null, undefined, '', {}, [], true])('believes no status answer of the question %j', (ConversationID) => {
  for (const name of ['Completed', 'Failed'])
    expect(read(answer([status(name), AMOUNT, ORDER], { ConversationID }))).not.toHaveProperty('outcome')
})

test.each([null, undefined, '', {}, [], true])('believes no failure of the order %j', (Value) => {
  expect(read(answer([status('Failed'), { Key: 'OriginatorConversationID', Value }]))).not.toHaveProperty('outcome')
})

test.each([
  ['completed', [STATUS, ORDER], true],
  ['declined', [status('Declined')], undefined],
])('a %s payout without all that decides claims payment: %s', (_name, parameters, claimsPaid) => {
  const reading = read(answer(parameters))
  expect(reading).not.toHaveProperty('outcome')
  expect(reading?.claimsPaid).toBe(claimsPaid)
})

test('passes on the order that a status answer names, for the gateway to compare', () => {
  const reading = read(answer([status('Failed'), { Key: 'OriginatorConversationID', Value: 'another' }]))
  expect(reading?.orderId).toBe('another')
})

test.each([
  ['nothing found', examples.status_not_found.value],
  ['no amount', answer([STATUS, ORDER])],
  ['an amount that cannot be read', answer([STATUS, ORDER, { Key: 'Amount', Value: {} }])],
  ['two amounts', answer([STATUS, ORDER, AMOUNT, { Key: 'Amount', Value: 5 }])],
  ['two statuses', answer([STATUS, status('Declined'), ORDER, AMOUNT])],
  ['two orders', answer([status('Declined'), ORDER, { ...ORDER, Value: 'another' }])],
  ['two recipients', answer([STATUS, AMOUNT, party('254712345678 - A'), party('254712345679 - B')])],
  ['a question that failed', answer([STATUS, AMOUNT, ORDER], { ResultCode: 1 })],
  ['a question without a result', answer([STATUS, AMOUNT, ORDER], { ResultCode: null })],
  ['a payout that was initiated', answer([status('Initiated'), AMOUNT, ORDER])],
  ['a payout that was authorized', answer([status('Authorized'), AMOUNT, ORDER])],
  ['null as parameters', answer(null)],
  ['an object as status', answer([status({}), AMOUNT, ORDER])],
])('a status answer with %s has no verdict', (_what, body) => {
  const reading = read(body)
  expect(reading).toMatchObject({ mayQuery: false })
  expect(reading).not.toHaveProperty('outcome')
  expect(reading).not.toHaveProperty('unmappedCode')
})

test('reports a status that no table has', () => {
  expect(read(answer([status('Reversed'), AMOUNT, ORDER]))).toMatchObject({ unmappedCode: 'reversed' })
})

test('reads DebitPartyName twice, and a single parameter', () => {
  const parties = [party('600992 - Malipo'), party('254712345678 - Jane Doe')]
  expect(read(answer([...parties, STATUS, AMOUNT]))).toMatchObject({ outcome: COMPLETED, account: '254712345678' })
  expect(read(answer(STATUS))).toMatchObject({ mayQuery: false, answersQuestion: 'AG_of_the_question' })
})

function party(Value: string) {
  return { Key: 'DebitPartyName', Value }
}
