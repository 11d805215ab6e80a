import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { bankCollection } from '../testing/client-requests.ts'
import { expectError, PROTECTION } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, mobileMoneyPayout, payOut, postJson, send } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// What the contract suite does not see. Its parts `declared` and `inputs` send every pair of faults, each header and each
// field in all its forms, its part `wire` malformed HTTP; its rules compare every reply's message, headers and caching
// with the contract.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const COLLECT = '/collections/initialize'
const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const WALLETS = '/data/wallet-balances'
const UNKNOWN_KEYS = refusal('keys_wrong')

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
    reason: expect.any(String) as string,
    data: {},
  })
  for (const [name, value] of Object.entries(PROTECTION))
    expect(text.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`)
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

test('the contract declares of every reply that no cache keeps it', () => {
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

test.each(['id', 'transaction_status', '__proto__x', 'constructor'])('%s is not allowed', async (field) => {
  expectError(await collect(url, { [field]: 'x' }), 400, `${field} is not allowed`)
})

test('__proto__ is no field either', async () => {
  const body = JSON.stringify(mobileMoneyCollection()).replace(/}$/, ',"__proto__":{"amount":1}}')
  const headers = { 'content-type': 'application/json', ...DEMO_KEYS }
  expectError(await send(url, 'POST', COLLECT, { headers, body }), 400, '__proto__ is not allowed')
})

test('no value equals an absent field for an Idempotency-Key', async () => {
  const key = { ...DEMO_KEYS, 'idempotency-key': 'of-no-value' }
  const [collection, payout] = [mobileMoneyCollection({ merchant_reference: 'auto' }), mobileMoneyPayout()]
  const first = await collect(url, { ...collection, customer_name: null, redirect_url: '' }, key)
  const again = await collect(url, collection, key)
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  const paid = await payOut(url, { ...payout, extra_params: { bank_code: '' } }, key)
  const paidAgain = await payOut(url, payout, key)
  expect([paidAgain.body, paidAgain.headers.get('idempotency-replayed')]).toEqual([paid.body, 'true'])
})

test('a batch is repeated only with all of its rows, in any spelling of its numbers', async () => {
  const key = { ...DEMO_KEYS, 'idempotency-key': 'of-a-batch' }
  const rows = ['256772000123', '256772000223'].map((account_number) => mobileMoneyPayout({ account_number }))
  const batch = (payouts: readonly object[]) =>
    postJson(url, '/payout/batches', { batch_reference: 'BATCH-OF-KEY', payouts }, key)
  expect((await batch(rows)).status).toBe(202)
  const spelled = rows.map((row) => ({ ...row, account_number: `+${row.account_number}` }))
  expect((await batch(spelled)).headers.get('idempotency-replayed')).toBe('true')
  const text = JSON.stringify({ batch_reference: 'BATCH-OF-KEY', payouts: rows })
  const other = text.replace(/"amount":(\d+)/, '"amount":$1.0000000000001')
  const headers = { 'content-type': 'application/json', ...key }
  expect((await send(url, 'POST', '/payout/batches', { headers, body: other })).status).toBe(409)
  expect((await batch([...rows, { ...mobileMoneyPayout(), colour: 'red' }])).status).toBe(409)
})

test('fields of the other method have no effect', async () => {
  const fields = { msisdn: 'no number', mobile_money_hpp: true }
  expect((await postJson(url, COLLECT, bankCollection(fields))).status).toBe(202)
  const extra_params = { bank_code: 'no_such_bank', branch_code: 'of any text' }
  expect((await payOut(url, { extra_params })).status).toBe(202)
})
