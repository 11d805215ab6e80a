import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { collect } from '../../../server/verification/testing/requests.ts'
import { cacheFolder, type Generator } from './generator.ts'
import { GENERATORS, python } from './generators.ts'
import { hasFailed, matrixText, runMatrix, type Row } from './matrix.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { skipReason } from '../../../server/verification/testing/skip-reason.ts'

/** `npm run generators` runs all generators: compilers of six languages take minutes. */
const [openapiTypescript] = GENERATORS as readonly [Generator]
const HERE = [openapiTypescript, python]
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

const rowOf = async (changes: Partial<Generator>): Promise<Row> => {
  const done = { generate: 'true', compile: 'true', call: 'true' }
  const [row] = await run([{ name: 'planted', language: 'None', version: '1', reads: '3.1', ...done, ...changes }])
  return row!
}

test('reports a generator that is not installed as missing, neither passed nor failed', async () => {
  const row = await rowOf({ needs: { compiler: 'false' } })
  expect(row).toMatchObject({ missing: 'no compiler', generated: '-', compiled: '-', called: '-' })
  expect(hasFailed(row)).toBe(false)
  expect(matrixText([row])).toContain('0 of 1 generators work, 0 failed, 1 missing')
})

test('lists the tracker issue of every generator that reads only 3.0', () => {
  for (const { name, reads, older } of GENERATORS)
    expect(older?.startsWith('https://github.com/') ?? false, name).toBe(reads === '3.0')
})

test('fails a generator on a warning that nobody has explained', async () => {
  const { body } = await collect(gateway.url, { merchant_reference: 'auto' })
  const steps = {
    generate: "echo '[main] WARN pattern is ignored'",
    call: `echo accepted ${String(body.data.merchant_reference)}`,
  }
  expect(hasFailed(await rowOf(steps))).toBe(true)
  const explained = await rowOf({ ...steps, explained: [{ line: /pattern is ignored/, why: 'it checks nothing' }] })
  expect(hasFailed(explained)).toBe(false)
  expect(matrixText([explained])).toContain('1 explained: it checks nothing')
})

test('fails an acceptance that the gateway does not know, and a step by its error', async () => {
  const row = await rowOf({ call: 'echo accepted MREF0000000000000000' })
  expect(row.called).toBe('the gateway does not know MREF0000000000000000: 404')
  expect(hasFailed(row)).toBe(true)
  expect(await rowOf({ compile: "echo Compiling; echo 'error: no such type'; exit 1" })).toMatchObject({
    generated: 'yes',
    compiled: 'error: no such type',
    called: '-',
  })
})
