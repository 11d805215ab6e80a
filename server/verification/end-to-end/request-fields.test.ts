import { describe, expect, test } from 'vitest'
import { DEMO_KEYS, seededRandom } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, postJson, send, uniqueReference } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectError } from '../testing/expect-error.ts'

// Which field a rejection names: the missing one, the empty one, the unknown one, the first of several.

const { gateway } = await gatewayTest({
  surroundings: { random: seededRandom('requests') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

describe('missing field', () => {
  test('in the query', async () =>
    expectError(
      await send(url, 'GET', '/data/payment-providers?transaction_type=COLLECTION'),
      400,
      'currency is required',
    ))
  test('an empty one in the query', async () =>
    expectError(
      await send(url, 'GET', '/data/payment-providers?currency=&transaction_type=COLLECTION'),
      400,
      'currency is required',
    ))
  test.each([
    'transaction_method',
    'provider_code',
    'merchant_reference',
    'msisdn',
    'currency',
    'amount',
    'description',
  ])('%s in the body', async (field) => {
    expectError(await collect(url, { [field]: undefined }), 400, `${field} is required`)
  })
  test.each(['transaction_method', 'provider_code', 'merchant_reference', 'msisdn', 'currency', 'description'])(
    'an empty %s in the body',
    async (field) => {
      expectError(await collect(url, { [field]: '' }), 400, `${field} is required`)
    },
  )
  test.each([
    'transaction_method',
    'provider_code',
    'merchant_reference',
    'msisdn',
    'currency',
    'amount',
    'description',
  ])('%s that is null', async (field) => {
    expectError(await collect(url, { [field]: null }), 400, `${field} is required`)
  })
  test('nested', async () => {
    const payout = {
      transaction_method: 'BANK',
      merchant_reference: uniqueReference(),
      currency: 'NGN',
      amount: 5000,
      provider_code: 'bank_ng',
      account_number: '0123456789',
      customer_name: 'Ada Obi',
      description: 'Salary of March',
      extra_params: {},
    }
    expectError(await postJson(url, '/payout/send-funds', payout, DEMO_KEYS), 400, 'extra_params.bank_code is required')
    for (const bank_code of ['', null])
      expectError(
        await postJson(url, '/payout/send-funds', { ...payout, extra_params: { bank_code } }, DEMO_KEYS),
        400,
        'extra_params.bank_code is required',
      )
    for (const extra_params of ['', null, undefined])
      expectError(
        await postJson(url, '/payout/send-funds', { ...payout, extra_params }, DEMO_KEYS),
        400,
        'extra_params is required',
      )
  })
  test('redirect_url for the hosted payment page', async () =>
    expectError(await collect(url, { mobile_money_hpp: true }), 400, 'redirect_url is required'))
})

describe('several faults', () => {
  test('the first missing field in the order of declaration', async () => {
    expectError(
      await collect(url, {
        provider_code: undefined,
        currency: undefined,
        description: undefined,
        amount: 'x',
        unknown: 1,
      }),
      400,
      'provider_code is required',
    )
  })
  test('required ones come before wrong values and unknown fields', async () => {
    expectError(
      await collect(url, { unknown: 1, currency: 'x', description: undefined }),
      400,
      'description is required',
    )
  })
  test('an empty one is missing in its own place', async () => {
    expectError(await collect(url, { provider_code: '', currency: undefined }), 400, 'provider_code is required')
    expectError(await collect(url, { currency: undefined, description: null }), 400, 'currency is required')
  })
  test('reports what every method requires in order when the method is missing or wrong', async () => {
    expectError(
      await collect(url, { transaction_method: undefined, provider_code: undefined, msisdn: undefined }),
      400,
      'transaction_method is required',
    )
    expectError(
      await collect(url, { transaction_method: 'CARD', msisdn: undefined, currency: undefined }),
      400,
      'currency is required',
    )
    expectError(
      await collect(url, { transaction_method: 'CARD' }),
      400,
      'transaction_method must be one of MOBILE_MONEY, BANK',
    )
    expectError(await collect(url, { msisdn: undefined, amount: undefined }), 400, 'msisdn is required')
    const payout = {
      transaction_method: 'MOBILE_MONEY',
      merchant_reference: uniqueReference(),
      currency: 'UGX',
      amount: 5000,
      provider_code: 'mtn_ug',
      account_number: '256772000123',
      customer_name: 'Ada Obi',
      description: 'Salary of March',
    }
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
  test('wrong values in the order of declaration, before unknown fields', async () => {
    expectError(
      await collect(url, { description: 'short', currency: 'ugx', unknown: 1 }),
      400,
      'currency must be a 3-letter ISO 4217 code',
    )
  })
  test('the same text every time', async () => {
    const body = mobileMoneyCollection({ amount: -1, currency: 1, zeta: 1, alpha: 2 })
    const messages = await Promise.all(
      Array.from({ length: 20 }, async () => (await postJson(url, '/collections/initialize', body)).body.message),
    )
    expect(new Set(messages).size).toBe(1)
  })
})

describe('unknown body field', () => {
  test.each(['id', 'transaction_status', '__proto__x', 'constructor'])('%s is not allowed', async (field) => {
    expectError(await collect(url, { [field]: 'x' }), 400, `${field} is not allowed`)
  })
  test('__proto__ is not allowed', async () => {
    const body = JSON.stringify(mobileMoneyCollection()).replace('{', '{"__proto__":{"amount":1},')
    expectError(
      await send(url, 'POST', '/collections/initialize', { headers: { 'content-type': 'application/json' }, body }),
      400,
      '__proto__ is not allowed',
    )
  })
  test('names the first of thousands and does not check the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`field_${index}`, 1]))
    expectError(await collect(url, many), 400, 'field_0 is not allowed')
    expectError(await collect(url, { extra_params: many }), 400, 'extra_params is not allowed')
    expectError(await postJson(url, '/collections/initialize', many), 400, 'field_0 is not allowed')
  })
})

describe('the same name twice in an object', () => {
  const post = (path: string, body: string) =>
    send(url, 'POST', path, { headers: { 'content-type': 'application/json', ...DEMO_KEYS }, body })
  const plus = (more: string) => JSON.stringify(mobileMoneyCollection()).replace(/}$/, `,${more}}`)
  test.each([
    ['alike', '"currency":"UGX"', 'currency'],
    ['unlike', '"amount":600', 'amount'],
    ['once escaped', '"\\u0061mount":600', 'amount'],
    ['of no known name', '"zeta":1,"zeta":2', 'zeta'],
    ['__proto__', '"__proto__":1,"__proto__":{}', '__proto__'],
    ['in a value', '"extra":[{"a":{"b":1,"b":2}}]', 'extra[].a.b'],
  ])('%s: 400 naming it', async (_case, more, name) =>
    expectError(await post('/collections/initialize', plus(more)), 400, `${name} must be given once`),
  )
  test('nested and in an authorization', async () => {
    expectError(
      await post(
        '/payout/send-funds',
        '{"transaction_method":"BANK","extra_params":{"bank_code":"a","bank_code":"access_bank_ng"}}',
      ),
      400,
      'extra_params.bank_code must be given once',
    )
    expectError(
      await post(
        '/collections/authorize',
        '{"internal_reference":"MLP0000000000000000000000","otp":111111,"otp":123456}',
      ),
      400,
      'otp must be given once',
    )
  })
})

describe('unknown query parameter', () => {
  test('ignored', async () =>
    expect((await send(url, 'GET', `${PROVIDERS}&utm_source=x&utm_source=y`)).status).toBe(200))
  test('the same parameter twice', async () =>
    expectError(await send(url, 'GET', `${PROVIDERS}&currency=KES`), 400, 'currency must be given once'))
})
