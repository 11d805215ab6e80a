import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, type Role } from '../../config.ts'
import { asRoot } from './run-server.ts'
import type { RailAccountState } from '../../start/rail-account-states.ts'
import { banner, collectionLine, startedRecord, type ServerSummary } from './banner.ts'
import { MASTER_KEY } from '../../verification/testing/gateway.ts'

const METRICS = 'http://127.0.0.1:9464/metrics'

test("root's banner names the user of embedded PostgreSQL, not with DATABASE_URL", () => {
  expect(asRoot({ databaseUrl: undefined })).toMatch(
    /a service user of its own is better; the embedded PostgreSQL, which refuses root, runs as nobody or in a user namespace$/,
  )
  expect(asRoot({ databaseUrl: 'postgres://somewhere/malipo' })).toMatch(/a service user of its own is better$/)
})

test.each(['linux', 'win32'] as const)('the line for %s sends the same collection', async (platform) => {
  const received: unknown[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push({ ...request.headers, path: request.url, body })
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const line = collectionLine(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, platform)
  // In double quotes these mean something to cmd.exe or PowerShell.
  if (platform === 'win32') expect(line.split('"')[1]).not.toMatch(/[$`%!]/)
  await promisify(execFile)('sh', ['-c', line])
  expect(received).toMatchObject([
    {
      path: '/collections/initialize',
      'x-api-version': '1',
      'public-key': 'pub_sandbox_demo',
      'content-type': 'application/json',
      body: { merchant_reference: 'auto', amount: 5000, description: 'My first collection' },
    },
  ])
})

const LIVE = { MALIPO_MODE: 'live', MALIPO_MASTER_KEY: MASTER_KEY }
const NO_RAILS = { providersWithRail: [], providersWithoutRail: [] }
const started = (role: Role, env: Readonly<Record<string, string>>, metricsUrl?: string): ServerSummary => ({
  url: 'http://127.0.0.1:8080',
  role,
  config: readConfig(env),
  metricsUrl,
  rails: NO_RAILS,
  railAccounts: [],
})

test.each<[Role, Record<string, string>]>([
  ['all', {}],
  ['api', {}],
  ['worker', {}],
  ['all', LIVE],
  ['worker', LIVE],
])('role %s, %j: the banner has the metrics address only when they are on', (role, env) => {
  expect(banner(started(role, env, METRICS))).toContain(METRICS)
  expect(startedRecord(started(role, env, METRICS))).toMatchObject({ metrics_url: METRICS })
  expect(banner(started(role, env))).not.toMatch(/metrics|undefined/i)
  expect(startedRecord(started(role, env))).not.toHaveProperty('metrics_url')
})

test("a worker's banner names the address of its health", () => {
  expect(banner(started('worker', LIVE, METRICS))).toBe(
    `Malipo works (live): callbacks and rails, no API. Metrics at ${METRICS}, health at http://127.0.0.1:9464/health/ready.\nNo rail is configured: every payment is refused. See "Going live" in the docs.`,
  )
})

test.each(['all', 'api', 'worker'] as const)(
  'live mode names providers without a rail (role %s); the sandbox has all',
  (role) => {
    const reported = (
      providersWithRail: readonly string[],
      providersWithoutRail: readonly string[],
      env: Readonly<Record<string, string>> = LIVE,
    ) => ({ ...started(role, env), rails: { providersWithRail, providersWithoutRail } })
    expect(banner(reported([], ['airtel_ug', 'mtn_ug']))).toMatch(
      /\nNo rail is configured: every payment is refused, for airtel_ug, mtn_ug\./,
    )
    expect(banner(reported(['mtn_ug'], ['airtel_ug']))).toMatch(
      /\nNo rail is configured for airtel_ug: their payments are refused\./,
    )
    expect(banner(reported(['mtn_ug'], []))).not.toMatch(/rail is/)
    expect(banner(reported(['mtn_ug'], [], {}))).not.toMatch(/rail is/)
    expect(startedRecord(reported(['mtn_ug'], ['airtel_ug']))).toMatchObject({
      providers_with_rail: ['mtn_ug'],
      providers_without_rail: ['airtel_ug'],
    })
    expect(startedRecord(reported(['mtn_ug'], [], {}))).not.toHaveProperty('providers_without_rail')
  },
)

const CONNECTED: RailAccountState = {
  name: 'mtn-uganda',
  operator: 'MTN MoMo',
  country: 'Uganda',
  currency: 'UGX',
  environment: 'production',
  directions: ['COLLECTION', 'PAYOUT'],
  lacks: [],
  providers: ['mtn_ug'],
  circuit: 'closed',
  isPrivate: false,
}
const NAMELESS: RailAccountState = {
  name: 'kenya',
  operator: 'daraja',
  currency: 'KES',
  environment: 'production',
  directions: [],
  lacks: [],
  providers: [],
  circuit: 'closed',
  fault: 'the ca_file cannot be read',
  isPrivate: false,
}
const DOWN = { ...CONNECTED, name: 'mtn-lusaka', circuit: 'open' as const, isPrivate: true }

test.each(['all', 'api', 'worker'] as const)(
  'role %s: the banner lists each operator connection with its state',
  (role) => {
    const reported = { ...started(role, LIVE), railAccounts: [CONNECTED, NAMELESS, DOWN] }
    const table = banner(reported)
      .split('\n')
      .filter((line) => line.startsWith('  '))
    expect(table).toEqual([
      '  RAIL ACCOUNT  OPERATOR  COUNTRY  CURRENCY  ENVIRONMENT             TAKES                 PROVIDERS  STATE',
      '  mtn-uganda    MTN MoMo  Uganda   UGX       production: real money  collections, payouts  mtn_ug     ready',
      '  kenya         daraja    -        KES       production: real money  -                     none yet   cannot be connected: the ca_file cannot be read',
      '  mtn-lusaka    MTN MoMo  Uganda   UGX       production: real money  collections, payouts  mtn_ug     its operator does not answer: orders wait (private addresses allowed)',
    ])
    expect(startedRecord(reported)).toMatchObject({
      rail_accounts: [
        { name: 'mtn-uganda', connectable: true, fault: null, transaction_types: ['COLLECTION', 'PAYOUT'] },
        { name: 'kenya', connectable: false, fault: 'the ca_file cannot be read', country: null },
        { name: 'mtn-lusaka', circuit: 'open', private_network: true },
      ],
    })
  },
)

test('the banner names what its providers offer without credentials', () => {
  const lacks = [{ type: 'PAYOUT', missing: ['initiator_name', 'certificate'] }] as const
  const reported = {
    ...started('all', LIVE),
    railAccounts: [{ ...CONNECTED, directions: ['COLLECTION'] as const, lacks }],
  }
  expect(banner(reported)).toMatch(/ collections +mtn_ug +ready; no payouts, without initiator_name, certificate\n/)
  expect(startedRecord(reported)).toMatchObject({
    rail_accounts: [{ lacks: [{ transaction_type: 'PAYOUT', settings: ['initiator_name', 'certificate'] }] }],
  })
})

test('the banner shows an outage that another process found, with its time', () => {
  const railAccounts = [{ ...CONNECTED, downSince: new Date('2026-11-22T14:03:07.5Z') }]
  expect(banner({ ...started('all', LIVE), railAccounts })).toMatch(
    / its operator has not answered since 2026-11-22 14:03:07Z: orders wait\n/,
  )
})
