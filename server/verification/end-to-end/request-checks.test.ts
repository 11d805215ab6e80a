import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { databaseAway } from '../testing/database-away.ts'
import { expectError, expectProtection, PROTECTION } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { collect, send, verify } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// The checks before the fields of a request, and the shape of each rejection. The part `inputs` of the contract suite
// sends every pair of faults, to show the order of the checks, and each header in all its forms.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const COLLECT = '/collections/initialize'
const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const WALLETS = '/data/wallet-balances'
const UNKNOWN_KEYS = refusal('keys_wrong')

describe('every error', () => {
  test('bad percent-encoding in the path', async () => {
    expectError(await send(url, 'GET', '/data/transaction/verify/%zz'), 400, 'The path is not valid percent-encoding')
  })
  const ENCODED = 'Content-Encoding must be absent: the body is read as it comes'
  test.each([
    ['missing', {}, '', 400, 'The request body is required'],
    ['no JSON', {}, '[1,2', 400, 'The request body is not valid JSON'],
    ['no object', {}, '[]', 400, 'The request body must be a JSON object'],
    ['too large', {}, 'x'.repeat(70_000), 413, refusal('body_too_large')],
    ['of another type', { 'content-type': 'text/json' }, '{}', 415, refusal('content_type_wrong')],
    ['encoded', { 'content-encoding': 'gzip' }, '{}', 415, ENCODED],
  ])('a body that is %s', async (_what, more, body, status, message) => {
    const headers = { 'content-type': 'application/json', ...more }
    expectError(await send(url, 'POST', COLLECT, { headers, body }), status, message)
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
