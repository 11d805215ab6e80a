import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { childEnv } from '../server/verification/testing/child-env.ts'
import { forFile } from '../server/verification/testing/for-file.ts'
import { openContract } from './foreign/contract-file.ts'
import { FAULTS } from './foreign/library/faults.ts'
import { CREDENTIALS, startLibrary } from './foreign/library/library.ts'
import { listen } from './harness/listen.ts'
import { runProgram } from './harness/program.ts'
import type { SuiteResult } from './suite-result.ts'
import { temporaryFolder } from '../server/verification/testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))
const KEYS = { 'public-key': 'pub_of_the_wrong_server', 'secret-key': 'sec_of_the_wrong_server' }
const { path: folder } = temporaryFolder()
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

const keptTexts = (): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(folder, entry.name), 'utf8')] : [],
  )

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

const LIBRARY = fileURLToPath(new URL('./foreign/library/library.yaml', import.meta.url))
const SECRETS = { KEY_ACCESS_TOKEN: CREDENTIALS.accessToken, KEY_READER_CARD: CREDENTIALS.readerCard }
test.each([
  ['of our contract', []],
  ['of another one', ['--contract', LIBRARY]],
])('reports an unreachable server %s at once, in one line', async (_whose, options) => {
  const { code, out, err } = await testContract(
    ['--url', 'http://127.0.0.1:9', '--only', 'declared', ...options],
    SECRETS,
  )
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(
    'http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9\nAdd --help to see the options, with an example.\n',
  )
})

test.each([
  ['pub_known', 'the keys (401): --public-key and --secret-key'],
  [KEYS['public-key'], 'the keys of the second account (401): --other-public-key and --other-secret-key'],
])('tests nothing when the server knows only %s', async (known, which) => {
  const strict = await listen(
    createServer(({ headers }, response) => response.writeHead(headers['public-key'] === known ? 200 : 401).end()),
  )
  onTestFinished(() => strict.close())
  const other = { OTHER_PUBLIC_KEY: 'pub_of_another', OTHER_SECRET_KEY: 'sec_of_another' }
  const { code, out, err } = await testContract(['--url', strict.url, '--only', 'declared'], other)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(`${strict.url} refuses ${which}\n`)
})

test('annotates findings in GitHub Actions, writes the summary and keeps no key', async () => {
  const [step, outputs] = [join(folder, 'step.md'), join(folder, 'outputs')]
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: step, GITHUB_OUTPUT: outputs, GITHUB_WORKSPACE: ROOT }
  const operations = ['sendFunds', 'listPayoutBanks'].flatMap((id) => ['--only-operation', id])
  const requested = ['--url', server.url, '--only', 'declared', ...operations]
  const { code, out, err } = await testContract(requested, env)
  expect(code).toBe(1)
  expect(out).toMatch(/^::stop-commands::(\S+)\n[^]*\n::\1::\n/)
  expect(out).toMatch(/^::error file=generated\/openapi\.json,line=\d+,title=Contract%3A /m)
  expect(readFileSync(step, 'utf8')).toBe(readFileSync(join(folder, 'summary.md'), 'utf8'))
  const { results, findings } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as SuiteResult
  expect(readFileSync(outputs, 'utf8')).toBe(`findings=${findings.length}\nreport-dir=${folder}\n`)
  expect(new Set(results[0]!.findings.flatMap(({ about, also = [] }) => [about, ...also]))).toEqual(
    new Set(['sendFunds', 'listPayoutBanks']),
  )
  const kept = keptTexts()
  for (const key of Object.values(KEYS)) expect([out, err, ...kept].join('\n')).not.toContain(key)
  expect(err).toMatch(/^declared: findings after [\d.]+ s, \d+ findings?: \w+: .{20,}$/m)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'writes the reports and exits with 130 at %s',
  async (signal) => {
    let requests = 0
    const silent = await listen(
      createServer((_request, response) => {
        requests += 1
        // The first request only asks whether somebody listens.
        if (requests === 1) response.end()
      }),
    )
    onTestFinished(() => silent.close())
    const reports = mkdtempSync(join(folder, 'interrupted-'))
    const child = spawn(
      process.execPath,
      [CLI, '--report-dir', reports, '--url', silent.url, '--only', 'declared', '--only', 'wire'],
      {
        env: { ...childEnv(), PATH: '/nowhere' },
      },
    )
    const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve))
    await vi.waitFor(() => expect(requests).toBeGreaterThan(1), { timeout: 60_000 })
    child.kill(signal)
    expect(await ended).toBe(130)
    const { results } = JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8')) as SuiteResult
    expect(results.map(({ part, status, reason }) => [part, status, reason])).toEqual([
      ['declared', 'skipped', 'the run was interrupted before this part ended'],
      ['wire', 'skipped', 'the run was interrupted before this part began'],
    ])
  },
  120_000,
)

describe('the contract of another API', () => {
  const file = LIBRARY
  const values = fileURLToPath(new URL('./foreign/library/values.json', import.meta.url))
  const secrets = { ...SECRETS, ...childEnv() }

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
    const kept = keptTexts()
    for (const secret of Object.values(CREDENTIALS)) expect([out, ...kept].join('\n')).not.toContain(secret)
  }, 60_000)

  test('with --since tests what differs from a commit, and says what', async () => {
    const repository = join(folder, 'repository')
    mkdirSync(repository)
    const own = join(repository, 'library.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(own, text)
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' })
    git('init', '--quiet')
    git('add', '.')
    git('-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '-m', 'Add the contract')
    const env = { ...secrets, PATH: process.env.PATH ?? '' }
    const requested = ['--contract', own, '--values', values, '--since', 'HEAD', '--fail-on', 'warnings']
    const unchanged = await testContract([...requested, '--url', 'http://127.0.0.1:9'], env)
    const nothing = '--since HEAD: no operation of the contract differs, so nothing is tested'
    expect(unchanged).toMatchObject({ code: 0, err: `${nothing}\n`, out: expect.stringContaining(`\n${nothing}\n`) })
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('<testsuites>\n</testsuites>')
    writeFileSync(own, text.replace('maximum: 50', 'maximum: 49'))
    const { contract } = await openContract(own)
    const library = await startLibrary(contract.document, FAULTS.find(({ name }) => name === 'allow-missing')?.plant)
    onTestFinished(() => library.close())
    const { code, err, out } = await testContract([...requested, '--url', library.url, '--only', 'declared'], env)
    expect(code).toBe(1)
    expect(err).toMatch(/^--since HEAD: 1 of \d+ operations differs: listBooks\n/)
    expect(out).toMatch(/^--since HEAD: 1 of \d+ operations differs: listBooks$/m)
    const { findings, scope } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as SuiteResult
    expect(scope).toContain('listBooks')
    expect(findings.flatMap(({ about, also = [] }) => [about, ...also])).toEqual(['listBooks'])
    const ignored = await testContract(
      [...requested.slice(0, -1), 'nothing', '--url', library.url, '--only', 'declared'],
      env,
    )
    expect(ignored).toMatchObject({ code: 0, out: expect.stringMatching(/^1\. listBooks: /m) })
  }, 60_000)
})
