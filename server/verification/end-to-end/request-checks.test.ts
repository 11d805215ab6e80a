import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { databaseAway } from '../testing/database-away.ts'
import { expectError, expectProtection, PROTECTION } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, send, verify } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// The checks before the fields of a request, in their order, and the shape of each rejection.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const COLLECT = '/collections/initialize'
const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const WALLETS = '/data/wallet-balances'
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_TYPE = { 'content-type': 'text/plain' }
const UNKNOWN_KEYS = refusal('keys_wrong')

describe('order of checks', () => {
  const broken = { 'public-key': 'nobody', 'x-api-version': '9', ...TEXT_TYPE }

  test.each([
    ['route before everything', '/nowhere', 'POST', broken, 404, 'There is nothing at /nowhere'],
    ['method before authentication', COLLECT, 'PUT', broken, 405, 'PUT is not allowed here: use POST'],
    ['authentication before headers', COLLECT, 'POST', broken, 401, UNKNOWN_KEYS],
    [
      'headers before the media type',
      COLLECT,
      'POST',
      { 'x-api-version': '9', ...TEXT_TYPE },
      400,
      'x-api-version (9) is not supported',
    ],
    ['the media type before the size', COLLECT, 'POST', TEXT_TYPE, 415, refusal('content_type_wrong')],
    ['the size before JSON', COLLECT, 'POST', JSON_TYPE, 413, refusal('body_too_large')],
  ])('%s', async (_rule, path, method, headers, status, message) => {
    expectError(await send(url, method, path, { headers, body: 'x'.repeat(70_000) }), status, message)
  })
  test('JSON before the schema, and that before business rules', async () => {
    const invalid = await send(url, 'POST', COLLECT, { headers: JSON_TYPE, body: '{"amount": }' })
    expectError(invalid, 400, 'The request body is not valid JSON')
    expectError(await collect(url, { provider_code: 'nobody', amount: 'much' }), 400, 'amount must be a number')
  })
})

describe('every error', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])(
    '405 with the exact Allow for %s',
    async (method) => {
      const reply = await send(url, method, COLLECT)
      expectError(reply, 405, `${method} is not allowed here: use POST`)
      expect(reply.headers.get('allow')).toBe('POST')
    },
  )
  test('bad percent-encoding in the path', async () => {
    expectError(await send(url, 'GET', '/data/transaction/verify/%zz'), 400, 'The path is not valid percent-encoding')
  })
  test.each([
    ['', 'The request body is required'],
    ...['[1,2', '\u0000', '{"a":1}}', '"\\ud800"', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])].map(
      (body) => [body, 'The request body is not valid JSON'] as const,
    ),
    ...['null', '[]', '"text"', '7'].map((body) => [body, 'The request body must be a JSON object'] as const),
  ] as const)('the body %j: %s', async (body, message) => {
    expectError(await send(url, 'POST', COLLECT, { headers: JSON_TYPE, body }), 400, message)
  })
  const NO_JSON = refusal('content_type_wrong')
  test.each([
    [{ 'content-type': 'text/json' }, NO_JSON],
    [{ 'content-type': 'application/json; charset=latin1' }, NO_JSON],
    [{ 'content-type': undefined }, NO_JSON],
    [{ ...JSON_TYPE, 'content-encoding': 'gzip' }, 'Content-Encoding must be absent: the body is read as it comes'],
  ])('415 for %j', async (headers, message) => {
    const body = new Uint8Array(Buffer.from(JSON.stringify(mobileMoneyCollection())))
    expectError(await send(url, 'POST', COLLECT, { headers, body }), 415, message)
  })
  test.each([
    [
      'an unknown expectation',
      `POST ${COLLECT} HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 0\r\n`,
      417,
      'Only Expect: 100-continue is understood',
    ],
    ['no Host header', `GET ${PROVIDERS} HTTP/1.1\r\n`, 400, 'The Host header is required'],
    [
      'two Host headers',
      `GET ${PROVIDERS} HTTP/1.1\r\nHost: x\r\nhost: y\r\n`,
      400,
      'The Host header must be given once',
    ],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n', 405, 'CONNECT is not allowed here'],
    [
      'the absolute form of a known path',
      `GET http://gateway.example${PROVIDERS} HTTP/1.1\r\nHost: gateway.example\r\n`,
      401,
      'public-key is required',
    ],
    ['no HTTP at all', 'NONSENSE / HTTP/9.9\r\n', 400, expect.any(String) as string],
  ])('%s', async (_what, head, status, message) => {
    const text = await rawExchange(`${head}Connection: close\r\n\r\n`)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toEqual({
      code: status,
      status: 'error',
      message,
      data: {},
    })
    for (const [name, value] of Object.entries(PROTECTION))
      expect(text.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`)
  })
  test('500 reveals nothing internal; 503 says when to retry while the database is away', async () => {
    const before = gateway.pool.query
    try {
      gateway.pool.query = () => {
        throw new Error('secret detail of the database')
      }
      expectError(await verify(url, 'ORDER-0001'), 500, refusal('internal_error'))
      gateway.pool.query = () => Promise.reject(databaseAway())
      const reply = await verify(url, 'ORDER-0001')
      expectError(reply, 503, refusal('unavailable'))
      expect(reply.headers.get('retry-after')).toBe('1')
    } finally {
      gateway.pool.query = before
    }
  })
})

function rawExchange(text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    connect(Number(port), hostname, function (this: NodeJS.WritableStream) {
      this.write(text)
    })
      .on('data', (chunk: Buffer) => {
        received += chunk.toString()
      })
      .on('close', () => resolve(received))
      .on('error', reject)
  })
}

test('no cache keeps a success either; the contract declares that of every reply', async () => {
  for (const reply of [await send(url, 'GET', WALLETS, { headers: DEMO_KEYS }), await collect(url)])
    expectProtection(reply.headers)
  const replies = readContract(bundleUrl)
    .operations.filter(({ kind }) => kind === 'operation')
    .flatMap(({ id, responses }) => responses.map(({ status, headers }) => ({ reply: `${id} ${status}`, headers })))
  expect(replies.length).toBeGreaterThan(50)
  for (const { reply, headers } of replies)
    expect(Object.fromEntries(headers.map((header) => [header.name, header])), reply).toMatchObject({
      'Cache-Control': { required: true, schema: { enum: [PROTECTION['cache-control']] } },
      'X-Content-Type-Options': { required: true, schema: { enum: [PROTECTION['x-content-type-options']] } },
    })
})

describe('authentication', () => {
  test.each([
    ['no public-key', PROVIDERS, { 'public-key': undefined }, 'public-key is required'],
    ['an unknown public-key', PROVIDERS, { 'public-key': 'pub_unknown' }, UNKNOWN_KEYS],
    ['no secret-key', WALLETS, {}, 'secret-key is required'],
    ['a wrong secret-key', WALLETS, { 'secret-key': 'sec_wrong' }, UNKNOWN_KEYS],
    ['a secret-key with an unknown public-key', WALLETS, { ...DEMO_KEYS, 'public-key': 'pub_unknown' }, UNKNOWN_KEYS],
  ])('%s: 401 with WWW-Authenticate', async (_case, path, headers, message) => {
    const reply = await send(url, 'GET', path, { headers })
    expectError(reply, 401, message)
    expect(reply.headers.get('www-authenticate')).toBe('ApiKey realm="malipo"')
  })
  test('moving or revealing money needs both keys of one merchant', async () => {
    expect((await send(url, 'GET', WALLETS, { headers: { 'secret-key': DEMO_KEYS['secret-key'] } })).status).toBe(200)
  })
})

describe('headers', () => {
  const withVersion = (version: string | undefined) =>
    send(url, 'GET', PROVIDERS, { headers: { 'x-api-version': version } })

  test('x-api-version is the number 1, however it is spelled', async () => {
    for (const version of ['1', '1.0', '1.00', '01']) expect((await withVersion(version)).status, version).toBe(200)
    expectError(await withVersion(undefined), 400, 'x-api-version is required')
    for (const version of ['2', '0', 'one', '1.5', '0x1', '1e0', '+1', '1.'])
      expectError(await withVersion(version), 400, `x-api-version (${version}) is not supported`)
  })
  test('no Accept-Language refuses a call', async () => {
    for (const language of [undefined, 'sw', 'en-US,en;q=0.9', '*', 'xx-invalid-;;q=9'])
      expect((await send(url, 'GET', PROVIDERS, { headers: { 'accept-language': language } })).status).toBe(200)
  })
  test('the public key is for servers: browsers read neither a reply nor a preflight', async () => {
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
