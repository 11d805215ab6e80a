import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { sampledByDefault, testNightly } from '../../../server/verification/testing/nightly.ts'
import type { Finding, OwnGateway, Target } from '../../harness/part.ts'
import { startProxy } from '../../harness/proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { startMerchantServer, type MerchantServer } from './merchant-server.ts'
import { modelPart } from './model.ts'
import { checkModel } from './run.ts'

const receiverPort = await freePort()
const { gateway, connection } = await ownGatewayTest({ receiverPort })
const merchant = (await startMerchantServer(receiverPort))!
await forFile(Promise.resolve(merchant))

const silent = { size: 'pull-request', log: () => undefined } as const

// suite.pull-request.test.ts shows that the gateway keeps every rule of the model.

test('the same seed sends the same requests', async () => {
  const [first, second] = [await requestsOf(7), await requestsOf(7)]
  expect(second).toEqual(first)
  expect(first.length).toBeGreaterThan(10)
  expect(await requestsOf(8)).not.toEqual(first)
})

/** The POST requests, sorted by content and without references: concurrent requests arrive in any order. */
async function requestsOf(seed: number): Promise<readonly string[]> {
  const requests: string[] = []
  const proxy = await startProxy({
    to: gateway.url,
    onExchange: ({ request: { method, path, body } }) => {
      if (method === 'POST' && !path.startsWith('/pay/') && !body.includes('Takes a name'))
        requests.push(
          `${path} ${body
            .toString('utf8')
            .replaceAll(/MLP[0-9A-Z]{22}/g, 'MLP…')
            .replaceAll(/M[0-9A-Z]\.\d+-(\w+)-\d+/g, 'M…-$1')}`,
        )
    },
  })
  try {
    await checkModel({ ...gateway, url: proxy.url }, merchant, {
      seed,
      runs: 1,
      commandsMax: 25,
      shorterMax: 0,
      findingsMax: 1,
      log: () => undefined,
    })
  } finally {
    await proxy.close()
  }
  return requests.toSorted()
}

test('runs what a bare URL allows and names the skipped checks', async () => {
  const foreignDatabase = await createTestDatabase()
  const foreign = await startTestGateway({
    connection: foreignDatabase.connection,
    surroundings: { runJobs: true },
    env: { MALIPO_SANDBOX_DELAY_MS: '20' },
  })
  onTestFinished(async () => {
    await foreign.stop()
    await foreignDatabase.drop()
  })
  const { publicKey, secretKey, contract } = gateway
  const result = await modelPart.run(
    { url: foreign.url, publicKey, secretKey, contract, sandbox: true },
    { ...silent, seed: 2 },
  )
  expect(result).toMatchObject({
    status: 'passed',
    findings: [],
    reason:
      'skipped: the clock, restarts, the audit, payment pages and large amounts (not our gateway); callbacks and handshakes (no receiver)',
  })
  expect(result.cases).toBeGreaterThan(10)
})

test("is skipped without the sandbox's test numbers", async () => {
  expect(await modelPart.run({ ...gateway, sandbox: false }, { ...silent, seed: 1 })).toMatchObject({
    status: 'skipped',
    cases: 0,
  })
})

test('a server that does not answer is a finding, not a crash', async () => {
  const result = await modelPart.run(
    {
      url: `http://127.0.0.1:${await freePort()}`,
      publicKey: 'pub_x',
      secretKey: 'sec_x',
      contract: gateway.contract,
      sandbox: true,
    },
    { ...silent, seed: 1 },
  )
  expect(result).toMatchObject({ status: 'findings', findings: [{ about: 'the server answers' }] })
})

// The model against a gateway with one planted fault: how wrong can a server be without being noticed?

const SEED = 9
const RUNS_MAX = 100
/** The first finding. */
async function firstFinding(
  target: Target,
  received: MerchantServer | undefined,
  seed = SEED,
): Promise<Finding | undefined> {
  const { findings } = await checkModel(target, received, {
    seed,
    runs: RUNS_MAX,
    commandsMax: 25,
    shorterMax: 4,
    findingsMax: 1,
    log: () => undefined,
  })
  return findings[0]
}

interface PlantedFault {
  /** Name in the catalogue; only its changes of replies are planted here. */
  readonly fault: string
  /** The rule that must be broken. */
  readonly breaks: string
  /** A seed that finds it soon; others find it later. */
  readonly seed?: number
  /** Callbacks would reveal it: the model must find it without them. */
  readonly withoutCallbacks?: true
}

const PLANTED: readonly PlantedFault[] = [
  { fault: 'reference-taken-twice', breaks: 'a reference is accepted once' },
  { fault: 'otp-taken-twice', breaks: 'a one-time password counts once, and has five tries' },
  { fault: 'daily-limit-ignored', breaks: 'the daily limit of an account holds', withoutCallbacks: true, seed: 3 },
  { fault: 'replay-of-another-body', breaks: 'an Idempotency-Key is for one request', seed: 100 },
  { fault: 'secret-key-not-checked', breaks: 'a wrong key is answered 401', seed: 13 },
  { fault: 'cancel-ignored', breaks: 'what ended stays ended', seed: 1 },
]

test.each(sampledByDefault('planted faults', PLANTED, 12))(
  'finds $fault',
  async ({ fault, breaks, withoutCallbacks, seed }) => {
    const { api = {} } = faultNamed(fault).plant(worldAround(() => gateway.url, receiverPort))
    const proxy = await startProxy({ to: gateway.url, ...api })
    onTestFinished(() => proxy.close())
    const finding = await firstFinding({ ...gateway, url: proxy.url }, withoutCallbacks ? undefined : merchant, seed)
    expect(finding?.about).toBe(breaks)
    expect(finding?.what).toMatch(/Seen after: 1\. .+ \(seed \d+, path [\d:]+\)$/s)
  },
)

const tampering = await forFile(new pg.Client(connection).connect())
/** The gateway, with changes made directly in its database. */
const tampered = (changes: (own: OwnGateway) => Partial<OwnGateway>): Target => ({
  ...gateway,
  own: { ...gateway.own, ...changes(gateway.own) },
})

testNightly('finds a restart that loses waiting jobs', async () => {
  const forgetful = tampered((own) => ({
    restart: async () => {
      await tampering.query(`delete from jobs where kind in ('submitToRail', 'verifyPayout')`)
      await own.restart()
    },
  }))
  const finding = await firstFinding(forgetful, merchant, 56)
  expect(finding?.about).toBe('every accepted request ends')
  expect(finding?.what).toContain('the server restarts')
})

test('finds a house account whose balance is not the sum of its entries', async () => {
  const change = (by: number) =>
    tampering.query(
      `update accounts set balance_minor = balance_minor + $1 where kind = 'rail' and provider_code = 'mtn_ug'`,
      [by],
    )
  let changed = 0
  const finding = await firstFinding(
    tampered((own) => ({
      advance: async (ms) => {
        await own.advance(ms)
        changed += 1
        await change(1)
      },
    })),
    merchant,
  )
  await change(-changed)
  expect(finding?.about).toBe('the ledger balances')
})

testNightly.each([
  ['a callback is delivered twice', (reported: readonly unknown[]) => reported.length > 0],
  ['a callback never comes', () => false],
])('is found: %s', async (_fault, twice) => {
  const wrong: MerchantServer = {
    ...merchant,
    callbacksOf: (reference) =>
      twice(merchant.callbacksOf(reference))
        ? [...merchant.callbacksOf(reference), ...merchant.callbacksOf(reference)]
        : [],
  }
  expect((await firstFinding(gateway, wrong))?.about).toBe('every final state is reported once')
})

testNightly('finds a payout without a handshake', async () => {
  expect((await firstFinding(gateway, { ...merchant, handshakesOf: () => 0 }))?.about).toBe(
    "no payout without the merchant's word",
  )
})
