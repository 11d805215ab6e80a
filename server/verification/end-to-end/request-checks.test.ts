import { describe, expect, test } from 'vitest'
import { connect } from 'node:net'
import { databaseAway } from '../testing/database-away.ts'
import { DEMO_KEYS, seededRandom } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, send, verify } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectError } from '../testing/expect-error.ts'

// The checks before the fields of a request, in their order, and the shape of each rejection.

const { gateway } = await gatewayTest({
  surroundings: { random: seededRandom('requests') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

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
  test('500 reveals nothing internal, and the log has it', async () => {
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
  test('moving or revealing money needs both keys of one merchant', async () => {
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
  test.each(['1', '1.0', '1.00', '01'])('the number 1, spelled %s', async (version) => {
    expect((await send(url, 'GET', PROVIDERS, { headers: { 'x-api-version': version } })).status).toBe(200)
  })
  test.each(['2', '0', 'one', '1.5', '0x1', '1e0', '+1', '1.'])('other than 1: %s', async (version) => {
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

describe('the public key', () => {
  test('is for servers: browsers read neither a reply nor a preflight', async () => {
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
