import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

const { gateway } = await gatewayTest()

const PROTECTION = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const KEYS = { ...DEMO_KEYS, 'x-api-version': '1' }
const JSON_BODY = { ...KEYS, 'content-type': 'application/json' }
const COLLECTION = JSON.stringify({
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'HEADERS-0001',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
})

test.each([
  [200, 'GET', '/data/wallet-balances', { headers: KEYS }],
  [202, 'POST', '/collections/initialize', { headers: JSON_BODY, body: COLLECTION }],
  [409, 'POST', '/collections/initialize', { headers: JSON_BODY, body: COLLECTION }],
  [400, 'POST', '/collections/initialize', { headers: JSON_BODY, body: '{}' }],
  [400, 'POST', '/collections/initialize', { headers: JSON_BODY, body: '{' }],
  [401, 'GET', '/data/wallet-balances', { headers: { 'x-api-version': '1' } }],
  [404, 'GET', '/data/transaction/verify/NO-SUCH-REFERENCE', { headers: KEYS }],
  [404, 'GET', '/data/nothing', {}],
  [405, 'DELETE', '/data/wallet-balances', {}],
  [405, 'POST', '/docs', {}],
  [400, 'GET', '/%zz', {}],
  [413, 'POST', '/collections/initialize', { headers: JSON_BODY, body: ' '.repeat(70_000) }],
  [415, 'POST', '/collections/initialize', { headers: { ...KEYS, 'content-type': 'text/plain' }, body: COLLECTION }],
] as const)(
  'no cache keeps a reply %i and no browser sniffs its type: %s %s',
  async (status, method, path, request) => {
    const reply = await fetch(gateway.url + path, { method, ...request })
    expect(await reply.json()).toMatchObject({ code: status })
    expect(Object.fromEntries(Object.keys(PROTECTION).map((name) => [name, reply.headers.get(name)]))).toEqual(
      PROTECTION,
    )
  },
)

test.each([
  ['that is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['by CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nhost: a.example\r\n\r\n', 405],
  [
    'with an expectation',
    'POST /collections/initialize HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\ncontent-length: 0\r\n\r\n',
    417,
  ],
])('nor one to a request %s', async (_what, request, status) => {
  const reply = await new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(request))
    socket
      .on('data', (chunk: Buffer) => {
        received += chunk
      })
      .on('end', () => {
        socket.end()
        resolve(received)
      })
      .on('error', reject)
  })
  expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  for (const [name, value] of Object.entries(PROTECTION))
    expect(reply.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`)
})

test('the contract declares both on every reply of every operation', () => {
  const replies = readContract(bundleUrl)
    .operations.filter(({ kind }) => kind === 'operation')
    .flatMap(({ id, responses }) => responses.map(({ status, headers }) => ({ reply: `${id} ${status}`, headers })))
  expect(replies.length).toBeGreaterThan(50)
  for (const { reply, headers } of replies) {
    const declared = Object.fromEntries(headers.map((header) => [header.name, header]))
    expect(declared, reply).toMatchObject({
      'Cache-Control': { required: true, schema: { enum: [PROTECTION['cache-control']] } },
      'X-Content-Type-Options': { required: true, schema: { enum: [PROTECTION['x-content-type-options']] } },
    })
  }
})
