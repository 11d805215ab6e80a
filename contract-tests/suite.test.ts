import { afterAll, expect, onTestFinished, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../server/verification/testing/database.ts'
import { mobileCollection } from './driver/bodies.ts'
import type { Part, PartResult, Target } from './harness/part.ts'
import { startProxy } from './harness/proxy.ts'
import { newCustomer, visit } from './driver/browser.ts'
import { partResult } from './harness/testing/part-result.ts'
import { summaryText } from './report/print.ts'
import { junitXml } from './report/junit.ts'
import { runSuite, type SuiteOptions } from './suite.ts'

const contract = fileURLToPath(new URL('../generated/openapi.json', import.meta.url))
const opened: TestDatabase[] = []
const databases: NonNullable<SuiteOptions['databases']> = {
  create: async () => {
    const database = await createTestDatabase()
    opened.push(database)
    return database.connection
  },
  close: async () => undefined,
}
afterAll(async () => {
  for (const database of opened) await database.drop()
})

const given = {
  url: 'http://127.0.0.1:9',
  publicKey: 'pub_of_somebody',
  secretKey: 'sec_of_somebody',
  sandbox: false,
  contract,
}
const options = { seed: 5, size: 'pull-request', contract, log: () => undefined } as const
const part = (name: string, run: (target: Target) => Partial<PartResult> | Promise<Partial<PartResult>>): Part => ({
  name,
  what: 'planted',
  run: async (target) => partResult(name, { checks: 2, ...(await run(target)) }),
})
const found = (about: string, what: string) => ({ status: 'findings', findings: [{ about, what }] }) as const

test('records all traffic of a part: API, callbacks, RSA key, redirects of pages', async () => {
  const pays = part('pays', async (target) => {
    const { url, own, publicKey } = target
    const onPage = { redirect_url: 'https://shop.example/paid', mobile_money_hpp: true }
    const body = mobileCollection({ merchant_reference: 'SUITE-TEST-1', msisdn: '256772000123', ...onPage })
    const reply = await fetch(`${url}/collections/initialize`, {
      method: 'POST',
      headers: { 'public-key': publicKey, 'x-api-version': '1', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data } = (await reply.json()) as { readonly data: { readonly payment_url: string } }
    const customer = newCustomer(data.payment_url)
    const { forms } = await visit(customer)
    await visit(customer, forms[0])
    for (let step = 0; step < 3; step++) await own!.advance(2_000)
    await visit(customer)
    return {}
  })
  const { coverage, results } = await runSuite({ ...options, databases, parts: [pays], only: ['pays', 'rules'] })
  expect(results).toMatchObject([
    { part: 'pays', status: 'passed' },
    // Four of them read the wallets of both merchants, before and after the part; two open the page again.
    { part: 'rules', status: 'passed', cases: 13 },
  ])
  const seen = coverage.subjects.flatMap(({ subject, found: names }) => names.map((name) => `${subject} ${name}`))
  expect(seen).toEqual(
    expect.arrayContaining([
      'initializeCollection 202',
      'collectionCallback body<CollectionCompletedCallback>.payload.transaction_status = "COMPLETED"',
      'collectionCallback answered 2XX',
      'customerRedirect query event = "transaction.completed"',
    ]),
  )
})

test('reports what no part checks in a row of its own, with a line and no key', async () => {
  const body = Buffer.from(
    '{"code":404,"status":"error","message":"There is nothing at /for/sec_of_somebody","data":{}}',
  )
  const headers = {
    'content-type': ['application/json; charset=utf-8'],
    'cache-control': ['no-store'],
    'x-content-type-options': ['nosniff'],
    'x-request-id': ['one'],
  }
  const server = await startProxy({
    to: given.url,
    onRequest: () => ({ answer: { status: 404, headers, body } }),
  })
  onTestFinished(() => server.close())
  const pollsAway = part('looks away', async ({ url }) => {
    await fetch(`${url}/nothing`)
    return {}
  })
  const result = await runSuite({ ...options, given: { ...given, url: server.url }, parts: [pollsAway] })
  expect(result.results.map(({ part: name, status }) => `${name} ${status}`)).toEqual([
    'looks away passed',
    'rules findings',
  ])
  expect(result.findings.map(({ what }) => what)).toEqual([
    expect.stringContaining('names "/for/$SECRET_KEY", and the path is "/nothing"'),
    'a reply 404 contains the secret key (in its body)',
  ])
  expect(result.findings[0]?.curl).toMatch(/^curl .* '\S+\/nothing'$/)
})

test("reports a part that leaves the gateway's ledger out of balance", async () => {
  const spoils = part('spoils', async () => {
    const client = new pg.Client(opened.at(-1)!.connection)
    await client.connect()
    try {
      await client.query("update accounts set balance_minor = balance_minor + 1 where currency = 'UGX'")
    } finally {
      await client.end()
    }
    return {}
  })
  const { results, findings } = await runSuite({ ...options, databases, parts: [spoils], only: ['spoils'] })
  expect(results).toMatchObject([{ part: 'spoils', status: 'findings', checks: 3 }])
  expect(findings).toContainEqual({
    about: 'ledger and jobs',
    what: expect.stringMatching(
      /^after the part spoils: not so: every account's balance equals the replay of its entries/,
    ),
  })
})

test('a part that throws is a finding without keys, and the next one runs', async () => {
  const breaks = part('breaks', ({ url }) => {
    throw new Error(`no luck with sec_of_somebody at ${url}`)
  })
  const { results, findings } = await runSuite({ ...options, given, parts: [breaks, part('runs', () => ({}))] })
  expect(results.map(({ part: name, status }) => `${name} ${status}`)).toEqual(['breaks findings', 'runs passed'])
  expect(findings).toEqual([
    { about: 'breaks', what: `the part did not end: no luck with $SECRET_KEY at ${given.url}` },
  ])
})

test('runs a part of another program beside the others, and reports both in order', async () => {
  const { promise: isFrontDone, resolve: frontEnds } = Promise.withResolvers<Partial<PartResult>>()
  const slow: Part = { ...part('slow', () => isFrontDone), runsBeside: true }
  const front = part('front', async ({ url }) => {
    await fetch(`${url}/nothing`)
    frontEnds({})
    return {}
  })
  const { results } = await runSuite({ ...options, databases, parts: [slow, front], only: ['slow', 'front', 'rules'] })
  expect(results).toMatchObject([
    { part: 'slow', status: 'passed' },
    { part: 'front', status: 'passed' },
    // Of each of two gateways four readings of wallets; and the request.
    { part: 'rules', status: 'passed', cases: 9 },
  ])
})

test("reports a finding of two parts once, with the server's address and no key", async () => {
  const reportsTo = (name: string) =>
    part(name, ({ url }) => found('verify', `requested ${url}/data with sec_of_somebody at ${new URL(url).host}`))
  const result = await runSuite({ ...options, given, parts: [reportsTo('one'), reportsTo('other')] })
  expect(result.findings).toEqual([
    { about: 'verify', what: 'requested http://127.0.0.1:9/data with $SECRET_KEY at 127.0.0.1:9' },
  ])
  expect(summaryText(result, undefined)).toMatch(
    /\n1 finding, 0 warnings, \d+ exclusions\nCoverage of the contract: 0 of \d+ declared cells seen \(0 %\)\n/,
  )
  expect(junitXml(result.results)).toContain('<testsuite name="other" tests="1" failures="1" errors="0" skipped="0"')
})
