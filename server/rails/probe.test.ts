import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../openapi/operators/simulator/index.ts'
import type { CallbackKeys } from '../domain/callback-tokens.ts'
import { present } from '../domain/present.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import { SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { connectRailAccount } from '../start/connect-rail-account.ts'
import { systemTimers } from '../start/timers.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { listening } from '../verification/testing/listening.ts'
import { seededRandom } from '../verification/testing/gateway.ts'
import { operatorContract } from './operator-contract.ts'
import { createProbeWatch, playProbes, type ProbeRow } from './probe.ts'
import { RAIL_KINDS } from './registry.ts'

const started = async (name: string, options = {}): Promise<Simulator> =>
  forFile(startSimulator(present(SIMULATORS[name], name)(options), { port: 0, auto: true }))
const SIMULATED = {
  'mtn-momo': { simulator: await started('mtn-momo', { currency: 'UGX' }), currency: 'UGX', settings: {} },
  daraja: { simulator: await started('daraja'), currency: 'KES', settings: { pull: 'yes' } },
  'mtn-sandbox': { simulator: await started('mtn-momo'), currency: 'EUR', settings: {} },
  airtel: { simulator: await started('airtel'), currency: 'UGX', settings: { transactions_list: 'yes' } },
} as const
type Name = keyof typeof SIMULATED

interface Reply {
  readonly status: number
  readonly body: string
  readonly type?: string
}
/** How a drifted operator answers; by default as the simulator. */
type Drifted = (reply: Reply, path: string) => Reply

/** Stands before a simulator. */
async function proxied(name: Name, drifted: Drifted): Promise<string> {
  const { simulator } = SIMULATED[name]
  const server = createServer((request, response) => {
    void buffer(request).then(async (sent) => {
      const { 'content-length': _length, host: _host, connection: _connection, ...headers } = request.headers
      const method = request.method ?? 'GET'
      const body = method === 'GET' ? {} : { body: new Uint8Array(sent) }
      const reply = await fetch(`${simulator.url}${request.url}`, {
        method,
        headers: headers as Record<string, string>,
        ...body,
      })
      const replied = drifted({ status: reply.status, body: await reply.text() }, request.url ?? '')
      const type = replied.type ?? reply.headers.get('content-type') ?? 'application/json'
      response.writeHead(replied.status, { 'content-type': type }).end(replied.body)
    })
  })
  return (await forFile(listening(server))).url
}

const FAST = { requests_per_second: '1000', queries_per_second: '1000' }
const CALLBACK_KEYS: CallbackKeys = { keys: [{ id: '0badcafe', secret: 'f00d' }] }

async function rowsOf(name: Name, drifted: Drifted = (reply) => reply, paysTestNumbers = false) {
  const kindName = name === 'mtn-sandbox' ? 'mtn-momo' : name
  const kind = present(
    RAIL_KINDS.find((each) => each.name === kindName),
    name,
  )
  const { simulator, currency, settings } = SIMULATED[name]
  const baseUrl = await proxied(name, drifted)
  const watch = createProbeWatch()
  const connected = connectRailAccount(
    kind,
    {
      name,
      baseUrl,
      currency,
      settings: { ...simulator.open.railSettings, ...FAST, ...settings },
      callbackKeys: CALLBACK_KEYS,
      rail: kindName,
      environment: 'trial',
      updatedAt: new Date(0),
    },
    {
      clock: { now: () => new Date() },
      random: seededRandom('probe'),
      timers: systemTimers,
      policy: SANDBOX_POLICY,
      publicUrl: () => 'http://127.0.0.1:9',
      record: watch.record,
      drifts: watch.drifts,
      watch: NO_METRICS.watchRailAccount,
      onFault: (error) => {
        throw error
      },
    },
  )
  const list = present(
    connected.adapter.probes?.({ account: name === 'daraja' ? '254700000001' : '256752000001' }),
    'it',
  )
  const rows = await playProbes({ list, contract: operatorContract(kindName), basePath: '', watch, paysTestNumbers })
  await connected.close()
  return { rows, watch, list }
}

const DOCUMENTS = new URL('../../generated/operators/', import.meta.url)

test.each(Object.keys(SIMULATED) as Name[])(
  '%s: its simulator holds all facts, by few calls that only read',
  async (name) => {
    const { rows, watch, list } = await rowsOf(name)
    expect(rows.filter(({ outcome }) => outcome !== 'held' && outcome !== 'left_out')).toEqual([])
    expect(watch.exchanges.length).toBeLessThanOrEqual(20)
    expect(watch.exchanges.filter(({ method, path }) => method === 'POST' && !READING.test(path))).toEqual([])
    const document = JSON.parse(
      readFileSync(new URL(`${name === 'mtn-sandbox' ? 'mtn-momo' : name}.json`, DOCUMENTS), 'utf8'),
    ) as object
    const facts = factsIn(document)
    for (const { facts: probed = [] } of list.probes) for (const { fact } of probed) expect(facts).toContain(fact)
  },
)

/** Of the calls by POST those that move nothing. */
const READING = /\/token\/?$|\/stkpushquery\/v1\/query$|\/pulltransactions\/v1\/query$/

const factsIn = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([name, value]) =>
        name === 'fact' && typeof value === 'string' ? [value] : factsIn(value),
      )

test('payments of test numbers are made in a sandbox only, when they are wanted', async () => {
  const { rows, watch } = await rowsOf('mtn-sandbox', undefined, true)
  expect(rows.filter(({ outcome }) => outcome !== 'held')).toEqual([])
  expect(watch.exchanges.filter(({ path }) => path.endsWith('/requesttopay')).map(({ status }) => status)).toEqual([
    202, 409, 500,
  ])
  expect((await rowsOf('mtn-sandbox')).rows.filter(({ outcome }) => outcome === 'left_out')).toHaveLength(3)
})

const ok =
  (part: RegExp, change: (reply: Reply) => Reply): Drifted =>
  (reply, path) =>
    part.test(path) && reply.status === 200 ? change(reply) : reply
const edited = (part: RegExp, from: RegExp, to: string): Drifted =>
  ok(part, (reply) => ({ ...reply, body: reply.body.replace(from, to) }))
const PAGE = '<html><body>Service maintenance</body></html>'

test.each<readonly [string, Name, Drifted, Partial<ProbeRow>]>([
  [
    'a lifetime of an hour',
    'airtel',
    edited(/token/, /"180"/, '3600'),
    {
      outcome: 'broke',
      expected: expect.stringMatching(/^A token lives 180 seconds/),
      found: 'expires_in is the number 3600',
    },
  ],
  [
    'a balance as a number',
    'airtel',
    edited(/balance/, /"balance":"([\d.]+)"/, '"balance":$1'),
    { outcome: 'broke', expected: expect.stringMatching(/^The balance is a text/), found: 'the balance is a number' },
  ],
  [
    'no need of a country',
    'airtel',
    (reply, path) =>
      /balance/.test(path) && reply.status === 400
        ? {
            status: 200,
            body: '{"data":{"balance":"1.00","currency":"UGX","account_status":"Active"},"status":{"code":"200","message":"Done.","success":true}}',
          }
        : reply,
    {
      outcome: 'broke',
      expected: expect.stringMatching(/^Every call but the token carries/),
      found: 'it was answered without them',
    },
  ],
  [
    '404 for an unknown id',
    'airtel',
    (reply, path) =>
      /payments\/\w+$/.test(path)
        ? { ...reply, status: 404, body: '{"message":"no Route matched with those values"}' }
        : reply,
    { outcome: 'broke', expected: expect.stringMatching(/^HTTP 200 with `success` false/), found: 'HTTP 404' },
  ],
  [
    'a state for an unknown id',
    'airtel',
    edited(/payments\/\w+$/, /^\{/, '{"data":{"transaction":{"status":"TF"}},'),
    { outcome: 'broke', expected: expect.stringMatching(/^An id that nobody ordered/), found: 'it has a state' },
  ],
  [
    'a longer key',
    'airtel',
    ok(/encryption-keys/, (reply) => ({ ...reply, body: reply.body.replace(/"key":"[^"]+"/, `"key":"${LONG_KEY}"`) })),
    {
      outcome: 'broke',
      expected: expect.stringMatching(/^The encryption key is of 1024 bits/),
      found: 'it is of 2048 bits',
    },
  ],
  [
    'a code that is in no list',
    'airtel',
    edited(/payments\/\w+$/, /DP00800001025/, 'DP00800009999'),
    { outcome: 'new', found: 'the code DP00800009999' },
  ],
  [
    'a new field',
    'airtel',
    edited(/balance/, /"currency"/, '"wallet_tier":"GOLD","currency"'),
    { outcome: 'new', found: 'data.wallet_tier is not documented' },
  ],
  [
    'a lifetime as a text',
    'mtn-momo',
    edited(/collection\/token/, /"expires_in":3600/, '"expires_in":"3600"'),
    {
      outcome: 'broke',
      expected: expect.stringMatching(/^The lifetime of a token is 3600/),
      found: 'expires_in is the string 3600',
    },
  ],
  [
    'another code for an unknown id',
    'mtn-momo',
    (reply, path) =>
      /requesttopay\//.test(path)
        ? { ...reply, body: reply.body.replace('RESOURCE_NOT_FOUND', 'TRANSACTION_NOT_FOUND') }
        : reply,
    { outcome: 'broke', expected: expect.stringMatching(/^An id that was never used/) },
  ],
  [
    'a field that is renamed',
    'mtn-momo',
    edited(/collection\/v1_0\/account/, /availableBalance/, 'available_balance'),
    { outcome: 'broke', expected: expect.stringMatching(/^A balance is a decimal number/) },
  ],
  [
    'a page in the place of JSON',
    'mtn-momo',
    ok(/disbursement\/v1_0\/account/, () => ({ status: 200, body: PAGE, type: 'text/html' })),
    { outcome: 'broke', expected: 'a reply as the contract has it' },
  ],
  [
    'a token refused otherwise',
    'daraja',
    (reply, path) =>
      /stkpushquery/.test(path) && reply.status === 404
        ? { ...reply, status: 403, body: '{"fault":{"faultstring":"Invalid token"}}' }
        : reply,
    { outcome: 'broke' },
  ],
  [
    'a result for an unknown prompt',
    'daraja',
    (reply, path) =>
      /stkpushquery/.test(path) && reply.status === 500
        ? {
            ...reply,
            status: 200,
            body: '{"ResponseCode":"0","ResponseDescription":"ok","MerchantRequestID":"a","CheckoutRequestID":"b","ResultCode":"0","ResultDesc":"ok"}',
          }
        : reply,
    { outcome: 'broke', expected: expect.stringMatching(/^A query for a prompt that nobody sent/) },
  ],
  [
    'another code for a missing field',
    'daraja',
    (reply, path) =>
      /stkpushquery/.test(path) ? { ...reply, body: reply.body.replace('400.002.02', '400.002.05') } : reply,
    { outcome: 'broke', expected: expect.stringMatching(/^A field that is missing/) },
  ],
])('names what drifted: %s at %s', async (_what, name, drifted, expected) => {
  const { rows } = await rowsOf(name, drifted)
  expect(rows.filter(({ outcome }) => outcome === 'broke' || outcome === 'new')).toContainEqual(
    expect.objectContaining(expected),
  )
})

const LONG_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64')
