import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, run, type PackedClient } from '../../../client/packaging/testing/packed.ts'
import { whereFrom } from '../../../client/packaging/testing/where-from.ts'
import { testNightly, testWithNightlyTool } from '../../../server/verification/testing/nightly.ts'
import { openContract } from '../../foreign/contract-file.ts'
import { CREDENTIALS, startLibrary } from '../../foreign/library/library.ts'
import type { ListeningServer } from '../../harness/listen.ts'
import { keyVariable } from '../settings.ts'
import { needSchemathesis } from '../testing/installed.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const HOME = 'contract-tests/schemathesis-runner-wrapper'
const LIBRARY = join(ROOT, 'contract-tests/foreign/library')
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
/** The README's first example in this language. */
const exampleIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(README)?.[1] ?? ''
/** Keys of the library, as environment variables. */
const LIBRARY_KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CREDENTIALS).map(([scheme, key]) => [keyVariable(scheme), key]),
)
const path = process.env.PATH?.split(delimiter).filter((folder) => !folder.includes('node_modules')) ?? []
/** With the machine's own Node: on ours the oldest supported one. */
const SYSTEM_PATH = path.join(delimiter)
/** With the Node that runs the tests. */
const OUR_PATH = [join(ROOT, 'node_modules/.bin'), ...path].join(delimiter)

let packed: PackedClient
/** Of a user, with the package installed. */
let project: string
let installed: string
let files: readonly string[]
let library: ListeningServer

beforeAll(async () => {
  packed = await pack(HOME)
  project = await packed.install('user-project')
  await run('npm', ['pkg', 'set', 'type=module'], project)
  await cp(packed.tarball, join(project, basename(packed.tarball)))
  await cp(join(LIBRARY, 'library.yaml'), join(project, 'openapi.yaml'))
  library = await startForeignApi()
  installed = join(project, 'node_modules/schemathesis-runner-wrapper')
  const listed = await run('tar', ['tzf', packed.tarball], project)
  files = listed
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''))
}, 300_000)
afterAll(async () => {
  await library?.close()
  await packed?.remove()
})

/** An API that is not ours, which also issues tokens to one client. */
async function startForeignApi(): Promise<ListeningServer> {
  const { contract } = await openContract(join(LIBRARY, 'library.yaml'))
  const isClient = `Basic ${Buffer.from('tests:secret').toString('base64')}`
  return startLibrary(contract.document, {
    instead: ({ path, headers, body }) => {
      if (path !== '/token') return undefined
      return headers['authorization'] === isClient && body === 'grant_type=client_credentials'
        ? { status: 200, headers: {}, body: { access_token: CREDENTIALS.accessToken, expires_in: 3600 } }
        : { status: 401, headers: {}, body: { error: 'invalid_client' } }
    },
  })
}

/** Runs shell lines in the user's project. */
function runLines(
  lines: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number; readonly out: string }> {
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const { HOME, PIP_FIND_LINKS, PIP_CERT } = process.env
  const options = { cwd: project, env: { HOME, PIP_FIND_LINKS, PIP_CERT, ...quiet, ...env } }
  return new Promise((resolve) => {
    execFile('sh', ['-e', '-c', lines], options, (error, out, err) => {
      const failed = typeof error?.code === 'number' ? error.code : -1
      resolve({ code: error === null ? 0 : failed, out: out + err })
    })
  })
}

const report = (figure: string) => console.log(`schemathesis-runner-wrapper ${figure}`)

test('the tarball holds the build, run-time files and texts, and no tests', () => {
  const others = files.filter((file) => !/^dist\/(cjs\/)?[a-z-]+(\.js|\.js\.map|\.d\.ts)$/.test(file))
  expect(others.toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/cjs/package.json',
    'dist/hooks.py',
    'dist/parse-yaml.py',
    'dist/requirements.lock',
    'package.json',
  ])
  expect(files.filter((file) => /test|server\b.*things|doors/.test(file))).toEqual([])
  report(`contents: ${files.length} files, ${statSync(packed.tarball).size} bytes packed`)
})

test('the manifest names purpose, owner and origin, and has no dependency', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    license: 'Apache-2.0',
    ...whereFrom(HOME),
    engines: { node: '>=20.3' },
  })
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

const testTypes = testWithNightlyTool('@arethetypeswrong/cli')
testTypes('attw finds no wrong types, for any resolution', async () => {
  const said = await run('attw', [packed.tarball, '--format', 'ascii'], project)
  expect(said.match(/(node10|node16 \(from CJS\)|node16 \(from ESM\)|bundler): 🟢/g) ?? []).toHaveLength(8)
})

const TYPED = `
import { canonical, oauthClientCredentials, runSchemathesis, summary, type Failure, type RunOptions, type Status } from 'schemathesis-runner-wrapper'
export const options: RunOptions = {
  contract: new URL('https://api.example/openapi.yaml'),
  server: { start: async ({ port, keys }) => ({ baseUrl: 'http://127.0.0.1:' + port, keys }) },
  profile: canonical({ prepare: (contract) => ({ ...contract, paths: {} }) }),
  keys: { a: 'text', b: async () => ({ value: 'key', expiresAt: 1 }), c: oauthClientCredentials({ tokenUrl: '', clientId: '', clientSecret: '' }) },
  beforeRequest: ({ body }) => ({ 'x-length': String(body?.byteLength) }),
  include: { tag: ['a'], 'path-regex': '^/v1' },
  signal: AbortSignal.timeout(1),
}
export const outcome = async (): Promise<[Status, number | undefined]> => {
  const result = await runSchemathesis(options)
  const failure: Failure | undefined = result.failures[0]
  summary(result).charAt(0)
  // @ts-expect-error a result never changes
  result.status = 'passed'
  return [result.status, failure?.response?.status]
}
// @ts-expect-error operations have no colour
export const wrong: RunOptions['include'] = { colour: ['red'] }
`

test('users of both module kinds get every type, strictly, without skipLibCheck', async () => {
  const compilerOptions = {
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['ES2023', 'DOM'],
    target: 'ES2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  }
  const names = ['typed.mts', 'typed.cts']
  for (const name of names) await writeFile(join(project, name), TYPED)
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  expect(await run('tsc', ['-p', 'tsconfig.json'], project)).toBe('')
})

const PROGRAM = `
const options = { contract: 'nowhere.json', server: { baseUrl: 'http://127.0.0.1:9' }, profile: canonical(), python: '/nowhere/python' }
runSchemathesis(options).then(({ status, version }) => console.log(status, version))
`

test('works by require as by import, in both Nodes, and finds its own files', async () => {
  const names = '{ canonical, runSchemathesis }'
  await writeFile(join(project, 'a.cjs'), `const ${names} = require('schemathesis-runner-wrapper')${PROGRAM}`)
  await writeFile(join(project, 'a.mjs'), `import ${names} from 'schemathesis-runner-wrapper'${PROGRAM}`)
  const lock = await readFile(join(ROOT, 'contract-tests/schemathesis-runner-wrapper/requirements.lock'), 'utf8')
  const [, version] = /^schemathesis==(\S+) ; python_full_version >=/m.exec(lock) ?? []
  const reported = `unavailable ${version}\n`
  for (const name of ['a.cjs', 'a.mjs']) {
    expect(await run(process.execPath, ['--no-experimental-require-module', name], project)).toBe(reported)
    expect(await runLines(`node ${name}`, { PATH: SYSTEM_PATH })).toMatchObject({ code: 0, out: reported })
  }
})

// The commands of the README, line by line, outside of this repository and against an API that is not ours.

describe('with Schemathesis', () => {
  needSchemathesis()

  testNightly('the first run is two lines, in the Node of the machine', async () => {
    const lines = exampleIn('sh')
    expect(lines.trim().split('\n')).toHaveLength(2)
    const ran = await runLines(lines.replace('http://127.0.0.1:8080', library.url), {
      PATH: SYSTEM_PATH,
      ...LIBRARY_KEYS,
    })
    expect(ran.out).toMatch(/canonical: passed, seed 1, \d+ cases of 4 operations/)
    expect(ran.code).toBe(0)
  })

  testNightly('the example for vitest passes, with a token that it gets for itself', async () => {
    await writeFile(join(project, 'api.test.ts'), exampleIn('ts'))
    await symlink(join(ROOT, 'node_modules', 'vitest'), join(project, 'node_modules', 'vitest'))
    const vitest = `node "${join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')}" run --root .`
    const env = { API_URL: library.url, CLIENT_SECRET: 'secret', [keyVariable('readerCard')]: CREDENTIALS.readerCard }
    const ran = await runLines(vitest, { PATH: OUR_PATH, ...env })
    expect(ran.code, ran.out).toBe(0)
    expect(ran.out).toMatch(/1 passed/)
  })

  testNightly('the GitHub Actions job starts the server, tests it and keeps its uploads', async () => {
    const job = exampleIn('yaml')
    const steps = [...job.matchAll(/^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.+))/gm)].map(([, block, line]) => block ?? line)
    expect(steps).toHaveLength(2)
    const script = `const { startLibrary } = await import(${JSON.stringify(join(LIBRARY, 'library.ts'))})
const { openContract } = await import(${JSON.stringify(join(LIBRARY, '..', 'contract-file.ts'))})
const { contract } = await openContract('openapi.yaml')
await startLibrary(contract.document, undefined, Number(process.env.PORT))`
    await writeFile(join(project, 'server.js'), script)
    const env = Object.fromEntries(
      [...job.matchAll(/^ {10}(SCHEMATHESIS_\w+): /gm)].map(([, name = '']) => [name, LIBRARY_KEYS[name]]),
    )
    expect(Object.keys(env).toSorted()).toEqual(Object.keys(LIBRARY_KEYS).toSorted())
    for (const step of steps) {
      const ran = await runLines(step ?? '', { PATH: OUR_PATH, ...env })
      expect(ran.code, ran.out).toBe(0)
    }
    const uploaded = [...job.matchAll(/^ {10}(?:sarif_file|path): (\S+)/gm)].map(([, name = '']) => name)
    expect(uploaded).toEqual(['reports/canonical/report.sarif', 'reports'])
    for (const name of [...uploaded, 'reports/canonical/junit.xml', 'reports/canonical/report.har'])
      expect(existsSync(join(project, name)), name).toBe(true)
  })
})
