import { describe, expect, test } from 'vitest'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS, seededRandom } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, postJson, send, uniqueReference, verify } from '../testing/requests.ts'

// What counts as no value: empty strings, null, objects without a value; and fields without effect.

const { gateway } = await gatewayTest({
  surroundings: { random: seededRandom('empty fields') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

describe('an empty optional field or query counts as absent', () => {
  const OPTIONAL = [
    'mobile_money_hpp',
    'customer_name',
    'customer_email',
    'redirect_url',
    'card_cipher',
    'charge_customer',
    'allow_final_status_change',
  ]
  const bankCollection = (changes: object) => ({
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    description: 'Two coffees please',
    redirect_url: 'https://shop.example/paid',
    ...changes,
  })
  const bankPayout = (extra: object, changes: object = {}) => ({
    transaction_method: 'BANK',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    provider_code: 'bank_ng',
    account_number: '0123456789',
    customer_name: 'Ada Obi',
    description: 'Salary of March',
    extra_params: { bank_code: 'access_bank_ng', ...extra },
    ...changes,
  })

  test.each(
    OPTIONAL.flatMap(
      (field) =>
        [
          [field, ''],
          [field, null],
        ] as const,
    ),
  )('%s: %j', async (field, value) => {
    expect((await collect(url, { [field]: value })).status).toBe(202)
    if (field !== 'redirect_url')
      expect(
        (await postJson(url, '/collections/initialize', bankCollection({ [field]: value, msisdn: value }))).status,
      ).toBe(202)
  })
  test('a boolean has its default then, an address none', async () => {
    const merchant_reference = uniqueReference()
    expect(
      (
        await collect(url, {
          merchant_reference,
          charge_customer: null,
          mobile_money_hpp: '',
          customer_name: null,
          redirect_url: null,
        })
      ).body.data,
    ).not.toHaveProperty('payment_url')
    const { body } = await verify(url, merchant_reference)
    expect(body.data).toMatchObject({ charge_customer: false })
    expect(body.data).not.toHaveProperty('customer_name')
    expectError(await collect(url, { mobile_money_hpp: true, redirect_url: null }), 400, 'redirect_url is required')
  })
  test.each(['', null])('nested: %j', async (branch_code) => {
    expect((await postJson(url, '/payout/send-funds', bankPayout({ branch_code }), DEMO_KEYS)).status).toBe(202)
  })
  const mobilePayout = (changes: object) => ({
    ...bankPayout({}),
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    currency: 'UGX',
    account_number: '256772000123',
    ...changes,
  })
  test.each([
    '',
    null,
    {},
    { bank_code: null },
    { bank_code: '', branch_code: null },
    { bank_code: 'access_bank_ng' },
    { bank_code: 'no_such_bank', branch_code: 'of any text' },
  ])('extra_params of a mobile money payout has no effect: %j', async (extra_params) => {
    expect((await postJson(url, '/payout/send-funds', mobilePayout({ extra_params }), DEMO_KEYS)).status).toBe(202)
  })
  test('msisdn and mobile_money_hpp of a bank collection have no effect', async () => {
    for (const fields of [{ msisdn: 'no number', mobile_money_hpp: true }, { mobile_money_hpp: false }])
      expect((await postJson(url, '/collections/initialize', bankCollection(fields))).status).toBe(202)
  })
  test('extra_params of a mobile money payout is an object of the fields of the contract', async () => {
    for (const extra_params of [[], ' ', 0, false, 'x', [null]])
      expectError(
        await postJson(url, '/payout/send-funds', mobilePayout({ extra_params }), DEMO_KEYS),
        400,
        'extra_params must be an object',
      )
    for (const extra_params of [{ sort_code: null }, { bank_code: '', sort_code: 1 }])
      expectError(
        await postJson(url, '/payout/send-funds', mobilePayout({ extra_params }), DEMO_KEYS),
        400,
        'extra_params.sort_code is not allowed',
      )
    expectError(await collect(url, { no_such_field: '' }), 400, 'no_such_field is not allowed')
    expectError(await collect(url, { no_such_field: null }), 400, 'no_such_field is not allowed')
  })
  test('an object without a value equals none for an Idempotency-Key', async () => {
    const key = { ...DEMO_KEYS, 'idempotency-key': uniqueReference() }
    const body = mobilePayout({ extra_params: { bank_code: '' } })
    const first = await postJson(url, '/payout/send-funds', body, key)
    const second = await postJson(url, '/payout/send-funds', { ...body, extra_params: undefined }, key)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
  test('in the query', async () => {
    const all = await send(url, 'GET', '/data/wallet-balances', { headers: DEMO_KEYS })
    expect((await send(url, 'GET', '/data/wallet-balances?currency=', { headers: DEMO_KEYS })).body).toEqual(all.body)
    expect((await send(url, 'GET', '/data/wallet-balances?currency', { headers: DEMO_KEYS })).body).toEqual(all.body)
    expectError(
      await send(url, 'GET', '/data/wallet-balances?currency=&currency=KES', { headers: DEMO_KEYS }),
      400,
      'currency must be given once',
    )
  })
  test('a request with a null equals one without it for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(
      url,
      '/collections/initialize',
      { ...body, customer_name: null, redirect_url: '' },
      key,
    )
    const second = await postJson(url, '/collections/initialize', body, key)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
  test('blanks, zero and empty lists are values', async () => {
    for (const customer_email of [' ', 0, [], {}, false])
      expect((await collect(url, { customer_email })).status).toBe(400)
  })
})
