import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from 'sarif'
import { afterAll, expect, test } from 'vitest'
import { sarifLog } from './sarif.ts'
import { runResult } from './testing/run-result.ts'

// Where a finding stands. What code scanning accepts: report/formats.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'schemathesis-runner-sarif-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const failure = { check: 'ignored_auth', title: 'Server error', message: 'It failed.', curl: 'curl …', before: [] }
const result = runResult('canonical', {
  failures: ['POST /things', 'GET /things/{id}', 'GET /gone'].map((operation) => ({ ...failure, operation })),
})
const placesIn = async (contract: string) => {
  const { runs } = JSON.parse(await sarifLog([result], contract)) as Log
  const places = runs[0]!.results!.map(({ locations }) => locations![0]!.physicalLocation!)
  return { lines: places.map(({ region }) => region!.startLine), uri: places[0]!.artifactLocation!.uri }
}

test.each([
  ['openapi.yaml', 'openapi: 3.1.0\npaths:\n  /things/{id}:\n    get: {}\n  "/things":\n    post: {}\n', [5, 3, 1]],
  ['openapi.json', JSON.stringify({ paths: { '/things': {}, '/things/{id}': {} } }, undefined, 1), [3, 4, 1]],
])('a finding stands at the line of its path in %s', async (name, text, lines) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  expect(await placesIn(file)).toEqual({ lines, uri: pathToFileURL(file).href })
})

test('a contract below the working folder has a relative address', async () =>
  expect((await placesIn('package.json')).uri).toBe('package.json'))

test('reports a missing verdict', async () => {
  const late = runResult('canonical', { status: 'timeout', reason: 'too slow' })
  const { runs } = JSON.parse(await sarifLog([result, late], 'package.json')) as Log
  const notification = { level: 'error', message: { text: 'timeout: too slow' } }
  expect(runs.map(({ invocations }) => invocations)).toEqual([
    [{ executionSuccessful: true }],
    [{ executionSuccessful: false, toolExecutionNotifications: [notification] }],
  ])
})
