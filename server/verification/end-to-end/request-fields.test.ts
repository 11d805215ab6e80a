import { describe, expect, test } from 'vitest'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { bankCollection } from '../testing/client-requests.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  payOut,
  postJson,
  send,
  uniqueReference,
  verify,
} from '../testing/requests.ts'

// Which field a rejection names, and what counts as no value. The rules themselves are those of request-shape.test.ts
// and body.test.ts: here each of them reaches a merchant.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const bankPayout = (extra_params: unknown) =>
  payOut(url, {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    currency: 'NGN',
    account_number: '0123456789',
    extra_params,
  })
const post = (path: string, body: string) =>
  send(url, 'POST', path, { headers: { 'content-type': 'application/json', ...DEMO_KEYS }, body })
const plus = (more: string) => JSON.stringify(mobileMoneyCollection()).replace(/}$/, `,${more}}`)

describe('a missing field', () => {
  test.each([
    'transaction_method',
    'provider_code',
    'merchant_reference',
    'msisdn',
    'currency',
    'amount',
    'description',
  ])('%s is named, whether it is absent, null or empty', async (field) => {
    for (const value of [undefined, null, ...(field === 'amount' ? [] : [''])])
      expectError(await collect(url, { [field]: value }), 400, `${field} is required`)
  })
  test('in the query is named', async () => {
    for (const query of ['transaction_type=COLLECTION', 'currency=&transaction_type=COLLECTION'])
      expectError(await send(url, 'GET', `/data/payment-providers?${query}`), 400, 'currency is required')
  })
  test('in an object is named by its path', async () => {
    for (const extra_params of [{}, { bank_code: '' }, { bank_code: null }])
      expectError(await bankPayout(extra_params), 400, 'extra_params.bank_code is required')
    for (const extra_params of ['', null, undefined])
      expectError(await bankPayout(extra_params), 400, 'extra_params is required')
  })
  test('of a payout is named in the order of declaration', async () => {
    const payout = mobileMoneyPayout()
    const order = [
      'merchant_reference',
      'transaction_method',
      'currency',
      'amount',
      'provider_code',
      'account_number',
      'customer_name',
      'description',
    ]
    for (const [index, field] of order.entries()) {
      const body = Object.fromEntries(Object.entries(payout).filter(([name]) => order.indexOf(name) < index))
      expectError(await postJson(url, '/payout/send-funds', body, DEMO_KEYS), 400, `${field} is required`)
    }
  })
})

const thousands = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`field_${index}`, 1]))

describe('of several faults one is named:', () => {
  test.each<[rule: string, changes: Readonly<Record<string, unknown>>, message: string]>([
    [
      'the first missing field by declaration',
      { provider_code: '', currency: undefined, amount: 'x' },
      'provider_code is required',
    ],
    [
      'a missing one before wrong and unknown ones',
      { unknown: 1, currency: 'x', description: null },
      'description is required',
    ],
    [
      'what every method requires, if the method is wrong',
      { transaction_method: 'CARD', msisdn: undefined, currency: undefined },
      'currency is required',
    ],
    [
      'a wrong method with nothing missing',
      { transaction_method: 'CARD' },
      'transaction_method must be one of MOBILE_MONEY, BANK',
    ],
    [
      'a wrong value before an unknown field',
      { description: 'short', currency: 'ugx', unknown: 1 },
      'currency must be a 3-letter ISO 4217 code',
    ],
    ['the first unknown of thousands', thousands, 'field_0 is not allowed'],
    ['an unknown one, though it is null', { no_such_field: null }, 'no_such_field is not allowed'],
    ['the address that the payment page needs', { mobile_money_hpp: true }, 'redirect_url is required'],
  ])('%s', async (_rule, changes, message) => expectError(await collect(url, changes), 400, message))

  test('the same one every time', async () => {
    const wrong = { amount: -1, currency: 1, zeta: 1, alpha: 2 }
    const messages = await Promise.all(Array.from({ length: 5 }, async () => (await collect(url, wrong)).body.message))
    expect(new Set(messages).size).toBe(1)
  })
})

describe('unknown body field', () => {
  test.each(['id', 'transaction_status', '__proto__x', 'constructor'])('%s is not allowed', async (field) => {
    expectError(await collect(url, { [field]: 'x' }), 400, `${field} is not allowed`)
  })
  test('neither is __proto__, nor one in an object', async () => {
    expectError(
      await post('/collections/initialize', plus('"__proto__":{"amount":1}')),
      400,
      '__proto__ is not allowed',
    )
    expectError(await payOut(url, { extra_params: { sort_code: null } }), 400, 'extra_params.sort_code is not allowed')
    expectError(await payOut(url, { extra_params: [null] }), 400, 'extra_params must be an object')
  })
})

test.each([
  ['/collections/initialize', plus('"amount":600'), 'amount'],
  ['/collections/initialize', plus('"extra":[{"a":{"b":1,"b":2}}]'), 'extra[].a.b'],
  ['/payout/send-funds', '{"extra_params":{"bank_code":"a","bank_code":"b"}}', 'extra_params.bank_code'],
  ['/collections/authorize', '{"internal_reference":"MLP0","otp":111111,"otp":123456}', 'otp'],
])('%s refuses a name that comes twice in an object', async (path, body, name) =>
  expectError(await post(path, body), 400, `${name} must be given once`),
)

test('in the query an unknown name is ignored, and a known one comes once', async () => {
  expect((await send(url, 'GET', `${PROVIDERS}&utm_source=x&utm_source=y`)).status).toBe(200)
  expectError(await send(url, 'GET', `${PROVIDERS}&currency=KES`), 400, 'currency must be given once')
  const [all, ...empty] = await Promise.all(
    ['', '?currency=', '?currency'].map((query) =>
      send(url, 'GET', `/data/wallet-balances${query}`, { headers: DEMO_KEYS }),
    ),
  )
  for (const { body } of empty) expect(body).toEqual(all?.body)
})

describe('no value', () => {
  const OPTIONAL = [
    'mobile_money_hpp',
    'customer_name',
    'customer_email',
    'card_cipher',
    'charge_customer',
    'allow_final_status_change',
  ]
  test.each(['', null])('is %j for every optional field, also of a bank collection and in an object', async (value) => {
    const empty = Object.fromEntries(OPTIONAL.map((field) => [field, value]))
    const reference = uniqueReference()
    const { status, body } = await collect(url, { ...empty, redirect_url: value, merchant_reference: reference })
    expect([status, body.data]).toEqual([202, expect.not.objectContaining({ payment_url: expect.anything() })])
    const { data } = (await verify(url, reference)).body
    expect(data).toMatchObject({ charge_customer: false })
    expect(data).not.toHaveProperty('customer_name')
    const bank = bankCollection({ ...empty, msisdn: value })
    expect((await postJson(url, '/collections/initialize', bank)).status).toBe(202)
    expect((await bankPayout({ bank_code: 'access_bank_ng', branch_code: value })).status).toBe(202)
  })
  test.each([
    null,
    {},
    { bank_code: '', branch_code: null },
    { bank_code: 'no_such_bank', branch_code: 'of any text' },
  ])('has an effect: extra_params %j of a mobile money payout', async (extra_params) => {
    expect((await payOut(url, { extra_params })).status).toBe(202)
  })
  test('equals an absent field for an Idempotency-Key; so do fields of the other method', async () => {
    const key = { ...DEMO_KEYS, 'idempotency-key': uniqueReference() }
    const [collection, payout] = [mobileMoneyCollection({ merchant_reference: 'auto' }), mobileMoneyPayout()]
    const first = await collect(url, { ...collection, customer_name: null, redirect_url: '' }, key)
    const again = await collect(url, collection, key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const paid = await payOut(url, { ...payout, extra_params: { bank_code: '' } }, key)
    const paidAgain = await payOut(url, payout, key)
    expect([paidAgain.body, paidAgain.headers.get('idempotency-replayed')]).toEqual([paid.body, 'true'])
    const fields = { msisdn: 'no number', mobile_money_hpp: true }
    expect((await postJson(url, '/collections/initialize', bankCollection(fields))).status).toBe(202)
  })
  test('is neither a blank, nor zero, nor an empty list', async () => {
    for (const customer_email of [' ', 0, [], {}, false])
      expect((await collect(url, { customer_email })).status).toBe(400)
  })
})
