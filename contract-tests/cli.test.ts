import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from './harness/program.ts'
import { KEYS, startWrongServer, type WrongServer } from './strength/wrong-server/wrong-server.ts'

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'malipo-contract-cli-'))
let server: WrongServer
beforeAll(async () => {
  server = await startWrongServer(new URL('../generated/openapi.json', import.meta.url), [])
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** @param env all of it, so that no Python is found where PATH is not given */
const testContract = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(process.execPath, [CLI, '--report-dir', folder, ...args], {
    env: { PUBLIC_KEY: KEYS['public-key'], SECRET_KEY: KEYS['secret-key'], PATH: '/nowhere', ...env },
  })

test('without Python the part that needs it is left out, and one line says so', async () => {
  const { code, out } = await testContract(['--url', server.url, '--only', 'schemathesis'])
  expect(code).toBe(0)
  expect(out.split('\n').filter((line) => line.includes('Python'))).toEqual([
    'warning: schemathesis: no Python 3.11 or later was found',
  ])
  expect(out).toMatch(/^schemathesis +skipped +0 +0 +0 /m)
})

test('where Schemathesis is required a missing Python is a failure', async () => {
  const { code } = await testContract(['--url', server.url, '--only', 'schemathesis'], { REQUIRE_SCHEMATHESIS: '1' })
  expect(code).toBe(1)
})

test('a server that is not there is told at once, in one line', async () => {
  const { code, out, err } = await testContract(['--url', 'http://127.0.0.1:9', '--only', 'declared'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(
    'http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9\nAdd --help to see what it takes, with an example.\n',
  )
})
