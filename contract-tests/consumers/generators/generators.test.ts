import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { collect } from '../../../server/verification/testing/requests.ts'
import { cacheFolder } from './cache.ts'
import type { Generator } from './generator.ts'
import { GENERATORS } from './generators.ts'
import { hasFailed, runMatrix, type Row } from './matrix.ts'
import { matrixText } from './print.ts'
import { python } from './python.ts'
import { openapiTypescript } from './typescript.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { skipReason } from '../../../server/verification/testing/skip-reason.ts'

/** `npm run generators` runs all generators: compilers of six languages take minutes. */
const HERE: readonly Generator[] = [openapiTypescript, python]
const RUN_MS_MAX = 180_000
const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))

const { gateway } = await ownGatewayTest()
// Inside the project, so that TypeScript clients find their packages.
await mkdir(DIST, { recursive: true })
const workFolder = await mkdtemp(join(DIST, 'generators-test-'))
afterAll(() => rm(workFolder, { recursive: true, force: true }))

const run = (generators: readonly Generator[]): Promise<Row[]> =>
  runMatrix({
    generators,
    url: gateway.url,
    cache: cacheFolder(process.env),
    install: false,
    workFolder,
    onRow: () => undefined,
  })

test(
  'installed generators generate a client without warnings that collects a payment',
  async () => {
    const rows = await run(HERE)
    const notRun = [
      ...rows.flatMap(({ generator, missing }) => (missing === undefined ? [] : [`${generator}: ${missing}`])),
      ...GENERATORS.filter((each) => !HERE.includes(each)).map(
        ({ name }) => `${name}: only npm run generators runs it`,
      ),
    ]
    skipReason('only npm run generators installs them', notRun.join(', '))
    expect(rows.filter(hasFailed), matrixText(rows)).toEqual([])
    expect(rows.find(({ generator }) => generator === openapiTypescript.name)).toMatchObject({
      generated: 'yes',
      compiled: 'yes',
      called: 'yes',
    })
  },
  RUN_MS_MAX,
)

const planted = (changes: Partial<Generator>): Generator => {
  const done = async () => ({ code: 0, output: '' })
  return {
    name: 'planted',
    language: 'None',
    version: '1',
    reads: '3.1',
    explained: [],
    find: async () => ({ tool: 'true' }),
    generate: done,
    compile: done,
    call: done,
    ...changes,
  }
}
const rowOf = async (changes: Partial<Generator>): Promise<Row> => (await run([planted(changes)]))[0]!

test('reports a generator that is not installed as missing, neither passed nor failed', async () => {
  const row = await rowOf({ find: async () => ({ missing: 'no compiler' }) })
  expect(row).toMatchObject({ missing: 'no compiler', generated: '-', compiled: '-', called: '-' })
  expect(hasFailed(row)).toBe(false)
  expect(matrixText([row])).toContain('0 of 1 generators work, 0 failed, 1 missing')
})

test('lists the tracker issue of every generator that reads only 3.0', async () => {
  for (const { name, reads, older } of GENERATORS)
    expect(older?.startsWith('https://github.com/') ?? false, name).toBe(reads === '3.0')
  const row = await rowOf({ reads: '3.0', older: 'https://github.com/example/tool/issues/1' })
  expect(matrixText([row])).toContain('3.0 (https://github.com/example/tool/issues/1)')
})

test('fails a generator on a warning that nobody has explained', async () => {
  const generate = async () => ({ code: 0, output: '[main] WARN pattern is ignored\n' })
  const call = async () => {
    const { body } = await collect(gateway.url, { merchant_reference: 'auto' })
    return { code: 0, output: `accepted ${String(body.data.merchant_reference)}\n` }
  }
  expect(hasFailed(await rowOf({ generate, call }))).toBe(true)
  const explained = await rowOf({
    generate,
    call,
    explained: [{ line: /pattern is ignored/, why: 'it checks nothing' }],
  })
  expect(hasFailed(explained)).toBe(false)
  expect(matrixText([explained])).toContain('1 explained: it checks nothing')
})

test('fails a client that reports an acceptance unknown to the gateway', async () => {
  const row = await rowOf({ call: async () => ({ code: 0, output: 'accepted MREF0000000000000000\n' }) })
  expect(row.called).toBe('the gateway does not know MREF0000000000000000: 404')
  expect(hasFailed(row)).toBe(true)
})

test('reports the first error line of the failed step and skips later steps', async () => {
  const row = await rowOf({
    compile: async () => ({ code: 1, output: 'Compiling\nerror: no such type\nhint: none\n' }),
  })
  expect(row).toMatchObject({ generated: 'yes', compiled: 'error: no such type', called: '-' })
})
