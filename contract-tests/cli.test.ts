import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '../server/verification/testing/child-env.ts'
import { forFile } from '../server/verification/testing/for-file.ts'
import { openContract } from './foreign/contract-file.ts'
import { FAULTS } from './foreign/library/faults.ts'
import { CREDENTIALS, startLibrary } from './foreign/library/library.ts'
import { listen } from './harness/listen.ts'
import { runProgram } from './harness/program.ts'
import type { SuiteResult } from './suite-result.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))
const KEYS = { 'public-key': 'pub_of_the_wrong_server', 'secret-key': 'sec_of_the_wrong_server' }
const folder = mkdtempSync(join(tmpdir(), 'malipo-contract-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Answers everything in the same wrong way, and repeats the keys. */
const server = await forFile(
  listen(
    createServer(({ headers }, response) =>
      response.writeHead(418, { 'content-type': 'application/json' }).end(JSON.stringify(headers)),
    ),
  ),
)

/** @param env the whole environment; without PATH no Python is found */
const testContract = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(process.execPath, [CLI, '--report-dir', folder, ...args], {
    env: { ...childEnv(), PUBLIC_KEY: KEYS['public-key'], SECRET_KEY: KEYS['secret-key'], PATH: '/nowhere', ...env },
  })

test('skips the part that needs Python when there is none, and says so in one line', async () => {
  const { code, out } = await testContract(['--url', server.url, '--only', 'schemathesis'])
  expect(code).toBe(0)
  expect(out.split('\n').filter((line) => line.includes('Python'))).toEqual([
    'warning: schemathesis: no Python 3.10 to 3.14 was found',
  ])
  expect(out).toMatch(/^schemathesis +skipped +0 +0 +0 /m)
})

test('fails without Python when Schemathesis is required', async () => {
  const { code } = await testContract(['--url', server.url, '--only', 'schemathesis'], { REQUIRE_SCHEMATHESIS: '1' })
  expect(code).toBe(1)
})

test('reports an unreachable server at once, in one line', async () => {
  const { code, out, err } = await testContract(['--url', 'http://127.0.0.1:9', '--only', 'declared'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(
    'http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9\nAdd --help to see the options, with an example.\n',
  )
})

test('annotates findings in GitHub Actions, writes the summary and keeps no key', async () => {
  const step = join(folder, 'step.md')
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: step, GITHUB_WORKSPACE: ROOT }
  const requested = [
    '--url',
    server.url,
    '--only',
    'declared',
    '--only-operation',
    'sendFunds',
    '--only-operation',
    'listPayoutBanks',
  ]
  const { code, out, err } = await testContract(requested, env)
  expect(code).toBe(1)
  expect(out).toMatch(/^::stop-commands::(\S+)\n[^]*\n::\1::\n/)
  expect(out).toMatch(/^::error file=generated\/openapi\.json,line=\d+,title=Contract%3A /m)
  expect(readFileSync(step, 'utf8')).toBe(readFileSync(join(folder, 'summary.md'), 'utf8'))
  const { results } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as SuiteResult
  expect(new Set(results[0]!.findings.flatMap(({ about, also = [] }) => [about, ...also]))).toEqual(
    new Set(['sendFunds', 'listPayoutBanks']),
  )
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  for (const key of Object.values(KEYS)) expect([out, err, ...kept].join('\n')).not.toContain(key)
  expect(err).toMatch(/^declared: findings after [\d.]+ s, \d+ findings?$/m)
})

describe('the contract of another API', () => {
  const file = fileURLToPath(new URL('./foreign/library/library.yaml', import.meta.url))
  const values = fileURLToPath(new URL('./foreign/library/values.json', import.meta.url))
  const secrets = { KEY_ACCESS_TOKEN: CREDENTIALS.accessToken, KEY_READER_CARD: CREDENTIALS.readerCard, ...childEnv() }

  test('tests it by its own contract, exits with 1 on findings and keeps no secret', async () => {
    const { contract } = await openContract(file)
    const library = await startLibrary(contract.document, FAULTS.find(({ name }) => name === 'allow-missing')?.plant)
    onTestFinished(() => library.close())
    const requested = ['--contract', file, '--url', library.url, '--values', values]
    const { code, out } = await testContract([...requested, '--only', 'declared', '--coverage-min', '100'], secrets)
    expect(code).toBe(1)
    expect(out).toMatch(
      /^1\. listBooks: a request with a method .* was answered 405, and its Allow header is not there/m,
    )
    expect(out).toContain(`-H 'authorization: Bearer '"$KEY_ACCESS_TOKEN"''`)
    expect(out).toMatch(/ declared cells seen \([\d.]+ %\), below the 100 % that are wanted$/m)
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    for (const secret of Object.values(CREDENTIALS)) expect([out, ...kept].join('\n')).not.toContain(secret)
  }, 60_000)

  test('refuses an unreachable server in one line', async () => {
    const { code, err } = await testContract(['--contract', file, '--url', 'http://127.0.0.1:9'], secrets)
    expect(code).toBe(2)
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:9 cannot be reached: connect ECONNREFUSED/)
  }, 60_000)
})
