import { statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import esbuildPlugin from '@size-limit/esbuild'
import filePlugin from '@size-limit/file'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import sizeLimit from 'size-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneOfByDefault, testWithNightlyTool } from '../../server/verification/testing/nightly.ts'
import { packOnce, run, type PackedClient } from './testing/packed.ts'
import { whereFrom } from './testing/where-from.ts'

let packed: PackedClient | undefined
let project: string
let installed: string
let tarball: string
let copy: string
let files: readonly string[]

beforeAll(async () => {
  packed = await packOnce()
  tarball = packed.tarball
  copy = packed.copy
  project = await packed.install('shop')
  installed = join(project, 'node_modules', '@malipo', 'client')
  files = (await run('tar', ['tzf', tarball], project))
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
})
afterAll(() => packed?.remove())

/** Prints one line per figure in `npm test`, for whoever publishes. */
const report = (figure: string) => console.log(`@malipo/client ${figure}`)
const thousands = new Intl.NumberFormat('en')

test('the tarball has the build output, the texts, and nothing else', () => {
  const others = files.filter(
    (file) =>
      !/^dist\/(cjs\/)?(client|generated)\/.+(\.js|\.js\.map|\.d\.ts)$/.test(file) &&
      !file.startsWith('dist/client/toolbox/templates/'),
  )
  expect(others.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json'])
  expect(
    files
      .filter((file) => /test|editor|recording-server/.test(file.replace(/^dist\/(cjs\/)?client\/testing/, '')))
      .filter((file) => !file.includes('templates/')),
  ).toEqual([])
  report(
    `contents: ${files.length} files, ${thousands.format(statSync(tarball).size)} bytes packed; beside dist/: ${others.toSorted().join(', ')}`,
  )
  for (const file of [
    'dist/client/index.js',
    'dist/client/index.js.map',
    'dist/client/index.d.ts',
    'dist/client/testing.js',
    'dist/cjs/client/index.js',
    'dist/cjs/client/testing.d.ts',
    'dist/client/toolbox/malipo-dev.js',
  ])
    expect(files).toContain(file)
})

test('the published manifest names built files and one dependency; ours is restored', async () => {
  const manifest: unknown = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    name: '@malipo/client',
    type: 'module',
    sideEffects: false,
    dependencies: { 'openapi-fetch': '0.17.0' },
    ...whereFrom('client'),
    exports: {
      '.': { import: { default: './dist/client/index.js' }, require: { default: './dist/cjs/client/index.js' } },
    },
  })
  expect(manifest).not.toHaveProperty('scripts')
  const ours: unknown = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'))
  expect(ours).toEqual(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')))
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  report(`publint, strict: ${messages.length} messages`)
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

const testTypes = testWithNightlyTool('@arethetypeswrong/cli')
testTypes('are-the-types-wrong finds nothing, for any resolution including the oldest', async () => {
  // It fails with a description of the problem.
  const said = await run('attw', [tarball, '--format', 'ascii'], project)
  const right = said.match(/(node10|node16 \(from CJS\)|node16 \(from ESM\)|bundler): 🟢/g) ?? []
  report(`attw: ${right.length} of 16 resolutions right (4 entries, node10, node16 from CommonJS and ESM, and bundler)`)
  expect(right).toHaveLength(16)
})

test('only `malipo.http` and the admin client refer to types of openapi-fetch', async () => {
  const types = files.filter((file) => file.endsWith('.d.ts') && !file.includes('toolbox/'))
  const naming: string[] = []
  for (const file of types)
    if (/from 'openapi-fetch'|FetchResponse/.test(await readFile(join(installed, file), 'utf8'))) naming.push(file)
  expect(naming.toSorted()).toEqual(
    ['cjs/client/admin', 'cjs/client/caller', 'client/admin', 'client/caller'].map((name) => `dist/${name}.d.ts`),
  )
})

test('types refer to no TypeScript file that users do not have', async () => {
  for (const file of files.filter((file) => file.endsWith('.d.ts'))) {
    const imports = [
      ...(await readFile(join(installed, file), 'utf8')).matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g),
    ].map(([, path]) => path!)
    for (const path of imports)
      expect(files, `${file} → ${path}`).toContain(join(file, '..', path).replace(/\.js$/, '.d.ts'))
  }
})

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly string[]
}

test('each source map contains its source', async () => {
  const maps = files.filter((file) => file.endsWith('.js.map'))
  expect(maps.length).toBeGreaterThan(20)
  for (const file of maps) {
    const { sources, sourcesContent } = JSON.parse(await readFile(join(installed, file), 'utf8')) as SourceMap
    expect(sourcesContent, file).toEqual(sources.map(() => expect.stringMatching(/\S/) as string))
  }
})

const consumer = `
import { createMalipo, createDuplicateGuard, handshakes, money, redirects, webhooks, WebhookVerificationError, type CallbackEvent, type Malipo } from '@malipo/client'
import { signedCallback } from '@malipo/client/testing'

const malipo: Malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_test' })
export async function shop() {
  const { payload }: CallbackEvent = await webhooks.verify('{}', new Headers(), ['whsec_x'])
  if (payload.transaction_type === 'COLLECTION') payload.total_credit.toFixed()
  // @ts-expect-error a collection debits nothing
  else payload.total_credit.toFixed()
  // @ts-expect-error a parsed body was never signed
  await webhooks.verify({ event: 'transaction.completed' }, new Headers(), 'whsec_x')
  // @ts-expect-error amounts are numbers
  await malipo.collections.initialize({ transaction_method: 'MOBILE_MONEY', provider_code: 'mtn_ug', merchant_reference: 'ORDER-1', msisdn: '256', currency: 'UGX', amount: '1', description: 'Order 1' })
  // @ts-expect-error no kind of this name
  await signedCallback({ secret: 'whsec_x', kind: 'collection.pending' })
  const { data } = await malipo.http.GET('/data/wallet-balances')
  data?.data.merchant_wallets[0]?.currency.charAt(0)
}
export { createDuplicateGuard, handshakes, money, redirects, WebhookVerificationError }
`

test.each(
  oneOfByDefault('module systems')([
    ['NodeNext', 'NodeNext', 'shop.mts'],
    ['NodeNext', 'NodeNext', 'shop.cts'],
    ['ESNext', 'bundler', 'shop.ts'],
    ['CommonJS', 'node10', 'shop.ts'],
  ]),
)(
  'with module %s and resolution %s every type in %s resolves without skipLibCheck',
  async (module, moduleResolution, file) => {
    await writeFile(join(project, file), consumer)
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module,
          moduleResolution,
          lib: ['ES2023', 'DOM'],
          target: 'ES2023',
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          skipLibCheck: false,
          types: [],
        },
        files: [file],
      }),
    )
    expect(await run('tsc', ['-p', 'tsconfig.json'], project)).toBe('')
  },
)

async function gzipped(name: string, source: string, bytesMax?: number): Promise<number> {
  const path = join(project, `${name.replaceAll(/\W/g, '-')}.mjs`)
  await writeFile(path, source)
  const checks = [{ files: [path], gzip: true }]
  const [{ size }] = (await sizeLimit([filePlugin, esbuildPlugin], { cwd: project, checks })) as [
    { readonly size: number },
  ]
  report(
    `size, ${name}: ${thousands.format(size)} bytes gzip${bytesMax === undefined ? '' : ` (at most ${thousands.format(bytesMax)})`}`,
  )
  return size
}

test.each([
  ['calls only', 9650, `import { createMalipo } from '@malipo/client'; globalThis.malipo = createMalipo`],
  ['everything', 12_000, `import * as client from '@malipo/client'; globalThis.malipo = { ...client }`],
  ['callbacks only', 3500, `import { webhooks } from '@malipo/client'; globalThis.verify = webhooks.verify`],
  // `attachSandbox`, with its clock and scenarios, takes 1.2 kB of it.
  ['testing only', 4000, `import * as testing from '@malipo/client/testing'; globalThis.testing = { ...testing }`],
] as const)('tree-shaking works: %s is at most %d bytes, gzip', async (name, bytesMax, source) => {
  expect(await gzipped(name, source, bytesMax)).toBeLessThanOrEqual(bytesMax)
})

test('code for tests costs nothing in production', async () => {
  await gzipped(
    'everything and testing',
    `import * as client from '@malipo/client'; import * as testing from '@malipo/client/testing'; globalThis.malipo = { ...client, testing: { ...testing } }`,
  )
  const shipped = await Promise.all(
    (await readdir(join(installed, 'dist', 'client')))
      .filter((file) => file.endsWith('.js') && file !== 'testing.js')
      .map((file) => readFile(join(installed, 'dist', 'client', file), 'utf8')),
  )
  expect(shipped.length).toBeGreaterThan(15)
  for (const text of shipped) expect(text).not.toMatch(/from '\.\/testing/)
})
