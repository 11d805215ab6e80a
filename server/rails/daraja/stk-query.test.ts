import { expect, test } from 'vitest'
import contract from '../../../generated/operators/daraja.json' with { type: 'json' }
import type { RailOrder } from '../../actions/ports/rail.ts'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import { hashedReference } from './account-reference.ts'
import { RESULTS_OF_PAYOUTS, RESULTS_OF_PROMPTS, RESULTS_OF_REVERSALS, STATUSES_OF_PAYOUTS } from './result-codes.ts'
import {
  CHECKOUT,
  darajaAtTest,
  MSISDN,
  ORDER_ID,
  orderOf,
  PULL,
  PUSH,
  queried,
  QUERY,
  refused,
} from './testing/daraja-at-test.ts'

const known = orderOf({ externalIds: { CheckoutRequestID: CHECKOUT } })
/** What the rail knows of a prompt by this reply to its query. */
async function knownBy(answer: ScriptedAnswer, order = known) {
  const { operator, adapter } = await darajaAtTest()
  operator.on(QUERY, answer)
  return adapter.query(order)
}

test('polls a prompt by its CheckoutRequestID', async () => {
  const { operator, adapter, records } = await darajaAtTest()
  operator.on(QUERY, queried('0'))
  expect(await adapter.query(known)).toEqual({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
  expect(operator.requestsTo(QUERY)[0]?.json()).toEqual({
    BusinessShortCode: '174379',
    Password: Buffer.from('174379the-passkey20260302103000').toString('base64'),
    Timestamp: '20260302103000',
    CheckoutRequestID: CHECKOUT,
  })
  expect(records[1]).toMatchObject({ purpose: 'ask', orderId: ORDER_ID })
})

test('the tables have the rows of the contract', () => {
  const finals = (table: typeof RESULTS_OF_PROMPTS) =>
    Object.fromEntries(Object.entries(table).map(([name, { result }]) => [name, result !== 'in_flight']))
  expect(finals(RESULTS_OF_PROMPTS)).toEqual(
    Object.fromEntries(contract['x-result-codes'].map(({ code, final }) => [code, final])),
  )
  expect(finals(RESULTS_OF_PAYOUTS)).toEqual(
    Object.fromEntries(contract['x-payout-result-codes'].map(({ code }) => [code, true])),
  )
  expect(finals(RESULTS_OF_REVERSALS)).toEqual(
    Object.fromEntries(contract['x-reversal-result-codes'].flatMap(({ code, final }) => (final ? [[code, true]] : []))),
  )
  expect(finals(STATUSES_OF_PAYOUTS)).toEqual(
    Object.fromEntries(contract['x-transaction-statuses'].map(({ status, final }) => [status.toLowerCase(), final])),
  )
})

test('every result code with a meaning is documented', () => {
  const { 'x-result-codes': prompts, 'x-payout-result-codes': payouts, 'x-reversal-result-codes': reversals } = contract
  const rows = [...prompts.filter(({ final }) => final), ...payouts, ...reversals]
  expect(rows.filter(({ evidence }) => evidence !== 'documented')).toEqual([])
})

test.each([
  ['1', 'insufficient_funds'],
  ['2', 'limit_reached'],
  ['3', 'limit_reached'],
  ['4', 'limit_reached'],
  ['8', 'limit_reached'],
  ['17', 'not_allowed'],
  ['1001', 'account_blocked'],
  ['1019', 'expired'],
  ['1025', 'operator_error'],
  ['9999', 'operator_error'],
  ['1032', 'declined'],
  ['1037', 'expired'],
  ['2001', 'declined'],
  ['2028', 'not_allowed'],
  ['8006', 'account_blocked'],
  ['SFC_IC0003', 'account_not_found'],
])('result %s is a failure: %s', async (code, failure) => {
  const outcome = { status: 'FAILED', reason: expect.stringMatching(/^[A-Z].*[a-z]$/), code: failure }
  // Codes come as strings and as numbers.
  for (const written of [code, /^\d+$/.test(code) ? Number(code) : ` ${code} `])
    expect(await knownBy(queried(written))).toEqual({ knows: 'outcome', outcome })
})

test('4999 is in flight', async () => {
  expect(await knownBy(queried('4999'))).toEqual({ knows: 'in_progress' })
})

test.each([
  ['an invalid field', refused(400, '400.002.02')],
  ['a token that is refused for ever', refused(404, '404.001.03')],
  ['a result with the name of a method', queried('toString')],
  ['a verdict beside a 500', { ...queried('0'), status: 500 }],
] as const)('%s is not known, and never a failure', async (_what, answer) => {
  expect(await knownBy(answer)).toMatchObject({ knows: 'unreachable' })
})

test.each([200, 400, 404, 429, 500, 503])('errorCode 500.001.1001 with HTTP %i is no reply yet', async (status) => {
  const { operator, adapter, records } = await darajaAtTest()
  operator.on(QUERY, refused(status, '500.001.1001'))
  expect(await adapter.query(known)).toEqual({ knows: 'unreachable', error: 'M-PESA answered 500.001.1001' })
  expect(records.at(-1)).not.toHaveProperty('error')
})

test('a result beside an errorCode is believed no more than the error', async () => {
  for (const answer of [queried('0', { errorCode: '500.001.1001' }), queried('1032', { errorCode: 'x' })])
    expect(await knownBy(answer)).toMatchObject({ knows: 'unreachable' })
})

test.each([1313, '11', '26', 'SFC_IC9999'])('reports result %s, which no table has', async (code) => {
  const { operator, adapter } = await darajaAtTest({ settings: { pull: 'yes' } })
  operator.on(QUERY, queried(code))
  operator.on(PULL, NO_PAYMENTS)
  expect(await adapter.query(known)).toMatchObject({ knows: 'unreachable', unmappedCode: String(code) })
})

test.each([
  ['1', 'The transaction is still under processing'],
  ['0', 'The transaction is being processed'],
  ['1032', 'The service request is processed successfully.'],
  ['0', 'Request cancelled by user'],
])('result %s with the text "%s" is not known', async (code, ResultDesc) => {
  const got = await knownBy(queried(code, { ResultDesc }))
  expect(got).toMatchObject({ knows: 'unreachable' })
  expect(got).not.toHaveProperty('unmappedCode')
})

test('result 1001 fails although its text says that another transaction is in process', async () => {
  const got = await knownBy(queried(1001, { ResultDesc: SUBSCRIBER_LOCKED }))
  expect(got).toMatchObject({ knows: 'outcome', outcome: { code: 'account_blocked' } })
})
/** M-PESA's own text. */
const SUBSCRIBER_LOCKED = 'Unable to lock subscriber, a transaction is already in process for the current subscriber.'

test.each([
  ['a number as code', { ResponseCode: 0, ResultCode: 0 }],
  ['null beside the result', { ResponseCode: null, ResultCode: ' 0 ', CheckoutRequestID: null, ResultDesc: null }],
  ['objects as texts', { ResultCode: '0', ResponseDescription: {}, ResultDesc: [], MerchantRequestID: {} }],
])('a success is read in an answer with %s', async (_what, body) => {
  expect(await knownBy({ status: 200, body })).toEqual({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
})

test.each([
  ['no result', { ResponseCode: '0' }],
  ['null as result', { ResponseCode: '0', ResultCode: null }],
  ['false as result', { ResponseCode: '0', ResultCode: false }],
  ["another prompt's merchant request", { ResultCode: '0', MerchantRequestID: 'of another' }],
  ['a list', [{ ResultCode: '0' }]],
])('an answer with %s is not known', async (_what, body) => {
  const order = orderOf({ externalIds: { CheckoutRequestID: CHECKOUT, MerchantRequestID: '7f3a-4c1e' } })
  expect(await knownBy({ status: 200, body }, order)).toMatchObject({ knows: 'unreachable' })
})

test('a prompt whose reply was lost has no id to poll by', async () => {
  const { operator, adapter } = await darajaAtTest()
  expect(await adapter.query(orderOf())).toMatchObject({ knows: 'unreachable' })
  expect(operator.requests).toEqual([])
})

const paid = (changes: object = {}) => ({
  status: 200,
  body: {
    ResponseCode: '1000',
    Response: [
      [
        {
          transactionId: 'UC23ABC4DE',
          billreference: hashedReference(ORDER_ID),
          msisdn: Number(MSISDN),
          amount: '500.00',
          ...changes,
        },
      ],
    ],
  },
})
const NO_PAYMENTS = { status: 200, body: { ResponseCode: '1001', Response: [[]] } }
const withPull = { settings: { pull: 'yes' } }
/** What the rail knows of an order by these pages of the list. */
async function foundIn(order: RailOrder, ...pages: readonly ScriptedAnswer[]) {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(PULL, ...pages, NO_PAYMENTS)
  return adapter.query(order)
}
const completed = {
  knows: 'outcome',
  outcome: { status: 'COMPLETED' },
  receipts: { MpesaReceiptNumber: 'UC23ABC4DE' },
}

test.each([
  ['a lost one', orderOf()],
  ['one that the query does not return', known],
])('%s is found among the pulled transactions', async (_what, order) => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(QUERY, refused(500, '500.001.1001'))
  operator.on(PULL, paid(), NO_PAYMENTS)
  expect(await adapter.query(order)).toEqual(completed)
  expect(operator.requestsTo(PULL)[0]?.json()).toEqual({
    ShortCode: '174379',
    StartDate: '2026-02-28 10:35:00',
    EndDate: '2026-03-02 10:30:00',
    OffSetValue: '0',
  })
  expect(operator.requestsTo(PUSH)).toEqual([])
})

test('searches for no order in flight or ended', async () => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(QUERY, queried('4999'), queried('1032'))
  expect(await adapter.query(known)).toMatchObject({ knows: 'in_progress' })
  expect(await adapter.query(known)).toMatchObject({ knows: 'outcome' })
  expect(operator.requestsTo(PULL)).toEqual([])
})

test.each([
  ['without a number', { msisdn: undefined }],
  ['with a number that is hidden in part', { msisdn: '2547*****678' }],
  ['with null as number', { msisdn: null }],
  ['with a number as Kenyans write it', { msisdn: '0712 345 678' }],
  ['with a digest as number', { msisdn: 'a'.repeat(64) }],
  ['with odd fields beside it', { trxDate: null, sender: {}, transactiontype: 7, organizationname: [] }],
  ['with a number as amount', { amount: 500 }],
  ['in other capitals, with a space', { billreference: ` ${hashedReference(ORDER_ID).toLowerCase()}` }],
])('a payment %s is that of the order', async (_what, changes) => {
  expect(await foundIn(orderOf(), paid(changes))).toEqual(completed)
})

test.each([
  ['another amount', paid({ amount: '499.00' })],
  ['an amount that cannot be read', paid({ amount: '1,000.00' })],
  ["another's number", paid({ msisdn: 254_712_345_679 })],
  ["another's number, hidden in part", paid({ msisdn: '2547*****679' })],
  ["another's number, as Kenyans write it", paid({ msisdn: '0712345679' })],
  ['another reference', paid({ billreference: hashedReference('0b9d8f6e-0000-4000-8000-000000000000') })],
  ['no reference', paid({ billreference: undefined })],
  ['no payment at all', NO_PAYMENTS],
  ['a list that is refused', refused(500, '500.003.02')],
  ['a list that is a text', { status: 200, body: { ResponseCode: '1000', Response: 'none' } }],
  ['a list of another code', { ...paid(), body: { ...paid().body, ResponseCode: '1002' } }],
  ['null as amount', paid({ amount: null })],
  ['an object as amount', paid({ amount: {} })],
  ['null as receipt', paid({ transactionId: null })],
] as const)('with %s nothing is known: never that nothing moved', async (_what, answer) => {
  expect(await foundIn(orderOf(), answer)).toMatchObject({ knows: 'unreachable' })
})

const AT = { trxDate: '2026-03-02T10:29:00+03:00' }
/** An order whose payer sees the merchant's reference. */
const named = orderOf({ externalIds: { AccountReference: 'INV-1001' }, orderedAt: new Date('2026-03-02T07:28:00Z') })
const paidNamed = (changes: object = {}) => paid({ billreference: 'INV-1001', ...AT, ...changes })

test.each([
  ['its reference', {}],
  ['its reference in other letters', { billreference: ' inv-1001 ' }],
  ['a number that is hidden in part', { msisdn: '2547*****678' }],
  ['a number in another spelling', { msisdn: '+254 712 345678' }],
  ['a number with blanks around its stars', { msisdn: '2547 ***** 678' }],
  ['a time that is a little early, as clocks differ', { trxDate: '2026-03-02T09:58:00+03:00' }],
  ['the hash of its id, which no other order has', { billreference: hashedReference(ORDER_ID), trxDate: undefined }],
])('a payment under %s is that of an order with a stored reference', async (_what, changes) => {
  expect(await foundIn(named, paidNamed(changes))).toEqual(completed)
})

test.each([
  ['another amount', { amount: '499.00' }],
  ["another's number", { msisdn: 254_712_345_679 }],
  ["another's number, hidden in part", { msisdn: '2547*****679' }],
  ['no number', { msisdn: undefined }],
  ['a number that is hidden', { msisdn: '254*********' }],
  ['a digest as number', { msisdn: 'a'.repeat(64) }],
  ["another's number, with blanks around its stars", { msisdn: '2547 ***** 679' }],
  ['a time before the order', { trxDate: '2026-03-02T09:57:59+03:00' }],
  ['a time of the day before', { trxDate: '2026-03-01T10:29:00+03:00' }],
  ['no time', { trxDate: undefined }],
  ['a time that cannot be read', { trxDate: 'today' }],
  ['a reference that only begins alike', { billreference: 'INV-10011' }],
])("a payment under a merchant's reference with %s ends no order", async (_what, changes) => {
  expect(await foundIn(named, paidNamed(changes))).toMatchObject({ knows: 'unreachable' })
})

test('finds the payment of the order among others under its reference', async () => {
  const old = paidNamed({ transactionId: 'UC1OLD', trxDate: '2026-02-28T12:00:00+03:00' })
  const others = paidNamed({ transactionId: 'UC2OTHER', msisdn: 254_799_000_000 })
  expect(await foundIn(named, old, others, paidNamed())).toEqual(completed)
})

test('finds a payment without a time once a list that begins with the order has it', async () => {
  const { operator, adapter, clock } = await darajaAtTest(withPull)
  operator.on(PULL, paidNamed({ trxDate: undefined }), NO_PAYMENTS, paidNamed({ trxDate: undefined }), NO_PAYMENTS)
  expect(await adapter.query(named)).toMatchObject({ knows: 'unreachable' })
  clock.advance(300_000)
  expect(await adapter.query(named)).toEqual(completed)
})

test.each([
  ['a list without the level between', (payment: object) => [payment]],
  ['a single payment', (payment: object) => payment],
  ['odd entries beside it', (payment: object) => [[null, 7, {}, { transactionId: {} }, payment]]],
])('a payment is found in %s', async (_what, responseOf) => {
  const [[payment]] = paid().body.Response as [[object]]
  const page = { status: 200, body: { ResponseCode: 1000, Response: responseOf(payment) } }
  expect(await foundIn(orderOf(), page)).toEqual(completed)
})

test.each([null, undefined, {}, []])('an empty list may be %j', async (Response) => {
  const found = await foundIn(orderOf(), { status: 200, body: { ResponseCode: 1001, Response } })
  expect(found).toMatchObject({ error: expect.stringContaining('lists no payment') as string })
})

test('one reading serves all searches for a lost order within its time', async () => {
  const { operator, adapter, clock } = await darajaAtTest(withPull)
  operator.on(PULL, NO_PAYMENTS)
  const sendQuery = () => adapter.query(orderOf())
  await Promise.all([sendQuery(), sendQuery(), sendQuery()])
  clock.advance(299_999)
  await sendQuery()
  expect(operator.requestsTo(PULL)).toHaveLength(1)
  clock.advance(1)
  operator.on(PULL, paid(), NO_PAYMENTS)
  expect(await sendQuery()).toEqual(completed)
})

test('does not search for an order older than the list reaches', async () => {
  const { operator, adapter, clock } = await darajaAtTest(withPull)
  operator.on(PULL, paid(), NO_PAYMENTS)
  const orderedAt = clock.now()
  clock.advance(48 * 60 * 60 * 1000 + 1)
  expect(await adapter.query(orderOf({ orderedAt }))).toEqual({
    knows: 'unreachable',
    error: expect.stringContaining('the last 48 hours'),
  })
  expect(operator.requests).toEqual([])
})
