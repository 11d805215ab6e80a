import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import {
  CHECKS,
  canonical,
  keys,
  keyVariable,
  runSchemathesis,
  summary,
  type Profile,
  type Result,
  type RunOptions,
} from './index.ts'
import { installed, needSchemathesis } from './testing/installed.ts'
import { startThings, THINGS_CONTRACT, type Fault } from './testing/things-server.ts'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'

const KEY = 'throwaway+key/of these=tests'
const folder = temporaryFolder()
needSchemathesis()

const foundIn = ({ failures }: Result): string[] => failures.map(({ operation, check }) => `${operation} ${check}`)

/** A small run against the server with this fault. */
async function runOn(
  fault: Fault,
  options: Partial<RunOptions> & { readonly given?: Omit<Profile, 'name'> } = {},
): Promise<{ result: Result; received: readonly string[] }> {
  const server = await startThings({ key: KEY, fault })
  try {
    const { given, ...rest } = options
    const result = await runSchemathesis({
      contract: THINGS_CONTRACT,
      server: { baseUrl: server.baseUrl },
      keys: { apiKey: KEY },
      profile: canonical(given),
      maxExamples: 10,
      timeoutMs: 60_000,
      ...rest,
    })
    return { result, received: server.received }
  } finally {
    await server.stop()
  }
}

test('passes a correct server: all checks and operations, no finding, no warning', async () => {
  const freshValues = [{ in: 'body', name: 'name', pattern: '(?P<fresh>[a-z]{3})[a-z]{0,2}' }] as const
  const { result, received } = await runOn('none', { given: { freshValues } })
  expect(result).toMatchObject({
    status: 'passed',
    failures: [],
    warnings: [],
    exclusions: { phases: [], checks: [], operations: 0, failures: 0 },
    businessRefusals: 0,
    seed: 1,
  })
  expect(Object.keys(result.checks).toSorted()).toEqual([...CHECKS].toSorted())
  expect(Object.keys(result.perOperation).toSorted()).toEqual(['GET /things', 'POST /things'])
  expect(Object.values(result.perOperation).reduce((sum, { cases }) => sum + cases, 0)).toBe(result.cases)
  expect(summary(result)).toMatch(
    /^Schemathesis \S+ canonical: passed, seed 1, \d+ cases of 2 operations in [\d.]+ s\n {2}14 checks ran \d+ times; 0 findings, 0 warnings, 0 exclusions$/,
  )
  // A value that is accepted once is new in every valid request, of the same length.
  const names = received.flatMap((request) => /\\"name\\": \\"(\d{3}[a-z]{0,2})\\"/.exec(request)?.[1] ?? [])
  expect(names.length).toBeGreaterThan(1)
  expect(new Set(names).size).toBe(names.length)
})

test('the list of checks is the list of the installed version', () => {
  if ('unavailable' in installed) return
  const { stdout } = spawnSync(installed.python, ['-m', 'schemathesis.cli', 'run', '--help'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, COLUMNS: '200' },
  })
  const values = /--checks[\s\S]*?possible values:([\s\S]*?)\]/
    .exec(stdout)![1]!
    .split(',')
    .map((value) => value.replaceAll(/\s/g, ''))
  expect(values.filter((value) => value !== 'all').toSorted()).toEqual([...CHECKS].toSorted())
})

test('finds every fault of a wrong server once, and its curl line reproduces it', async () => {
  const server = await startThings({ key: KEY, fault: 'many' })
  try {
    const reportDir = join(folder.path, 'wrong')
    const result = await runSchemathesis({
      contract: THINGS_CONTRACT,
      server: { baseUrl: server.baseUrl },
      keys: { apiKey: KEY },
      profile: canonical(),
      maxExamples: 10,
      reportDir,
    })
    expect(result.status).toBe('findings')
    expect(foundIn(result).toSorted()).toEqual([
      'GET /things ignored_auth',
      'GET /things missing_required_header',
      'GET /things negative_data_rejection',
      'GET /things not_a_server_error',
      'GET /things response_schema_conformance',
      'POST /things ignored_auth',
      'POST /things missing_required_header',
      'POST /things negative_data_rejection',
    ])
    for (const { operation, check, curl } of result.failures) {
      expect(summary(result).split(`  ${operation} ${check}: `)).toHaveLength(2)
      expect(summary(result)).toContain(curl)
      const { stdout } = await promisify(execFile)('sh', ['-c', curl], {
        env: { PATH: process.env.PATH, [keyVariable('apiKey')]: KEY, BASE_URL: server.baseUrl },
      })
      const shown = /^HTTP\/1\.1 (\d+)[\s\S]*\r\n\r\n([\s\S]*)$/.exec(stdout)!
      const success = operation.startsWith('POST') ? '201' : '200'
      const expected = check === 'not_a_server_error' ? '500' : success
      expect(shown[1], `${operation} ${check}: ${curl}`).toBe(expected)
      if (check === 'response_schema_conformance') expect(shown[2]).toBe('{"items":[1]}')
    }
    expect(readdirSync(join(reportDir, 'canonical')).toSorted()).toEqual([
      'contract.json',
      'junit.xml',
      'output.txt',
      'report.har',
      'report.json',
      'report.ndjson',
      'report.sarif',
      'result.json',
    ])
    expectNoKey(join(reportDir, 'canonical'), result)
  } finally {
    await server.stop()
  }
})

/** No spelling of the key is in anything kept or returned; and the redaction had something to do. */
function expectNoKey(kept: string, result: Result): void {
  const texts = [
    JSON.stringify(result),
    summary(result),
    ...readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8')),
  ]
  const bodies = texts.flatMap((text) =>
    [...text.matchAll(/"\$base64":"([^"]*)"/g)].map(([, body]) => Buffer.from(body!, 'base64').toString('latin1')),
  )
  for (const spelling of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]) {
    for (const text of [...texts, ...bodies]) expect(text.includes(spelling)).toBe(false)
  }
  expect(bodies.some((body) => body.includes('"echo":"[apiKey]"'))).toBe(true)
  expect(readFileSync(join(kept, 'report.ndjson'), 'utf8')).toContain('[apiKey]')
}

testNightly('one seed sends the same requests byte for byte; another seed sends others', async () => {
  const [first, second, other] = [
    await runOn('none', { seed: 7 }),
    await runOn('none', { seed: 7 }),
    await runOn('none', { seed: 8 }),
  ]
  expect(first.received.length).toBeGreaterThan(50)
  expect(second.received).toEqual(first.received)
  expect(other.received).not.toEqual(first.received)
})

testNightly('only the keys profile finds a server that ignores the second of two keys', async () => {
  const contract = structuredClone(THINGS_CONTRACT)
  contract.components!.securitySchemes!.secondKey = { type: 'apiKey', in: 'header', name: 'second-key' }
  const add = contract.paths!['/things']!.post!
  add.security = [{ apiKey: [], secondKey: [] }]
  // Beside other headers the tool omits the first key in cases about the second, and then both kinds of server answer
  // 401.
  add.parameters = [
    { name: 'x-version', in: 'header', required: false, schema: { type: 'string', enum: ['1'] } },
    { name: 'Accept-Language', in: 'header', schema: { type: 'string', default: 'en' } },
  ]
  const given = { contract, keys: { apiKey: KEY, secondKey: `${KEY} two` } }
  expect((await runOn('none', given)).result.status).toBe('passed')
  const { result } = await runOn('none', { ...given, profile: keys() })
  expect(foundIn(result).toSorted()).toEqual([
    'POST /things missing_required_header',
    'POST /things negative_data_rejection',
  ])
})

testNightly('an undeclared 400 to a valid request is a fault, a business refusal is none', async () => {
  const given = { isBusinessRefusal: (reply: string) => reply.includes('no more things today') }
  const { result } = await runOn('business rule', { given })
  expect(foundIn(result)).toEqual([])
  expect(result.businessRefusals).toBeGreaterThan(0)
  const other = await runOn('refuses a name', { given })
  expect(other.result.failures).toMatchObject([{ check: 'positive_data_acceptance', field: 'name' }])
})

const brokenPattern = { freshValues: [{ in: 'body' as const, name: 'name', pattern: '(?P<fresh>' }] }
test.each<[string, NonNullable<Parameters<typeof runOn>[1]>, string]>([
  ['a contract that is none', { contract: fileURLToPath(import.meta.url) }, 'the contract cannot be read'],
  ['an unknown version', { contract: { ...THINGS_CONTRACT, openapi: '9.9' } }, 'not an OpenAPI document of 3.0, 3.1'],
  ['half a pattern', { given: brokenPattern }, ''],
  ['a number below 1', { maxExamples: -1 }, 'maxExamples must be a whole number above 0, not -1'],
  ['no phase', { phases: [] }, 'phases must be some of examples, coverage, fuzzing, stateful, not none'],
  ['a short key', { keys: { apiKey: 'short' } }, 'fewer than 8 characters'],
  ['the key of another scheme', { keys: { otherKey: KEY } }, 'otherKey'],
])('%s is a config error', async (_what, options, reason) =>
  expect((await runOn('none', options)).result).toMatchObject({
    status: 'config-error',
    cases: 0,
    reason: expect.stringContaining(reason),
  }),
)

test('an unreachable server is a tool error, not a finding', async () => {
  const baseUrl = 'http://127.0.0.1:9'
  expect((await runOn('none', { server: { baseUrl } })).result).toMatchObject({
    status: 'tool-error',
    cases: 0,
    failures: [],
    reason: `nothing answers at ${baseUrl}`,
  })
})

test('a server that hangs is a timeout, at once or in the middle', async () => {
  expect((await runOn('hangs', { requestTimeoutMs: 500 })).result).toMatchObject({ status: 'timeout', cases: 0 })
  const slow = await runOn('hangs on things', { timeoutMs: 4_000 })
  expect(slow.result).toMatchObject({
    status: 'timeout',
    failures: [],
    reason: expect.stringContaining('the run was ended after 4000 ms'),
  })
})

test('an aborted run ends at once, with all processes that it has started', async () => {
  const server = await startThings({ key: KEY, fault: 'hangs on things' })
  const controller = new AbortController()
  let stopped = false
  const result = await runSchemathesis({
    contract: THINGS_CONTRACT,
    profile: canonical(),
    signal: controller.signal,
    server: {
      start: async () => ({ baseUrl: server.baseUrl, keys: { apiKey: KEY }, stop: async () => void (stopped = true) }),
    },
    // By then Schemathesis waits for its first reply.
    log: () => {
      const poll = setInterval(() => {
        if (server.received.length === 0) return
        clearInterval(poll)
        controller.abort()
      }, 20)
    },
  })
  await server.stop()
  expect(result).toMatchObject({ status: 'aborted', failures: [], reason: 'the run was aborted' })
  expect(stopped).toBe(true)
  expect(await runOn('none', { signal: controller.signal })).toMatchObject({ result: { status: 'aborted', cases: 0 } })
})
