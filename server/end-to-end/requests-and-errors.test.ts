import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from 'node:net'
import { createMerchant, newMerchantKeys, updateMerchant } from '../storage/operators/merchants.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { databaseAway } from '../testing/database-away.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway, type FixedClock } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  postJson,
  send,
  uniqueMsisdn,
  uniqueReference,
  verify,
  type RawReply,
} from '../testing/requests.ts'
import type { Gateway } from '../main.ts'

// One test group per row of the decisions on requests and errors, named after the row.

let database: TestDatabase
let gateway: Gateway
let clock: FixedClock
let url: string

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { clock, random: seededRandom('requests') },
    env: { MALIPO_RATE_LIMIT: '100000' },
  })
  url = gateway.url
})
afterAll(async () => {
  await gateway?.stop()
  await database?.drop()
})

const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

function expectError(reply: RawReply, status: number, message: string): void {
  expect(reply.body).toEqual({ code: status, status: 'error', message, data: {} })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
}

describe('order of checks', () => {
  const broken = { 'public-key': 'nobody', 'x-api-version': '9', 'content-type': 'text/plain' }
  const tooLarge = 'x'.repeat(70_000)

  test('route comes before everything', async () => {
    expectError(
      await send(url, 'POST', '/collections/nowhere', { headers: broken, body: tooLarge }),
      404,
      'There is nothing at /collections/nowhere',
    )
  })
  test('method comes before authentication', async () => {
    const reply = await send(url, 'PUT', '/collections/initialize', { headers: broken, body: tooLarge })
    expectError(reply, 405, 'PUT is not allowed here: use POST')
    expect(reply.headers.get('allow')).toBe('POST')
  })
  test('authentication comes before headers', async () => {
    expect((await send(url, 'POST', '/collections/initialize', { headers: broken, body: tooLarge })).status).toBe(401)
  })
  test('headers come before the media type', async () => {
    expectError(
      await send(url, 'POST', '/collections/initialize', {
        headers: { 'x-api-version': '9', 'content-type': 'text/plain' },
        body: tooLarge,
      }),
      400,
      'x-api-version (9) is not supported',
    )
  })
  test('the media type comes before the size', async () => {
    expectError(
      await send(url, 'POST', '/collections/initialize', { headers: { 'content-type': 'text/plain' }, body: tooLarge }),
      415,
      'Content-Type must be application/json',
    )
  })
  test('the size comes before JSON', async () => {
    expectError(
      await send(url, 'POST', '/collections/initialize', {
        headers: { 'content-type': 'application/json' },
        body: tooLarge,
      }),
      413,
      'The request body is larger than 65536 bytes',
    )
  })
  test('JSON comes before the schema', async () => {
    expectError(
      await send(url, 'POST', '/collections/initialize', {
        headers: { 'content-type': 'application/json' },
        body: '{"amount": }',
      }),
      400,
      'The request body is not valid JSON',
    )
  })
  test('the schema comes before business rules', async () => {
    expectError(await collect(url, { provider_code: 'nobody', amount: 'much' }), 400, 'amount must be a number')
  })
})

describe('every error', () => {
  test('404 for what does not exist', async () => {
    expectError(await send(url, 'GET', '/nowhere'), 404, 'There is nothing at /nowhere')
  })
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])(
    '405 with the exact Allow for %s',
    async (method) => {
      const reply = await send(url, method, '/collections/initialize')
      expectError(reply, 405, `${method} is not allowed here: use POST`)
      expect(reply.headers.get('allow')).toBe('POST')
    },
  )
  test('bad percent-encoding in the path', async () => {
    expectError(await send(url, 'GET', '/data/transaction/verify/%zz'), 400, 'The path is not valid percent-encoding')
  })
  test.each(['', '[1,2', '\u0000', '{"a":1}}', '"\\ud800"', '{"a":1e}'])('malformed JSON %j', async (body) => {
    const reply = await send(url, 'POST', '/collections/initialize', {
      headers: { 'content-type': 'application/json' },
      body,
    })
    expectError(reply, 400, body === '' ? 'The request body is required' : 'The request body is not valid JSON')
  })
  test('bytes that are no UTF-8', async () => {
    const reply = await send(url, 'POST', '/collections/initialize', {
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    })
    expectError(reply, 400, 'The request body is not valid JSON')
  })
  test.each(['null', '[]', '"text"', '7'])('a body that is no object: %s', async (body) => {
    expectError(
      await send(url, 'POST', '/collections/initialize', { headers: { 'content-type': 'application/json' }, body }),
      400,
      'The request body must be a JSON object',
    )
  })
  test.each(['text/json', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', undefined])(
    '415 for the media type %s',
    async (type) => {
      const body = new Uint8Array(Buffer.from(JSON.stringify(mobileMoneyCollection())))
      expectError(
        await send(url, 'POST', '/collections/initialize', { headers: { 'content-type': type }, body }),
        415,
        'Content-Type must be application/json',
      )
    },
  )
  test('413 also when the size is not announced', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(70_000).fill(32))
        controller.close()
      },
    })
    const response = await fetch(`${url}/collections/initialize`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1', 'content-type': 'application/json' },
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 413, status: 'error', data: {} })
  })
  test.each([
    [
      'an unknown expectation',
      'POST /collections/initialize HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      417,
      'Only Expect: 100-continue is understood',
    ],
    [
      'no Host header',
      'GET /data/payment-providers HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'The Host header is required',
    ],
    [
      'two Host headers',
      'GET /data/payment-providers HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n',
      400,
      'The Host header must be given once',
    ],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405, 'CONNECT is not allowed here'],
    [
      'the absolute form of a known path',
      'GET http://gateway.example/data/payment-providers HTTP/1.1\r\nHost: gateway.example\r\nConnection: close\r\n\r\n',
      401,
      'public-key is required',
    ],
  ])('%s', async (_case, request, status, message) => {
    const text = await rawExchange(request)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toEqual({
      code: status,
      status: 'error',
      message,
      data: {},
    })
  })
  test('a compressed body is 415: it is not JSON as it comes', async () => {
    expect(
      (
        await send(url, 'POST', '/collections/initialize', {
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          body: '{}',
        })
      ).status,
    ).toBe(415)
  })
  test('what is not HTTP gets the envelope and a closed connection', async () => {
    const text = await rawExchange('NONSENSE / HTTP/9.9\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ code: 400, status: 'error', data: {} })
  })
  test('500 says nothing of the inside, and the log has it', async () => {
    const before = gateway.pool.query
    gateway.pool.query = () => {
      throw new Error('secret detail of the database')
    }
    try {
      expectError(await verify(url, 'ORDER-0001'), 500, 'Internal error: quote the X-Request-Id when you ask about it')
    } finally {
      gateway.pool.query = before
    }
  })
  test('503 with Retry-After while the database is away', async () => {
    const before = gateway.pool.query
    gateway.pool.query = () => Promise.reject(databaseAway())
    try {
      const reply = await verify(url, 'ORDER-0001')
      expectError(reply, 503, 'The service is temporarily unavailable: try again shortly')
      expect(reply.headers.get('retry-after')).toBe('1')
    } finally {
      gateway.pool.query = before
    }
  })
})

async function rawExchange(text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let received = ''
    socket
      .on('data', (chunk) => {
        received += chunk.toString()
      })
      .on('close', () => resolve(received))
      .on('error', reject)
  })
}

describe('authentication', () => {
  const wallets = '/data/wallet-balances'
  test.each([
    ['no public-key', PROVIDERS, { 'public-key': undefined }, 'public-key is required'],
    ['an unknown public-key', PROVIDERS, { 'public-key': 'pub_unknown' }, 'The public-key or secret-key is not valid'],
    ['no secret-key', wallets, {}, 'secret-key is required'],
    ['a wrong secret-key', wallets, { 'secret-key': 'sec_wrong' }, 'The public-key or secret-key is not valid'],
    [
      'a secret-key with an unknown public-key',
      wallets,
      { 'public-key': 'pub_unknown', 'secret-key': DEMO_KEYS['secret-key'] },
      'The public-key or secret-key is not valid',
    ],
  ])('%s: 401 with WWW-Authenticate', async (_case, path, headers, message) => {
    const reply = await send(url, 'GET', path, { headers })
    expectError(reply, 401, message)
    expect(reply.headers.get('www-authenticate')).toBe('ApiKey realm="malipo"')
  })
  test('both keys of one merchant open what moves or reveals money', async () => {
    expect((await send(url, 'GET', wallets, { headers: { 'secret-key': DEMO_KEYS['secret-key'] } })).status).toBe(200)
  })
})

describe('x-api-version', () => {
  test('missing', async () =>
    expectError(
      await send(url, 'GET', PROVIDERS, { headers: { 'x-api-version': undefined } }),
      400,
      'x-api-version is required',
    ))
  test.each(['2', '0', 'one', '1.5', '0x1', '1e0'])('other than 1: %s', async (version) => {
    expectError(
      await send(url, 'GET', PROVIDERS, { headers: { 'x-api-version': version } }),
      400,
      `x-api-version (${version}) is not supported`,
    )
  })
})

describe('Accept-Language', () => {
  test.each([undefined, 'en', 'sw', 'en-US,en;q=0.9', '*', 'xx-invalid-;;q=9'])(
    '%s never refuses a call',
    async (language) => {
      expect((await send(url, 'GET', PROVIDERS, { headers: { 'accept-language': language } })).status).toBe(200)
    },
  )
})

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

describe('an empty text or null in an optional field or query counts as absent', () => {
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
  test.each(['', null])('a field that only the other method has: %j', async (value) => {
    const payout = {
      ...bankPayout({}),
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      currency: 'UGX',
      account_number: '256772000123',
    }
    expect((await postJson(url, '/payout/send-funds', { ...payout, extra_params: value }, DEMO_KEYS)).status).toBe(202)
    for (const extra_params of [{ bank_code: 'access_bank_ng' }, {}, [], ' ']) {
      expectError(
        await postJson(url, '/payout/send-funds', { ...payout, extra_params }, DEMO_KEYS),
        400,
        'extra_params is not allowed',
      )
    }
    expectError(await collect(url, { no_such_field: value }), 400, 'no_such_field is not allowed')
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
  test('a request with a null is the one without it, to an Idempotency-Key', async () => {
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
  test('with the method missing or wrong, what every method requires is told in its order', async () => {
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
  test('of thousands the first is named, and the others are not looked at', async () => {
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

describe('unknown provider', () => {
  test('an unknown code', async () =>
    expectError(await collect(url, { provider_code: 'MTN UG!' }), 400, 'Invalid provider code (MTN UG!)'))
  test('of the other method', async () =>
    expectError(
      await collect(url, { provider_code: 'bank_ng' }),
      400,
      'Invalid provider code (bank_ng): does not offer MOBILE_MONEY',
    ))
  test('inactive', async () => {
    await withChange(
      `update payment_options set is_active = false where provider_code = 'airtel_zm' and transaction_type = 'COLLECTION'`,
    )
    expectError(await collect(url, { provider_code: 'airtel_zm' }), 400, 'Invalid provider code (airtel_zm): inactive')
  })
  test('of the other transaction type', async () => {
    await withChange(
      `delete from merchant_options where provider_code = 'mtn_zm' and transaction_type = 'COLLECTION'; delete from payment_options where provider_code = 'mtn_zm' and transaction_type = 'COLLECTION'`,
    )
    expectError(
      await collect(url, { provider_code: 'mtn_zm' }),
      400,
      'Invalid provider code (mtn_zm): does not offer COLLECTION',
    )
  })
  test('not enabled for the merchant', async () => {
    await withChange(`delete from merchant_options where provider_code = 'airtel_rw'`)
    expectError(
      await collect(url, { provider_code: 'airtel_rw' }),
      400,
      'Invalid provider code (airtel_rw): not enabled for this merchant',
    )
  })
})

async function withChange(sql: string): Promise<void> {
  await gateway.pool.query(sql)
  await gateway.refresh()
}

describe('phone number', () => {
  test.each(['256772000123', '+256772000123', '256392000123'])('%s is accepted', async (msisdn) => {
    expect((await collect(url, { msisdn })).status).toBe(202)
  })
  test('a leading plus is dropped', async () => {
    const reference = uniqueReference()
    await collect(url, { msisdn: '+256772000124', merchant_reference: reference })
    expect((await verify(url, reference)).body.data.transaction_account).toBe('256772000124')
  })
  test.each([
    ['another operator', '256752000123'],
    ['another country', '254712000123'],
    ['the local form', '0772000123'],
    ['too short', '25677200'],
    ['too long', '25677200012345'],
    ['a trunk zero', '2560772000123'],
    ['letters', '25677200abc'],
    ['spaces', '256 772 000 123'],
    ['two plus signs', '++256772000123'],
    ['only a plus', '+'],
  ])('%s: %s', async (_case, msisdn) => {
    expectError(await collect(url, { msisdn }), 400, `${msisdn} is not a valid MTN Uganda (mtn_ug) phone number`)
  })
})

describe('amount', () => {
  test.each([
    [5000.5, 'UGX', 'mtn_ug', 'amount must have at most 0 decimals for UGX'],
    [10.005, 'KES', 'mpesa_ke', 'amount must have at most 2 decimals for KES'],
    [0.1 + 0.2, 'KES', 'mpesa_ke', 'amount must have at most 2 decimals for KES'],
  ])('more decimals than the currency has: %d %s', async (amount, currency, provider_code, message) => {
    expectError(
      await collect(url, {
        amount,
        currency,
        provider_code,
        msisdn: provider_code === 'mpesa_ke' ? '254712000123' : '256772000123',
      }),
      400,
      message,
    )
  })
  test.each([499, 3_000_001, 0, -1, -5000, -0.5, 1e15, 1e300])(
    'outside the limits of the provider: %d',
    async (amount) => {
      expectError(await collect(url, { amount }), 400, 'amount must be between 500 and 3000000 UGX')
    },
  )
  test.each(['-0', '0.0', '0e999999999', '-0.0000001', '1e308'])(
    'outside the limits, however it is written: %s',
    async (amount) => {
      expectError(await collectWritten(amount), 400, 'amount must be between 500 and 3000000 UGX')
    },
  )
  test('outside the limits for a payout too, and in another currency', async () => {
    await withChange(`insert into exchange_rates values ('USD', 'UGX', 3800, now()) on conflict do nothing`)
    for (const currency of ['UGX', 'USD'])
      for (const amount of [0, -1]) {
        const payout = {
          transaction_method: 'MOBILE_MONEY',
          merchant_reference: uniqueReference(),
          currency,
          amount,
          provider_code: 'mtn_ug',
          account_number: '256772000123',
          customer_name: 'Ada Obi',
          description: 'Salary of March',
        }
        expectError(
          await postJson(url, '/payout/send-funds', payout, DEMO_KEYS),
          400,
          'amount must be between 500 and 3000000 UGX',
        )
      }
    await withChange(`delete from exchange_rates`)
  })
  test.each([
    ['3000000.0000000001', 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['5000.00000000000000000001', 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['50000001e-4', 'UGX', 'amount must have at most 0 decimals for UGX'],
    [`5000.${'0'.repeat(10_000)}1`, 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['100.0000000000000000001', 'KES', 'amount must have at most 2 decimals for KES'],
  ])('more decimals than the currency has, digit for digit: %s %s', async (amount, currency, message) =>
    expectError(await collectWritten(amount, currency), 400, message),
  )
  test.each(['5000', '5000.0', '5000.00', '5e3', '50.00E+2', '500000e-2', `0.${'0'.repeat(10_000)}5e10004`])(
    'zeros at the end are no decimals: %s',
    async (amount) => {
      const reference = uniqueReference()
      expect((await collectWritten(amount, 'UGX', reference)).status).toBe(202)
      expect((await verify(url, reference)).body.data.request_amount).toBe(5000)
    },
  )
  test('an amount that is another only by its last digits is another request to an Idempotency-Key', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const reference = uniqueReference()
    const msisdn = uniqueMsisdn()
    expect((await collectWritten('5000', 'UGX', reference, key, msisdn)).status).toBe(202)
    expect((await collectWritten('5e3', 'UGX', reference, key, msisdn)).headers.get('idempotency-replayed')).toBe(
      'true',
    )
    expectError(
      await collectWritten('5000.0000000000001', 'UGX', reference, key, msisdn),
      409,
      'Idempotency-Key has already been used with a different request',
    )
  })
  const collectWritten = (
    amount: string,
    currency = 'UGX',
    merchant_reference = uniqueReference(),
    headers = {},
    msisdn = uniqueMsisdn(),
  ) => {
    const account = currency === 'KES' ? { provider_code: 'mpesa_ke', msisdn: '254712000123' } : { msisdn }
    const body = JSON.stringify(mobileMoneyCollection({ amount: 0, currency, merchant_reference, ...account })).replace(
      '"amount":0',
      `"amount":${amount}`,
    )
    return send(url, 'POST', '/collections/initialize', {
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  }
  test.each([500, 3_000_000])('the limits themselves are inside: %d', async (amount) => {
    expect((await collect(url, { amount })).status).toBe(202)
  })
  test('another currency without a rate', async () => {
    expectError(
      await collect(url, { currency: 'USD', amount: 100 }),
      400,
      'No exchange rate from USD to UGX is configured',
    )
  })
  test('another currency with a rate: USD 100 at 3,800 with 1 % charge', async () => {
    await withChange(`insert into exchange_rates values ('USD', 'UGX', 3800, now())`)
    const reference = uniqueReference()
    expect((await collect(url, { currency: 'USD', amount: 100, merchant_reference: reference })).status).toBe(202)
    expect((await verify(url, reference)).body.data).toMatchObject({
      request_currency: 'USD',
      request_amount: 100,
      transaction_currency: 'UGX',
      transaction_amount: 380_000,
      transaction_charge: 3_800,
      total_credit: 376_200,
    })
  })
})

describe('daily limit', () => {
  const over = 'amount exceeds the daily limit of 7000000 UGX for this account number'
  test('naming the limit when it is exceeded, exactly', async () => {
    const msisdn = uniqueMsisdn()
    expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 1_000_001 }), 400, over)
    expect((await collect(url, { msisdn, amount: 1_000_000 })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
  })
  test.each([4, 50])(
    '%i at once with one new reference at a used-up limit: none has used the reference, so each hears of the limit',
    async (count) => {
      const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
      try {
        const msisdn = uniqueMsisdn()
        for (const amount of [3_000_000, 3_000_000, 1_000_000])
          expect((await collect(url, { msisdn, amount })).status).toBe(202)
        for (const gateways of [[url], [url, other.url], [other.url]]) {
          const reference = uniqueReference()
          const replies = await Promise.all(
            Array.from({ length: count }, (_, n) =>
              collect(gateways[n % gateways.length]!, { msisdn, merchant_reference: reference }),
            ),
          )
          expect(new Set(replies.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
            new Set([`400 ${over}`]),
          )
          expect((await verify(url, reference)).status).toBe(404)
          expect((await collect(url, { merchant_reference: reference })).status).toBe(202)
        }
      } finally {
        await other.stop()
      }
    },
  )
  test('of many at once with one new reference the first that fits is accepted, and whoever comes after it has used the reference too late', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 900_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    for (let round = 0; round < 10; round += 1) {
      const reference = uniqueReference()
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          collect(url, { msisdn, merchant_reference: reference, amount: n % 2 ? 500 : 2_000_000 }),
        ),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(replies.filter(({ status, body }) => status === 409 || body.message === over)).toHaveLength(7)
      expect(replies.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(3)
      expect((await verify(url, reference)).body.data.transaction_amount).toBe(500)
    }
  })
  test('64 clients against one daily limit: not one shilling over', async () => {
    const msisdn = uniqueMsisdn('001')
    const replies = await Promise.all(Array.from({ length: 64 }, () => collect(url, { msisdn, amount: 300_001 })))
    // 23 × 300,001 = 6,900,023; one more would be 7,200,024
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
    expect(replies.filter(({ body }) => body.message === over)).toHaveLength(41)
  })
  test('64 clients of two gateways on one database: not one shilling over either', async () => {
    const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
    try {
      for (let round = 0; round < 10; round += 1) {
        const msisdn = uniqueMsisdn('001')
        const replies = await Promise.all(
          Array.from({ length: 64 }, (_, n) => collect(n % 2 ? url : other.url, { msisdn, amount: 300_001 })),
        )
        expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
      }
    } finally {
      await other.stop()
    }
  })
  test('also where the database has another default isolation level', async () => {
    await gateway.pool.query(
      `alter database ${database.connection.database} set default_transaction_isolation = 'repeatable read'`,
    )
    const others = await Promise.all(
      [1, 2].map(() => startTestGateway({ connection: database.connection, surroundings: { clock } })),
    )
    try {
      const msisdn = uniqueMsisdn('001')
      const replies = await Promise.all(
        Array.from({ length: 64 }, (_, n) => collect(others[n % 2]!.url, { msisdn, amount: 300_001 })),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
    } finally {
      await gateway.pool.query(`alter database ${database.connection.database} reset default_transaction_isolation`)
      await Promise.all(others.map((other) => other.stop()))
    }
  })
  test('rolling: what began 24 hours ago no longer counts', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 1_000_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    clock.advance(24 * 3_600_000 - 1)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
    clock.advance(1)
    expect((await collect(url, { msisdn, amount: 500 })).status).toBe(202)
  })
  test('what failed does not count', async () => {
    const msisdn = uniqueMsisdn('002')
    for (const amount of [3_000_000, 3_000_000, 1_000_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
    await gateway.runDue()
    clock.advance(1_000)
    await gateway.runDue()
    expect((await collect(url, { msisdn, amount: 500 })).status).toBe(202)
  })
  test('a refused request leaves its reference free', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 1_000_000]) await collect(url, { msisdn, amount })
    const merchant_reference = uniqueReference()
    expectError(await collect(url, { msisdn, merchant_reference, amount: 500 }), 400, over)
    expect((await collect(url, { merchant_reference })).status).toBe(202)
  })
})

describe('lookups', () => {
  test('a well-formed currency without options', async () => {
    expect((await send(url, 'GET', '/data/payment-providers?currency=XYZ&transaction_type=PAYOUT')).body.data).toEqual({
      payment_providers: [],
    })
  })
  test('a provider without bank payouts', async () => {
    expect((await send(url, 'GET', '/data/payout-bank-codes?provider_code=mtn_ug')).body.data).toEqual({
      payout_banks: [],
    })
  })
  test('the banks of a provider that has them', async () => {
    const { body } = await send(url, 'GET', '/data/payout-bank-codes?provider_code=bank_ng')
    expect(body.data.payout_banks).toContainEqual({
      bank_name: 'Access Bank',
      bank_code: 'access_bank_ng',
      is_active: true,
    })
  })
  test('no currency: all wallets', async () => {
    const { body } = await send(url, 'GET', '/data/wallet-balances', { headers: DEMO_KEYS })
    const wallets = body.data.merchant_wallets as { currency: string }[]
    expect(new Set(wallets.map(({ currency }) => currency))).toEqual(
      new Set(['UGX', 'KES', 'TZS', 'RWF', 'GHS', 'ZMW', 'NGN', 'ZAR']),
    )
    expect(wallets).toHaveLength(16)
  })
  test('a currency narrows the wallets', async () => {
    const { body } = await send(url, 'GET', '/data/wallet-balances?currency=KES', { headers: DEMO_KEYS })
    expect(
      (body.data.merchant_wallets as { wallet_type: string; currency: string }[]).map(
        ({ wallet_type, currency }) => `${wallet_type} ${currency}`,
      ),
    ).toEqual(['MERCHANT_COLLECTION KES', 'MERCHANT_PAYOUT KES'])
  })
})

describe('verify, unknown reference', () => {
  test('404 naming it', async () =>
    expectError(await verify(url, 'ORDER-9999'), 404, 'Transaction (ORDER-9999) was not found'))
  test("another merchant's reference gives the same 404", async () => {
    const keys = newMerchantKeys(seededRandom('other'))
    await createMerchant(
      gateway.pool,
      createSecretBox('a master key for tests only, nothing real', seededRandom('box')),
      { name: 'Other', keys, sandboxOnly: false },
      clock.now(),
    )
    await gateway.refresh()
    const merchant_reference = uniqueReference()
    await collect(url, { merchant_reference })
    const path = `/data/transaction/verify/${merchant_reference}`
    expectError(
      await send(url, 'GET', path, { headers: { 'public-key': keys.publicKey } }),
      404,
      `Transaction (${merchant_reference}) was not found`,
    )
    expect((await send(url, 'GET', path)).status).toBe(200)
    // References are scoped to the merchant: the other one may use the same.
    expect((await collect(url, { merchant_reference }, { 'public-key': keys.publicKey })).status).toBe(202)
  })
})

describe('duplicate merchant_reference', () => {
  test('409 naming it', async () => {
    const merchant_reference = uniqueReference()
    expect((await collect(url, { merchant_reference })).status).toBe(202)
    expectError(
      await collect(url, { merchant_reference }),
      409,
      `merchant_reference (${merchant_reference}) has already been used`,
    )
  })
  test('100 concurrent requests with one reference: one 202, ninety-nine 409', async () => {
    const merchant_reference = uniqueReference()
    const replies = await Promise.all(Array.from({ length: 100 }, () => collect(url, { merchant_reference })))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(99)
  })
})

describe('Idempotency-Key', () => {
  test('the same key with the same body replays the first reply', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(url, '/collections/initialize', body, key)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const second = await postJson(
      url,
      '/collections/initialize',
      Object.fromEntries(Object.entries(body).reverse()),
      key,
    )
    expect(second.body).toEqual(first.body)
    expect(second.status).toBe(202)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
  test('with another body: 409', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    await collect(url, {}, key)
    expectError(await collect(url, {}, key), 409, 'Idempotency-Key has already been used with a different request')
  })
  const bothRefusedAfresh = async (
    path: string,
    refused: object,
    code: number,
    message: string,
    key: Record<string, string>,
  ) => {
    for (let times = 0; times < 2; times += 1) {
      const reply = await postJson(url, path, refused, key)
      expectError(reply, code, message)
      expect(reply.headers.get('idempotency-replayed')).toBeNull()
    }
  }
  test.each([
    ['that breaks the schema', { amount: 'many' }, {}, 'amount must be a number'],
    ['outside the limits', { amount: 1 }, { amount: 500 }, 'amount must be between 500 and 3000000 UGX'],
    [
      'with a number of another operator',
      { msisdn: '256752000123' },
      { msisdn: '256772000124' },
      '256752000123 is not a valid MTN Uganda (mtn_ug) phone number',
    ],
  ])(
    'a collection %s frees its key: refused by the rules again, and corrected it goes through',
    async (_what, wrong, right, message) => {
      const key = { 'idempotency-key': uniqueReference() }
      const body = mobileMoneyCollection()
      await bothRefusedAfresh('/collections/initialize', { ...body, ...wrong }, 400, message, key)
      expect((await postJson(url, '/collections/initialize', { ...body, ...right }, key)).status).toBe(202)
    },
  )
  test('a used reference frees the key of its request', async () => {
    const [key, body] = [{ 'idempotency-key': uniqueReference() }, mobileMoneyCollection()]
    await postJson(url, '/collections/initialize', body)
    await bothRefusedAfresh(
      '/collections/initialize',
      body,
      409,
      `merchant_reference (${String(body.merchant_reference)}) has already been used`,
      key,
    )
    expect(
      (await postJson(url, '/collections/initialize', { ...body, merchant_reference: uniqueReference() }, key)).status,
    ).toBe(202)
  })
  test('a used-up daily limit frees the key: the same request goes through when there is room again', async () => {
    const msisdn = uniqueMsisdn()
    for (let times = 0; times < 2; times += 1)
      expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    const [key, body] = [{ 'idempotency-key': uniqueReference() }, mobileMoneyCollection({ msisdn, amount: 3_000_000 })]
    await bothRefusedAfresh(
      '/collections/initialize',
      body,
      400,
      'amount exceeds the daily limit of 7000000 UGX for this account number',
      key,
    )
    clock.advance(24 * 3_600_000)
    const reply = await postJson(url, '/collections/initialize', body, key)
    expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([202, null])
  })
  const payout = (changes: object = {}) => ({
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    merchant_reference: uniqueReference(),
    account_number: uniqueMsisdn(),
    currency: 'UGX',
    amount: 5000,
    customer_name: 'Amina Nakato',
    description: 'Refund of March',
    ...changes,
  })
  test('a refused payout frees its key', async () => {
    const [key, body] = [{ ...DEMO_KEYS, 'idempotency-key': uniqueReference() }, payout()]
    await bothRefusedAfresh(
      '/payout/send-funds',
      { ...body, amount: 1 },
      400,
      'amount must be between 500 and 3000000 UGX',
      key,
    )
    expect((await postJson(url, '/payout/send-funds', body, key)).status).toBe(202)
  })
  test('it is of one operation: whoever has the public key alone cannot burn the key of a payout', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    expect((await collect(url, {}, key)).status).toBe(202)
    expect(
      (
        await postJson(
          url,
          '/collections/authorize',
          { internal_reference: 'MLP0000000000000000000000', otp: 123_456 },
          key,
        )
      ).status,
    ).toBe(404)
    const body = payout()
    const first = await postJson(url, '/payout/send-funds', body, { ...DEMO_KEYS, ...key })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null])
    const again = await postJson(url, '/payout/send-funds', body, { ...DEMO_KEYS, ...key })
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', first.body])
  })
  test('50 concurrent requests with one key: one transaction, fifty equal replies', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => postJson(url, '/collections/initialize', body, key)),
    )
    expect(new Set(replies.map(({ body: { data } }) => data.internal_reference)).size).toBe(1)
    expect(replies.every(({ status }) => status === 202)).toBe(true)
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })
  test('twins that share a batch are both told the transaction that exists', async () => {
    const references = (
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const [key, body] = [
            { 'idempotency-key': uniqueReference() },
            mobileMoneyCollection({ merchant_reference: 'auto' }),
          ]
          return Promise.all([
            postJson(url, '/collections/initialize', body, key),
            postJson(url, '/collections/initialize', body, key),
          ])
        }),
      )
    )
      .flat()
      .map(({ body: { data } }) => data.merchant_reference as string)
    const found = await Promise.all(references.map((reference) => verify(url, reference)))
    expect(found.every(({ status }) => status === 200)).toBe(true)
  })
  test('for 24 hours', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const first = await postJson(url, '/collections/initialize', body, key)
    clock.advance(24 * 3_600_000)
    const second = await postJson(url, '/collections/initialize', body, key)
    expect(second.body.data.internal_reference).not.toBe(first.body.data.internal_reference)
    expect(second.headers.get('idempotency-replayed')).toBeNull()
  })
  test('the keys of two merchants do not meet', async () => {
    const { rows } = await gateway.pool.query<{ public_key: string }>(
      'select public_key from merchants where not sandbox_only limit 1',
    )
    const key = uniqueReference()
    const body = mobileMoneyCollection({ merchant_reference: 'auto' })
    const [one, other] = await Promise.all([
      postJson(url, '/collections/initialize', body, { 'idempotency-key': key }),
      postJson(url, '/collections/initialize', body, { 'idempotency-key': key, 'public-key': rows[0]!.public_key }),
    ])
    expect(one.body.data.internal_reference).not.toBe(other.body.data.internal_reference)
  })
  test('1 to 255 printable characters', async () => {
    expect((await collect(url, {}, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(202)
    expectError(
      await collect(url, {}, { 'idempotency-key': 'k'.repeat(256) }),
      400,
      'Idempotency-Key must have 1 to 255 characters',
    )
    expect((await collect(url, {}, { 'idempotency-key': 'tab\there' })).status).toBe(400)
  })
})

describe('the public key', () => {
  test('is for servers: a browser is not let to read a reply, nor to ask whether it may', async () => {
    const page = {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'public-key',
    }
    const replies = [
      await send(url, 'OPTIONS', PROVIDERS, { headers: page }),
      await send(url, 'GET', PROVIDERS, { headers: page }),
      await collect(url, {}, page),
      await collect(url, {}, { ...page, 'public-key': '' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([405, 200, 202, 401])
    for (const { headers } of replies)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('merchant_reference characters', () => {
  test.each(['ABCdef.0_~-', 'x'.repeat(36)])('%s is accepted', async (merchant_reference) =>
    expect((await collect(url, { merchant_reference })).status).toBe(202),
  )
  test.each(['ORDER:0001', 'ORDER 0001', 'ORDËR-0001', 'ORDER/0001', 'short', 'x'.repeat(37), 'AUTO'])(
    '%s is refused',
    async (merchant_reference) => {
      const reply = await collect(url, { merchant_reference })
      expect(reply.status).toBe(400)
      expect(reply.body.message).toBe(
        'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
      )
    },
  )
  test.each(['abc', 'short'])('%s is too short: 8 to 36, nowhere 4', async (merchant_reference) => {
    expectError(
      await collect(url, { merchant_reference }),
      400,
      'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
    )
    const payout = {
      ...mobileMoneyCollection({ merchant_reference, customer_name: 'Ada Obi', account_number: '256772000123' }),
      msisdn: undefined,
    }
    expectError(
      await postJson(url, '/payout/send-funds', payout, DEMO_KEYS),
      400,
      'merchant_reference must have 8 to 36 characters',
    )
  })
  test('auto makes the gateway generate one', async () => {
    expect((await collect(url, { merchant_reference: 'auto' })).body.data.merchant_reference).toMatch(
      /^MREF[0-9A-HJKMNP-TV-Z]{16}$/,
    )
  })
})

describe('card_cipher', () => {
  test('is accepted and kept nowhere', async () => {
    const canary = 'CANARY4111111111111111'
    const merchant_reference = uniqueReference()
    expect(
      (await collect(url, { card_cipher: canary, merchant_reference }, { 'idempotency-key': merchant_reference }))
        .status,
    ).toBe(202)
    const { rows: tables } = await gateway.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'sandbox')`,
    )
    for (const { name } of tables) {
      const { rowCount } = await gateway.pool.query(`select from ${name} t where t::text like '%' || $1 || '%'`, [
        canary,
      ])
      expect(rowCount, name).toBe(0)
    }
  })
  test('its length is capped', async () => {
    expectError(
      await collect(url, { card_cipher: 'x'.repeat(4097) }),
      400,
      'card_cipher must have 1 to 4096 characters',
    )
  })
})

describe('amounts on the wire', () => {
  test('are JSON numbers with the decimals of the currency, exactly', async () => {
    const merchant_reference = uniqueReference()
    await collect(url, {
      merchant_reference,
      provider_code: 'mpesa_ke',
      msisdn: '254712000123',
      currency: 'KES',
      amount: 1234.56,
    })
    // 1 % of 1,234.56 is 12.3456: 12.35 when rounded half up to the minor unit.
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      request_amount: 1234.56,
      transaction_amount: 1234.56,
      transaction_charge: 12.35,
      total_credit: 1222.21,
    })
  })
  test('charge_customer: the customer pays the charge on top', async () => {
    const merchant_reference = uniqueReference()
    await collect(url, { merchant_reference, charge_customer: true })
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      transaction_amount: 5000,
      transaction_charge: 50,
      total_credit: 5000,
      charge_customer: true,
    })
  })
})

describe('rate limits', () => {
  const WALLETS = '/data/wallet-balances'
  const overLimit = (reply: RawReply, message = /^Too many requests: try again in \d+ seconds?$/) => {
    expectError(reply, 429, reply.body.message)
    expect(reply.body.message).toMatch(message)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  const statusesOf = (replies: readonly { readonly status: number }[]) =>
    replies.map(({ status }) => status).toSorted((a, b) => a - b)
  /** A gateway that lets ten of each kind through in ten seconds. */
  async function onLimited(run: (url: string) => Promise<void>, env: Record<string, string> = {}): Promise<void> {
    const limited = await startTestGateway({
      connection: database.connection,
      surroundings: { clock },
      env: { MALIPO_RATE_LIMIT: '1', MALIPO_RATE_LIMIT_ADDRESS: '1', ...env },
    })
    try {
      await run(limited.url)
    } finally {
      await limited.stop()
    }
  }
  const many = <Reply>(count: number, ask: (n: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

  test('over the limit: 429 with Retry-After, per merchant', () =>
    onLimited(async (url) => {
      expect(new Set(statusesOf(await many(10, () => send(url, 'GET', PROVIDERS))))).toEqual(new Set([200]))
      overLimit(await send(url, 'GET', PROVIDERS))
    }))
  test('a stranger with the public key alone cannot starve payouts: what needs the secret key has a bucket of its own', () =>
    onLimited(async (url) => {
      const replies = await many(30, () => send(url, 'GET', PROVIDERS))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
      // Nor with a wrong secret key: that is no request of the merchant.
      await many(30, () => send(url, 'GET', WALLETS, { headers: { 'secret-key': 'sec_guessed' } }))
      const own = await many(11, () => send(url, 'GET', WALLETS, { headers: DEMO_KEYS }))
      expect(statusesOf(own)).toEqual([...Array<number>(10).fill(200), 429])
    }))
  test('a miss of verify counts ten: who guesses references has a tenth of the guesses', () =>
    onLimited(async (url) => {
      expectError(await verify(url, 'GUESSED-0001'), 404, 'Transaction (GUESSED-0001) was not found')
      overLimit(await verify(url, 'GUESSED-0002'))
      expect((await send(url, 'GET', WALLETS, { headers: DEMO_KEYS })).status).toBe(200)
    }))
  test.each([
    ['an unknown public key', { 'public-key': 'pub_unknown' }],
    ['no key', { 'public-key': '' }],
    ['a wrong secret key', { ...DEMO_KEYS, 'secret-key': 'sec_guessed' }],
  ])('an address that has sent %s too often hears 429 instead of 401, and right keys go on', (_what, headers) =>
    onLimited(async (url) => {
      const refused = await many(12, () => send(url, 'GET', WALLETS, { headers }))
      expect(statusesOf(refused)).toEqual([...Array<number>(10).fill(401), 429, 429])
      overLimit(
        refused.find(({ status }) => status === 429)!,
        /^Too many requests with wrong keys: try again in \d+ seconds?$/,
      )
      expect((await send(url, 'GET', WALLETS, { headers: DEMO_KEYS })).status).toBe(200)
    }),
  )
  test('an address that has guessed too many payment pages is told so on a page, and the pages that exist still open', () =>
    onLimited(async (url) => {
      const { data } = (await collect(url, { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' })).body
      const guesses = await many(12, (n) =>
        fetch(`${url}/pay/collection/MLP0000000000000000000${String(n).padStart(3, '0')}${n % 2 ? '/status' : ''}`),
      )
      expect(statusesOf(guesses)).toEqual([...Array<number>(10).fill(404), 429, 429])
      const page = await fetch(`${url}/pay/collection/MLP0000000000000000000000`)
      expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await page.text()).toMatch(/<h1>Too many wrong links<\/h1>[^]*Wait \d+ seconds?, then open the link again/)
      expect((await fetch(String(data.payment_url))).status).toBe(200)
    }))
  describe('behind a proxy', () => {
    const from = (url: string, address: string) =>
      send(url, 'GET', PROVIDERS, { headers: { 'public-key': 'pub_unknown', 'x-forwarded-for': address } })
    test('that is trusted, each of its clients has a bucket; what they claim themselves does not count', () =>
      onLimited(
        async (url) => {
          await many(10, (n) => from(url, `198.51.100.${n}, 203.0.113.7`))
          expect((await from(url, '203.0.113.7')).status).toBe(429)
          expect((await from(url, '203.0.113.8')).status).toBe(401)
        },
        { MALIPO_TRUSTED_PROXIES: '127.0.0.0/8, ::1' },
      ))
    test('that is not trusted, X-Forwarded-For is not believed', () =>
      onLimited(async (url) => {
        await many(10, (n) => from(url, `203.0.113.${n}`))
        expect((await from(url, '203.0.113.99')).status).toBe(429)
      }))
  })
})

describe('description', () => {
  test.each([
    ' '.repeat(10),
    '\u00a0'.repeat(12),
    ' \u00a0'.repeat(15),
    '\u3000'.repeat(10),
    '\u2003 \u2009'.repeat(5),
    '\ufeff'.repeat(10),
    '\u200b'.repeat(12),
    '\u3164'.repeat(12),
    ' \u2800'.repeat(8),
  ])('of blanks only is refused: %j', async (description) => {
    expectError(await collect(url, { description }), 400, 'description must not be blank')
  })
  test.each(['         .', '.         ', '   支払い      ', 'é'.repeat(30)])(
    'with one that is none is accepted: %j',
    async (description) => {
      expect((await collect(url, { description })).status).toBe(202)
    },
  )
  test.each(['Two coffees\n', '\tTwo coffees', 'Two\u0085coffees'])(
    'control characters are refused: %j',
    async (description) => {
      expectError(await collect(url, { description }), 400, 'description must not contain control characters')
    },
  )
})

describe('redirect_url', () => {
  test.each([
    'HTTPS://SHOP.EXAMPLE/Paid',
    'https://a',
    'https://shop.example',
    'https://shop.example.',
    'https://shop_2.example/',
    'https://shop.example:8443?x',
    'https://shop.example:/',
    'https://[2001:db8::1]:8443/paid',
    'https://192.0.2.7/paid',
    "https://shop.example/a%2Fb;c=1/@:!$&'()*+,=~?q=/?&%20#f/?",
    'https://%73hop.example/',
    'https://büro.example/paid',
    'https://xn--bro-hoa.example/paid',
    'https://支払い.テスト:8443/?a=1',
    'https://متجر.example/',
    `https://shop.example/${'a'.repeat(2_027)}`,
    'HTTP://LOCALHOST:3000/done',
  ])('%s is one', async (redirect_url) => expect((await collect(url, { redirect_url })).status).toBe(202))
  test.each([
    `https://shop.example/${'a'.repeat(2_028)}`,
    'https://',
    'https:///paid',
    'https://user@shop.example/',
    'https://:@shop.example/',
    'https://shop.example:99999/',
    'https://shop.example/a b',
    'https://shop.example/<script>',
    'https://shop.example/%zz',
    'https://büro.example/\n',
    'https://shop.example\\@evil.example/',
    'https://sh\u00a0op.example/',
    'https://256.256.256.256/',
    'https://[::1',
    'https://exa／mple.example',
    'HTTP://shop.example/',
  ])('%j is none', async (redirect_url) => {
    const reply = await collect(url, { redirect_url })
    expect(reply.body.message).toMatch(/^redirect_url must /)
    expect(reply.status).toBe(400)
  })
  test.each([
    'http://shop.example/done',
    'ftp://shop.example/done',
    'javascript:alert(1)',
    '//evil.example',
    'https://user:pass@shop.example/',
  ])('%s is refused', async (redirect_url) => {
    const reply = await collect(url, { redirect_url })
    expect(reply.status).toBe(400)
    expect(reply.body.message).toMatch(/^redirect_url must /)
  })
  test('only to the hosts that the merchant allows, where it has such a list; the refusal names the host', async () => {
    const keys = newMerchantKeys(seededRandom('redirect hosts'))
    const box = createSecretBox('a master key for tests only, nothing real', seededRandom('box of redirect hosts'))
    const id = await createMerchant(
      gateway.pool,
      box,
      { name: 'Careful', keys, sandboxOnly: false, redirectHosts: ['shop.example', '*.shop.example'] },
      new Date(),
    )
    await gateway.refresh()
    const sentTo = (redirect_url: string) => collect(url, { redirect_url }, { 'public-key': keys.publicKey })
    expect((await sentTo('https://pay.shop.example:8443/done')).status).toBe(202)
    expectError(
      await sentTo('https://evil.example/done'),
      400,
      'redirect_url leads to a host (evil.example) that your account does not allow',
    )
    await updateMerchant(gateway.pool, id, { redirectHosts: [] })
    await gateway.refresh()
    expect((await sentTo('https://evil.example/done')).status).toBe(202)
  })
  test.each(['https://shop.example/done?order=1#top', 'http://127.0.0.1:3000/done', 'http://localhost/done'])(
    '%s is accepted in sandbox mode',
    async (redirect_url) => {
      expect((await collect(url, { redirect_url })).status).toBe(202)
    },
  )
})
