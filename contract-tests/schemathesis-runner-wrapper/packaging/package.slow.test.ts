import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../client/packaging/testing/packed.ts'
import { whereFrom } from '../../../client/packaging/testing/where-from.ts'
import { testNightly, testWithNightlyTool } from '../../../server/verification/testing/nightly.ts'
import { CREDENTIALS } from '../../foreign/library/library.ts'
import type { ListeningServer } from '../../harness/listen.ts'
import { installSchemathesis } from '../install.ts'
import { keyVariable } from '../settings.ts'
import { packRunner, ROOT, type PackedRunner } from './testing/packed-runner.ts'
import {
  exampleIn,
  LIBRARY,
  LIBRARY_KEYS,
  OUR_PATH,
  runLines,
  startForeignApi,
  SYSTEM_PATH,
} from './testing/user-project.ts'

let packed: PackedRunner
let installed: string
let files: readonly string[]
let library: ListeningServer
let unavailable: string | undefined

beforeAll(async () => {
  const found = await installSchemathesis({ env: process.env, log: console.log })
  unavailable = 'unavailable' in found ? found.unavailable : undefined
  packed = await packRunner()
  await cp(join(LIBRARY, 'library.yaml'), join(packed.project, 'openapi.yaml'))
  library = await startForeignApi()
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', packed.tarball]
  await run('npm', install, packed.project)
  installed = join(packed.project, 'node_modules', 'schemathesis-runner-wrapper')
  const listed = await run('tar', ['tzf', packed.tarball], packed.project)
  files = listed
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
}, 300_000)
afterAll(async () => {
  await library?.close()
  await packed?.remove()
})

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
    ...whereFrom('contract-tests/schemathesis-runner-wrapper'),
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
  const said = await run('attw', [packed.tarball, '--format', 'ascii'], packed.project)
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
  for (const name of names) await writeFile(join(packed.project, name), TYPED)
  await writeFile(join(packed.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  expect(await run('tsc', ['-p', 'tsconfig.json'], packed.project)).toBe('')
})

const PROGRAM = `
const options = { contract: 'nowhere.json', server: { baseUrl: 'http://127.0.0.1:9' }, profile: canonical(), python: '/nowhere/python' }
runSchemathesis(options).then(({ status, version }) => console.log(status, version))
`

test('works by require as by import, in both Nodes, and finds its own files', async () => {
  const names = '{ canonical, runSchemathesis }'
  await writeFile(join(packed.project, 'a.cjs'), `const ${names} = require('schemathesis-runner-wrapper')${PROGRAM}`)
  await writeFile(join(packed.project, 'a.mjs'), `import ${names} from 'schemathesis-runner-wrapper'${PROGRAM}`)
  const lock = await readFile(join(ROOT, 'contract-tests/schemathesis-runner-wrapper/requirements.lock'), 'utf8')
  const [, version] = /^schemathesis==(\S+) ; python_full_version >=/m.exec(lock) ?? []
  const reported = `unavailable ${version}\n`
  for (const name of ['a.cjs', 'a.mjs']) {
    expect(await run(process.execPath, ['--no-experimental-require-module', name], packed.project)).toBe(reported)
    expect(await runLines(`node ${name}`, packed, { PATH: SYSTEM_PATH })).toMatchObject({ code: 0, out: reported })
  }
})

// The commands of the README, line by line, outside of this repository and against an API that is not ours.

testNightly('the first run is two lines, in the Node of the machine', async (context) => {
  if (unavailable !== undefined) context.skip(unavailable)
  const lines = exampleIn('sh')
  expect(lines.trim().split('\n')).toHaveLength(2)
  const ran = await runLines(lines.replace('http://127.0.0.1:8080', library.url), packed, {
    PATH: SYSTEM_PATH,
    ...LIBRARY_KEYS,
  })
  expect(ran.out).toMatch(/canonical: passed, seed 1, \d+ cases of 4 operations/)
  expect(ran.code).toBe(0)
})

testNightly('the example for vitest passes, with a token that it gets for itself', async (context) => {
  if (unavailable !== undefined) context.skip(unavailable)
  await writeFile(join(packed.project, 'api.test.ts'), exampleIn('ts'))
  await symlink(join(ROOT, 'node_modules', 'vitest'), join(packed.project, 'node_modules', 'vitest'))
  const vitest = `node "${join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')}" run --root .`
  const env = { API_URL: library.url, CLIENT_SECRET: 'secret', [keyVariable('readerCard')]: CREDENTIALS.readerCard }
  const ran = await runLines(vitest, packed, { PATH: OUR_PATH, ...env })
  expect(ran.code, ran.out).toBe(0)
  expect(ran.out).toMatch(/1 passed/)
})

testNightly('the GitHub Actions job starts the server, tests it and keeps its uploads', async (context) => {
  if (unavailable !== undefined) return context.skip(unavailable)
  const job = exampleIn('yaml')
  const steps = [...job.matchAll(/^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.+))/gm)].map(([, block, line]) => block ?? line)
  expect(steps).toHaveLength(2)
  const script = `const { startLibrary } = await import(${JSON.stringify(join(LIBRARY, 'library.ts'))})
const { openContract } = await import(${JSON.stringify(join(LIBRARY, '..', 'contract-file.ts'))})
const { contract } = await openContract('openapi.yaml')
await startLibrary(contract.document, undefined, Number(process.env.PORT))`
  await writeFile(join(packed.project, 'server.js'), script)
  const env = Object.fromEntries(
    [...job.matchAll(/^ {10}(SCHEMATHESIS_\w+): /gm)].map(([, name = '']) => [name, LIBRARY_KEYS[name]]),
  )
  expect(Object.keys(env).toSorted()).toEqual(Object.keys(LIBRARY_KEYS).toSorted())
  for (const step of steps) {
    const ran = await runLines(step ?? '', packed, { PATH: OUR_PATH, ...env })
    expect(ran.code, ran.out).toBe(0)
  }
  const uploaded = [...job.matchAll(/^ {10}(?:sarif_file|path): (\S+)/gm)].map(([, name = '']) => name)
  expect(uploaded).toEqual(['reports/canonical/report.sarif', 'reports'])
  for (const name of [...uploaded, 'reports/canonical/junit.xml', 'reports/canonical/report.har'])
    expect(existsSync(join(packed.project, name)), name).toBe(true)
})
