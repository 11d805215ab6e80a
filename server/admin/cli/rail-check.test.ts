import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { railEnv } from '../../../openapi/operators/simulator/rail-command.ts'
import { startScriptedOperator } from '../../rails/testing/scripted-operator.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { present } from '../../domain/present.ts'
import { json, malipo, type Environment } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

// Operators over HTTP; each has its own credentials.
const database = await forFile(createTestDatabase())
const SHELL: Environment = environmentOf(database)
const { written } = temporaryFolder()

const startOperator = (name: string, options = {}): Promise<Simulator> =>
  forFile(startSimulator(present(SIMULATORS[name], name)(options), { port: 0, auto: true }))
const mtn = await startOperator('mtn-momo', { currency: 'UGX' })
const daraja = await startOperator('daraja')

const secrets = (simulator: Simulator): string[] =>
  Object.entries(simulator.open.railSettings).flatMap(([name, value]) =>
    /key|secret|password/.test(name) && !/user|name/.test(name) ? [value] : [],
  )

async function addRail(name: string, kind: string, currency: string, simulator: Simulator): Promise<void> {
  const file = written(`${name}.env`, railEnv(simulator.open))
  const at = ['--currency', currency, '--base-url', simulator.url, '--from', file]
  await json(['rail', 'add', name, kind, ...at], SHELL)
}
await addRail('mtn-uganda', 'mtn-momo', 'UGX', mtn)
await addRail('kenya', 'daraja', 'KES', daraja)

interface RailCheckOutput {
  readonly ok: boolean
  readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly detail: string }[]
  readonly callback_url?: string
  readonly drift?: readonly object[]
  readonly facts?: { readonly all: number; readonly old: number }
}

test('tries credentials, balance and an account, and shows the callback address', async () => {
  const args = ['rail', 'check', 'mtn-uganda', '--account', '256772000123']
  const { ok, checks, callback_url } = await json<RailCheckOutput>(args, { ...SHELL, PORT: '8123' })
  expect([ok, checks.map(({ what }) => what)]).toEqual([
    true,
    ['collections', 'disbursements'].flatMap((product) => [
      `token for ${product}`,
      `balance of ${product}`,
      `account *********123 by ${product}`,
    ]),
  ])
  expect(callback_url).toBe('http://127.0.0.1:8123/operators/mtn-uganda/…/…')
})

test('accepts an account number as people write it', async () => {
  const whats = async (account: string): Promise<string[]> =>
    (await json<RailCheckOutput>(['rail', 'check', 'mtn-uganda', '--account', account], SHELL)).checks.map(
      ({ what }) => what,
    )
  const known = await whats('256772000123')
  expect(await whats('+256 772-000-123')).toEqual(known)
  const provider = ['provider', 'set', 'mtn_ug', '--rail', 'mtn-uganda', '--reason', 'It is tried']
  await json(provider, SHELL)
  expect(await whats('0772 000 123')).toEqual(known)
})

test.each([
  [{ PORT: '8123' }, /It reports at http:\/\/127\.0\.0\.1:8123\/operators\/mtn-uganda\/…\/…\nThat is where a server/],
  [{ PUBLIC_BASE_URL: 'https://pay.example' }, /It reports at https:\/\/pay\.example\/operators\/mtn-uganda\/…\/…\n$/],
  [{ PORT: '0' }, /Where it reports is not known here: set PUBLIC_BASE_URL/],
])('%j: the callback address is shown accordingly', async (env, said) => {
  const { code, out } = await malipo(['rail', 'check', 'mtn-uganda'], { ...SHELL, ...env })
  expect([code, out]).toEqual([0, expect.stringMatching(said)])
})

test('counts the facts that nobody has observed for six months', async () => {
  const { facts } = await json<RailCheckOutput>(['rail', 'check', 'kenya'], { ...SHELL, PORT: '8123' })
  expect(facts).toEqual({ all: expect.any(Number), old: expect.any(Number), oldest: '2025-12-28' })
  const { out } = await malipo(['rail', 'check', 'kenya'], { ...SHELL, PORT: '8123' })
  expect(out.includes(`${facts?.old} of the ${facts?.all} facts about Safaricom Daraja`)).toBe(facts?.old !== 0)
})

test('without an address M-PESA reports nothing, so an unknown address is a fault', async () => {
  const { checks } = await json<RailCheckOutput>(['rail', 'check', 'kenya'], { ...SHELL, PORT: '8123' })
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
  const { code, out } = await malipo(['rail', 'check', 'kenya'], { ...SHELL, PORT: '0' })
  expect([code, out]).toEqual([1, expect.stringMatching(/^FAILED {2}callbacks: this gateway has no public address/m)])
})

test("reports a fault in the operator's words, with exit 1 and no secret", async () => {
  const file = written('wrong.env', 'collection_api_key=WRONG-API-KEY\n')
  await json(['rail', 'set', 'mtn-uganda', '--from', file], SHELL)
  const { code, out, err } = await malipo(['rail', 'check', 'mtn-uganda'], SHELL)
  expect(code).toBe(1)
  expect(out).toMatch(/^FAILED {2}token for collections: HTTP (401|500)/m)
  expect(out).toMatch(/^ok {6}token for disbursements/m)
  for (const secret of ['WRONG-API-KEY', ...secrets(mtn)]) expect(out + err).not.toContain(secret)
})

test('lists exchanges by rail account and time, with secrets and numbers masked', async () => {
  await malipo(['rail', 'check', 'mtn-uganda', '--account', '256772000123'], SHELL)
  const said = await json<readonly { rail_account: string; purpose: string }[]>(
    ['rail', 'log', '--rail-account', 'mtn-uganda', '--limit', '50'],
    SHELL,
  )
  expect(new Set(said.map(({ rail_account, purpose }) => `${rail_account} ${purpose}`))).toEqual(
    new Set(['mtn-uganda check']),
  )
  const { out } = await malipo(['rail', 'log', '--since', '1h', '--limit', '50'], SHELL)
  expect(out).toMatch(/ mtn-uganda {2}check {2}POST \/collection\/token\/ {2}\d{3} {2}\d+ ms\n {2}sent /)
  expect(out).toContain('/accountholder/msisdn/*********123/active')
  expect(secrets(mtn).length + secrets(daraja).length).toBeGreaterThan(5)
  for (const secret of ['256772000123', 'WRONG-API-KEY', ...secrets(mtn), ...secrets(daraja)])
    expect(JSON.stringify(said) + out).not.toContain(secret)
  const silent = await malipo(['rail', 'log', '--since', '2999-01-01T00:00:00Z'], SHELL)
  expect([silent.code, silent.out, silent.err]).toEqual([0, '', expect.stringContaining('No exchange is recorded.')])
})

test('missing credentials are reported, and are no fault', async () => {
  await addRail('mtn-collects', 'mtn-momo', 'UGX', mtn)
  const settings = ['subscription_key', 'api_user', 'api_key'].map((name) => `disbursement_${name}=`)
  const file = written('collects.env', settings.join('\n'))
  await json(['rail', 'set', 'mtn-collects', '--from', file], SHELL)
  const { ok, checks } = await json<RailCheckOutput>(['rail', 'check', 'mtn-collects'], SHELL)
  expect([ok, checks.at(-1)]).toEqual([
    true,
    {
      what: 'not set up',
      ok: true,
      detail: 'no payouts, without disbursement_subscription_key, disbursement_api_user, disbursement_api_key',
    },
  ])
})

test("shows the operator's balance beside the ledger's, and what neither explains", async () => {
  await addRail('mtn-balanced', 'mtn-momo', 'UGX', mtn)
  const compare = () => json<{ operator: number; opening: number }>(['rail', 'balance', 'mtn-balanced'], SHELL)
  const first = await compare()
  expect(first).toMatchObject({
    accounts: [{ account: 'collections' }, { account: 'disbursements' }],
    opening: first.operator,
    ledger: 0,
    difference: 0,
  })
  await asTheFirstPollOfAServer('mtn-balanced', first.operator)
  const booked = ['rail', 'book', 'mtn-balanced', 'in', '700', '--reference', 'TOP-UP', '--reason', 'of the bank']
  await json(booked, SHELL)
  expect(await compare()).toMatchObject({ ...first, ledger: 700, difference: -700, unexplained: -700 })
  const { out } = await malipo(['rail', 'balance', 'mtn-balanced'], SHELL)
  expect(out).toMatch(/^in our ledger +700 UGX\ndifference +-700 UGX\non the way +0 UGX in, 0 UGX out\n/m)
})

async function asTheFirstPollOfAServer(railAccount: string, opening: number): Promise<void> {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(
    `insert into rail_balances (rail_account, currency, asked_at, opening_minor) values ($1, 'UGX', now(), $2)`,
    [railAccount, opening],
  )
  await client.end()
}

test('reports that M-PESA has no balance; a missing one is a fault in its words', async () => {
  const { code, out, err } = await malipo(['rail', 'balance', 'kenya'], SHELL)
  expect([code, out, err]).toEqual([
    0,
    expect.stringMatching(/^in our ledger +0 KES$/m),
    'Safaricom Daraja (M-PESA Kenya) reports no balance in KES: there is nothing to compare.\n',
  ])
})

test('shows where replies differ from the contract, without failing', async () => {
  const odd = await forFile(startScriptedOperator())
  for (const product of ['collection', 'disbursement']) {
    odd.on(`POST /${product}/token/`, { status: 200, body: { access_token: 'secret-token', expires_in: '3600' } })
    odd.on(`GET /${product}/v1_0/account/balance`, { status: 200, body: { availableBalance: 1000, currency: 'UGX' } })
  }
  await addRail('mtn-odd', 'mtn-momo', 'UGX', mtn)
  await json(['rail', 'set', 'mtn-odd', '--base-url', odd.url], SHELL)
  const { out, code } = await malipo(['rail', 'check', 'mtn-odd'], SHELL)
  expect([code, out]).toEqual([0, expect.stringContaining('ok      balance of collections: 1000 UGX')])
  expect(out).toContain('\nWhat MTN MoMo sends differs from its contract here, and is read all the same:\n')
  expect(out).toMatch(/^ {2}createCollectionToken: expires_in is a text in the place of an integer, once, at 2/m)
  expect(out).toMatch(/^ {2}getCollectionBalance: availableBalance is a number in the place of a text, once, at 2/m)
  expect(out).toMatch(/^ {2}createCollectionToken: token_type is missing, once, at 2/m)
  const { ok, drift } = await json<RailCheckOutput>(['rail', 'check', 'mtn-odd'], SHELL)
  expect([ok, drift?.length]).toEqual([true, 6])
  expect(drift).toContainEqual({
    source: 'getDisbursementBalance',
    field: 'availableBalance',
    shape: 'a number in the place of a text',
    count: 2,
    first_seen_at: expect.any(String) as string,
    last_seen_at: expect.any(String) as string,
  })
  expect(await malipo(['rail', 'check', 'mtn-odd'], SHELL)).toMatchObject({
    out: expect.stringMatching(/token_type is missing, 3 times since \d{4}-/) as string,
  })
})

test('an unreachable operator is a fault, not a crash', async () => {
  await addRail('mtn-gone', 'mtn-momo', 'UGX', mtn)
  await json(['rail', 'set', 'mtn-gone', '--base-url', 'http://127.0.0.1:1024'], SHELL)
  const { code, out } = await malipo(['rail', 'check', 'mtn-gone'], SHELL)
  expect([code, out]).toEqual([1, expect.stringMatching(/^FAILED {2}token for collections: /)])
  expect((await malipo(['rail', 'check', 'nobody'], SHELL)).code).toBe(3)
  const balance = await malipo(['rail', 'balance', 'mtn-gone'], SHELL)
  expect([balance.code, balance.out, balance.err]).toEqual([
    1,
    '',
    expect.stringMatching(
      /^malipo: mtn-gone reported no balance: .+\nCheck its credentials: npx --no -- malipo rail check mtn-gone\n$/,
    ),
  ])
})

test('a probe compares answers with facts, and writes a masked transcript', async () => {
  await addRail('kenya-probed', 'daraja', 'KES', daraja)
  const file = written('transcript.txt', '')
  await rm(file)
  const args = ['rail', 'probe', 'kenya-probed', '--transcript', file]
  const { held, broke, calls, transcript } = await json<Readonly<Record<string, unknown>>>(args, SHELL)
  expect([held, broke, calls, transcript]).toEqual([10, 0, 5, file])
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('held: a token: A token lives 3599 seconds; the lifetime comes as a text or a number.\n')
  expect(text).toContain('\n> POST /mpesa/stkpushquery/v1/query\n')
  for (const secret of secrets(daraja)) expect(text).not.toContain(secret)
  const again = await malipo(args, SHELL)
  expect([again.code, again.err]).toEqual([
    2,
    `malipo: ${file} is there already: name another file for the transcript. Nothing was asked.\n`,
  ])
})

test('a transcript that would hold a secret is not written', async () => {
  const odd = await forFile(startScriptedOperator())
  await addRail('kenya-odd', 'daraja', 'KES', daraja)
  await json(['rail', 'set', 'kenya-odd', '--base-url', odd.url], SHELL)
  const [secret = ''] = secrets(daraja)
  odd.on('GET /oauth/v1/generate', { status: 200, body: { hint: Buffer.from(secret).toString('base64') } })
  const file = written('odd.txt', '')
  await rm(file)
  const { code, out, err } = await malipo(['rail', 'probe', 'kenya-odd', '--transcript', file], SHELL)
  expect([code, out, existsSync(file)]).toEqual([1, '', false])
  expect(err).toMatch(/^malipo: the transcript would hold a secret of the settings or the account number/)
})
