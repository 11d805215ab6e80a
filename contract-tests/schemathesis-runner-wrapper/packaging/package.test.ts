import { readFileSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../client/packaging/testing/packed.ts'
import { packRunner, ROOT, type PackedRunner } from './testing/packed-runner.ts'

let packed: PackedRunner
let installed: string
let files: readonly string[]

beforeAll(async () => {
  packed = await packRunner()
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', packed.tarball]
  await run('npm', install, packed.project)
  installed = join(packed.project, 'node_modules', 'schemathesis-runner-wrapper')
  const listed = await run('tar', ['tzf', packed.tarball], packed.project)
  files = listed
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
}, 300_000)
afterAll(() => packed?.remove())

const tell = (figure: string) => console.log(`schemathesis-runner-wrapper ${figure}`)

test('the tarball holds what was built, what is read at run time, the texts, and nothing of the tests', () => {
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
  tell(`contents: ${files.length} files, ${statSync(packed.tarball).size} bytes packed`)
})

test('the manifest says what it is, whose it is and where it comes from, and needs nothing', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    license: 'Apache-2.0',
    repository: { type: 'git', directory: 'contract-tests/schemathesis-runner-wrapper' },
    engines: { node: '>=20.3' },
  })
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('Are the types wrong? They are not, for any resolution, the oldest too', async () => {
  const said = await run('attw', [packed.tarball, '--format', 'ascii'], packed.project)
  expect(said.match(/(node10|node16 \(from CJS\)|node16 \(from ESM\)|bundler): 🟢/g) ?? []).toHaveLength(8)
}, 60_000)

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
export const told = async (): Promise<[Status, number | undefined]> => {
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

test('users of both kinds of modules get every type, strictly and without skipLibCheck', async () => {
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
}, 120_000)

const PROGRAM = `
const options = { contract: 'nowhere.json', server: { baseUrl: 'http://127.0.0.1:9' }, profile: canonical(), python: '/nowhere/python' }
runSchemathesis(options).then(({ status, version }) => console.log(status, version))
`

test('it is required as CommonJS as it is imported, and finds its own files', async () => {
  const names = '{ canonical, runSchemathesis }'
  await writeFile(join(packed.project, 'a.cjs'), `const ${names} = require('schemathesis-runner-wrapper')${PROGRAM}`)
  await writeFile(join(packed.project, 'a.mjs'), `import ${names} from 'schemathesis-runner-wrapper'${PROGRAM}`)
  const lock = await readFile(join(ROOT, 'contract-tests/schemathesis-runner-wrapper/requirements.lock'), 'utf8')
  const [, version] = /^schemathesis==(\S+) ; python_full_version >=/m.exec(lock) ?? []
  for (const name of ['a.cjs', 'a.mjs'])
    expect(await run(process.execPath, ['--no-experimental-require-module', name], packed.project)).toBe(
      `unavailable ${version}\n`,
    )
})
