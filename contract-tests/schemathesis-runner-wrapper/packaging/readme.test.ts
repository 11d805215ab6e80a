import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testByNight } from '../../../server/testing/by-night.ts'
import { openContract } from '../../foreign/contract-file.ts'
import { CREDENTIALS, startLibrary } from '../../foreign/library/library.ts'
import type { Listening } from '../../harness/listen.ts'
import { installSchemathesis } from '../install.ts'
import { keyVariable } from '../settings.ts'
import { packRunner, ROOT, type PackedRunner } from './testing/packed-runner.ts'

// What the README tells a stranger to do, line by line as it stands there, with the packed package, outside of this
// repository and against an API that is not ours.

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const LIBRARY = join(ROOT, 'contract-tests', 'foreign', 'library')
const NAME = 'schemathesis-runner-wrapper'
const fence = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(README)?.[1] ?? ''

const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CREDENTIALS).map(([scheme, key]) => [keyVariable(scheme), key]),
)
const ourBin = join(ROOT, 'node_modules', '.bin')
const path = process.env.PATH?.split(delimiter).filter((folder) => !folder.includes('node_modules')) ?? []
/** The machine's own Node: on ours the oldest that the package promises. */
const SYSTEM_PATH = path.join(delimiter)
/** The one that runs these tests. */
const OUR_PATH = [ourBin, ...path].join(delimiter)

/** Runs lines of a shell in the stranger's project, with our registry's package in the place of the public one's. */
function shell(
  lines: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number; out: string }> {
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const { HOME, PIP_FIND_LINKS, PIP_CERT } = process.env
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-e', '-c', lines.replaceAll(`--save-dev ${NAME}`, `--save-dev "${packed.tarball}"`)],
      { cwd: packed.project, env: { HOME, PIP_FIND_LINKS, PIP_CERT, ...quiet, ...env } },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: out + err }),
    )
  })
}

let packed: PackedRunner
let library: Listening
let unavailable: string | undefined
beforeAll(async () => {
  const found = await installSchemathesis({ env: process.env, log: console.log })
  unavailable = 'unavailable' in found ? found.unavailable : undefined
  packed = await packRunner()
  await cp(join(LIBRARY, 'library.yaml'), join(packed.project, 'openapi.yaml'))
  const { contract } = await openContract(join(LIBRARY, 'library.yaml'))
  library = await startLibrary(contract.document, {
    name: 'gives tokens',
    instead: ({ path, headers, body }) => {
      if (path !== '/token') return undefined
      const isClient = headers['authorization'] === `Basic ${Buffer.from('tests:secret').toString('base64')}`
      return isClient && body === 'grant_type=client_credentials'
        ? { status: 200, headers: {}, body: { access_token: CREDENTIALS.accessToken, expires_in: 3600 } }
        : { status: 401, headers: {}, body: { error: 'invalid_client' } }
    },
  })
}, 300_000)
beforeEach((context) => {
  if (unavailable !== undefined) context.skip(`without Schemathesis: ${unavailable}`)
})
afterAll(async () => {
  await library?.close()
  await packed?.remove()
})

test('the first run is two lines, in the Node of the machine', async () => {
  const lines = fence('sh')
  expect(lines.trim().split('\n')).toHaveLength(2)
  const ran = await shell(lines.replace('http://127.0.0.1:8080', library.url), { PATH: SYSTEM_PATH, ...KEYS })
  expect(ran.out).toMatch(/canonical: passed, seed 1, \d+ cases of 4 operations/)
  expect(ran.code).toBe(0)
}, 180_000)

test('the example for vitest passes, with a token that it gets for itself', async () => {
  await writeFile(join(packed.project, 'api.test.ts'), fence('ts'))
  await symlink(join(ROOT, 'node_modules', 'vitest'), join(packed.project, 'node_modules', 'vitest'))
  const vitest = `node "${join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')}" run --root .`
  const env = { API_URL: library.url, CLIENT_SECRET: 'secret', [keyVariable('readerCard')]: CREDENTIALS.readerCard }
  const ran = await shell(vitest, { PATH: OUR_PATH, ...env })
  expect(ran.code, ran.out).toBe(0)
  expect(ran.out).toMatch(/1 passed/)
}, 180_000)

testByNight(
  'the job for GitHub Actions starts the server, tests it, and keeps what it uploads',
  async () => {
    const job = fence('yaml')
    const steps = [...job.matchAll(/^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.+))/gm)].map(([, block, line]) => block ?? line)
    expect(steps).toHaveLength(2)
    const script = `const { startLibrary } = await import(${JSON.stringify(join(LIBRARY, 'library.ts'))})
const { openContract } = await import(${JSON.stringify(join(LIBRARY, '..', 'contract-file.ts'))})
const { contract } = await openContract('openapi.yaml')
await startLibrary(contract.document, undefined, Number(process.env.PORT))`
    await writeFile(join(packed.project, 'server.js'), script)
    const env = Object.fromEntries(
      [...job.matchAll(/^ {10}(SCHEMATHESIS_\w+): /gm)].map(([, name = '']) => [name, KEYS[name]]),
    )
    expect(Object.keys(env).toSorted()).toEqual(Object.keys(KEYS).toSorted())
    for (const step of steps) {
      const ran = await shell(step ?? '', { PATH: OUR_PATH, ...env })
      expect(ran.code, ran.out).toBe(0)
    }
    const uploaded = [...job.matchAll(/^ {10}(?:sarif_file|path): (\S+)/gm)].map(([, name = '']) => name)
    expect(uploaded).toEqual(['reports/canonical/report.sarif', 'reports'])
    for (const name of [...uploaded, 'reports/canonical/junit.xml', 'reports/canonical/report.har'])
      expect(existsSync(join(packed.project, name)), name).toBe(true)
  },
  180_000,
)
