import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { canonical, keyVariable, oauthClientCredentials, runSchemathesis, summary, type RunOptions } from './index.ts'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { DOOR_KEYS, doorsContract, SHARED, startDoors, type DoorsServer } from './testing/doors-server.ts'
import { needSchemathesis } from './testing/installed.ts'

const folder = temporaryFolder()
folder.written('shared.yaml', SHARED)
needSchemathesis()

const oauth = (doors: DoorsServer, clientSecret = 's&cret') =>
  oauthClientCredentials({ tokenUrl: `${doors.url}/token`, clientId: 'doors', clientSecret })

/** A small run with every kind of key. */
const run = (doors: DoorsServer, version: string, more: Partial<RunOptions> = {}) => {
  const contract = folder.written(`doors-${version}.yaml`, doorsContract(version))
  return runSchemathesis({
    contract,
    server: { baseUrl: doors.url },
    profile: canonical(),
    keys: { ...DOOR_KEYS, oauth: oauth(doors) },
    maxExamples: 2,
    ...more,
  })
}

test('accepts every kind of key, renews access tokens and keeps none', async () => {
  const doors = await startDoors()
  const reportDir = join(folder.path, 'reports')
  const seen: string[] = []
  // A token is valid for eleven seconds and not sent in its last ten: each second needs a new one.
  const result = await run(doors, '3.0.3', {
    reportDir,
    beforeRequest: ({ method, url, headers }) => {
      seen.push(`${method} ${new URL(url).pathname} ${headers['authorization'] ?? ''}`)
      return { 'x-signature': `of ${url.length}` }
    },
  })
  await doors.close()
  expect(result, summary(result)).toMatchObject({ status: 'passed', exclusions: { operations: 0 } })
  expect(Object.keys(result.perOperation)).toHaveLength(6)
  expect(doors.tokens.length).toBeGreaterThan(1)
  expect(seen.filter((line) => line.includes('access-token-')).length).toBeGreaterThan(1)
  const kept = readdirSync(join(reportDir, 'canonical')).map((name) =>
    readFileSync(join(reportDir, 'canonical', name), 'utf8'),
  )
  expect(kept.join('\n')).toContain('x-signature')
  for (const key of [...Object.values(DOOR_KEYS), ...doors.tokens, Buffer.from(DOOR_KEYS.basic).toString('base64')])
    expect(kept.join('\n').includes(key), key).toBe(false)
})

testNightly('finds an unchecked key of any kind, and its line reproduces it', async () => {
  const names = [...Object.keys(DOOR_KEYS), 'oauth']
  const doors = await startDoors(names)
  const result = await run(doors, '3.2.0')
  const ignored = result.failures.filter(({ check }) => check === 'ignored_auth')
  expect(new Set(ignored.map(({ operation }) => operation))).toEqual(new Set(names.map((name) => `GET /${name}`)))
  for (const { curl, request, response, before } of ignored) {
    expect(request).toMatchObject({ method: 'GET', url: expect.stringContaining(doors.url) })
    expect(response).toMatchObject({ status: 200, body: '{"open":true}' })
    expect(before).toEqual([])
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env: { PATH: process.env.PATH } })
    expect(stdout, curl).toMatch(/^HTTP\/1\.1 200/)
  }
  await doors.close()
})

testNightly('tests only chosen operations, counts the others and reads keys from env', async () => {
  const doors = await startDoors()
  const env = { ...process.env, [keyVariable('header')]: DOOR_KEYS.header }
  const chosen = { include: { tag: ['keys'] }, exclude: { 'path-regex': '^/(b|q|c)' } } as const
  const result = await run(doors, '3.1.1', { env, keys: {}, ...chosen })
  expect(Object.keys(result.perOperation)).toEqual(['GET /header'])
  expect(result, summary(result)).toMatchObject({ status: 'passed', exclusions: { operations: 5 } })
  expect(await run(doors, '3.1.1', { include: { tag: ['none'] } })).toMatchObject({
    status: 'config-error',
    cases: 0,
  })
  await doors.close()
})

test("ends the run with the words of a hook's or token server's refusal", async () => {
  const doors = await startDoors()
  expect(await run(doors, '3.1.0', { keys: { ...DOOR_KEYS, oauth: oauth(doors, 'wrong') } })).toMatchObject({
    status: 'config-error',
    reason: `${doors.url}/token refuses the client: invalid_client`,
  })
  const beforeRequest = () => {
    throw new Error('no key to sign with')
  }
  expect(await run(doors, '3.1.0', { beforeRequest })).toMatchObject({
    status: 'tool-error',
    reason: 'no key to sign with',
  })
  await doors.close()
})
