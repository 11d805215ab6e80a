import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { sarifLog } from './sarif.ts'
import type { Result } from './types.ts'

const folder = mkdtempSync(join(tmpdir(), 'schemathesis-runner-sarif-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const result: Result = {
  status: 'findings',
  profile: 'canonical',
  seed: 1,
  version: '4.32.5',
  cases: 2,
  failures: ['POST /things', 'GET /things/{id}', 'GET /gone'].map((operation) => ({
    operation,
    check: operation.startsWith('POST') ? 'not_a_server_error' : 'ignored_auth',
    title: 'Server error',
    message: 'It failed.',
    curl: 'curl …',
    before: [],
  })),
  perOperation: {},
  checks: {},
  warnings: [],
  exclusions: { phases: [], checks: [], operations: 0, failures: 0 },
  businessRefusals: 0,
  durationMs: 1,
}

interface Log {
  readonly version: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly invocations: readonly unknown[]
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: unknown }
      }[]
      readonly partialFingerprints: unknown
    }[]
  }[]
}
const logOf = async (contract: string, results = [result]) => JSON.parse(await sarifLog(results, contract)) as Log

test('a finding stands at the contract line of its path, in YAML and JSON', async () => {
  const yaml = join(folder, 'openapi.yaml')
  writeFileSync(yaml, 'openapi: 3.1.0\npaths:\n  /things/{id}:\n    get: {}\n  "/things":\n    post: {}\n')
  const json = join(folder, 'openapi.json')
  writeFileSync(json, JSON.stringify({ paths: { '/things': {}, '/things/{id}': {} } }, undefined, 1))
  const linesOf = ({ runs }: Log) => runs[0]!.results.map(({ locations }) => locations[0]!.physicalLocation)
  expect(linesOf(await logOf(yaml)).map(({ region }) => region)).toEqual([
    { startLine: 5 },
    { startLine: 3 },
    { startLine: 1 },
  ])
  expect(linesOf(await logOf(json)).map(({ region }) => region)).toEqual([
    { startLine: 3 },
    { startLine: 4 },
    { startLine: 1 },
  ])
  expect(linesOf(await logOf(yaml))[0]!.artifactLocation.uri).toBe(pathToFileURL(yaml).href)
  expect(linesOf(await logOf('package.json'))[0]!.artifactLocation.uri).toBe('package.json')
})

test('each check is a rule of its findings, and a missing verdict is reported', async () => {
  const log = await logOf('package.json', [result, { ...result, failures: [], status: 'timeout', reason: 'too slow' }])
  expect(log.version).toBe('2.1.0')
  const [run, late] = log.runs
  expect(run!.tool.driver.rules.map(({ id }) => id)).toEqual(['not_a_server_error', 'ignored_auth'])
  for (const { ruleId, ruleIndex } of run!.results) expect(run!.tool.driver.rules[ruleIndex]!.id).toBe(ruleId)
  expect(new Set(run!.results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))).size).toBe(3)
  expect(run!.invocations).toEqual([{ executionSuccessful: true }])
  expect(late!.invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', message: { text: 'timeout: too slow' } }],
    },
  ])
})
