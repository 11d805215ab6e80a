import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { NoAnswer, NotSent } from './operator-errors.ts'
import { addRailPackages } from './packages.ts'
import { kindList, RAIL_KINDS } from './registry.ts'

const list = kindList(RAIL_KINDS)
const folder = mkdtempSync(join(tmpdir(), 'rail-packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const KIND = `{ name: 'ours', title: 'Ours', types: ['PAYOUT'], callbackTails: [], settings: {}, connect() {} }`
const CONTRACT = `{ openapi: '3.1.0', info: { title: 'Ours', version: '1' }, paths: {} }`
const exporting = ({ port = '1', kind = KIND, contract = CONTRACT } = {}): string =>
  `export default { port: ${port}, kind: ${kind}, contract: ${contract} }`

let written = 0
function file(source: string): { path: string; sha256: string } {
  const path = join(folder, `${(written += 1)}.mjs`)
  writeFileSync(path, source)
  return { path, sha256: createHash('sha256').update(source).digest('hex') }
}
const kindNamed = (name: string, more = ''): string => KIND.replace("'ours'", `'${name}'`).replace('{ ', `{ ${more}`)

test('adds the kind of a package once, with its contract and its origin', async () => {
  const origin = file(exporting())
  await addRailPackages([origin, origin], list)
  expect(list.railKind('ours')?.contract?.facts).toEqual([])
  expect(list.packageOf('ours')).toEqual(origin)
  expect(list.packageOf('mtn-momo')).toBeUndefined()
})

test('checks the file at every start, also one that has run before', async () => {
  const origin = file(exporting({ kind: kindNamed('again') }))
  await addRailPackages([origin], list)
  writeFileSync(origin.path, 'changed')
  await expect(addRailPackages([origin], list)).rejects.toThrow('it is not run')
})

test('never runs a file of another hash', async () => {
  const { path } = file('globalThis.ranUnchecked = true')
  const sha256 = 'f'.repeat(64)
  await expect(addRailPackages([{ path, sha256 }], list)).rejects.toThrow(
    /^MALIPO_RAIL_PACKAGES: \S+ has the SHA-256 [0-9a-f]{64}, not f{64}: it is not run$/,
  )
  expect(globalThis).not.toHaveProperty('ranUnchecked')
})

test.each([
  ['no such file', { path: join(folder, 'none.mjs'), sha256: '' }, 'cannot be read (ENOENT)'],
  ['a folder', { path: folder, sha256: '' }, 'is no file of up to 8388608 bytes'],
  ['no code', file('export default ;'), "does not run: SyntaxError: Unexpected token ';'"],
  ['code that throws', file(`throw new Error('at the top')`), 'does not run: Error: at the top'],
  ['an import of what lies beside it', file(`import './2.mjs'`), 'does not run: TypeError'],
  ['nothing exported', file(''), 'exports no rail package as its default'],
  ['another port', file(exporting({ port: '2' })), 'is made for version 2 of the port, and Malipo has version 1 here'],
  ['a kind of the tree', file(exporting({ kind: kindNamed('airtel') })), 'has the kind airtel, which this version of'],
  ['no contract', file(exporting({ contract: '{}' })), 'has no OpenAPI 3.1 as its contract'],
  ['no connect', file(exporting({ kind: KIND.replace('connect', 'disconnect') })), 'has no connect'],
  [
    'a setting of every rail',
    file(exporting({ kind: KIND.replace('settings: {}', `settings: { timeout_ms: { meaning: 'x' } }`) })),
    'declares the setting timeout_ms, which every rail has',
  ],
  [
    'a default that it refuses',
    file(
      exporting({
        kind: KIND.replace('settings: {}', `settings: { a: { meaning: 'x', default: '1', fault: () => 'is odd' } }`),
      }),
    ),
    'has a default that it does not accept: a is odd',
  ],
])('refuses %s with a sentence that names the file', async (_what, origin, fault) => {
  await expect(addRailPackages([origin], list)).rejects.toThrow(`MALIPO_RAIL_PACKAGES: ${origin.path} ${fault}`)
})

test('an error of another copy of its class counts as one of ours', async () => {
  const copy = `./operator-errors.ts?copy`
  const { NotSent: OfPackage } = (await import(/* @vite-ignore */ copy)) as { NotSent: typeof NotSent }
  expect(OfPackage).not.toBe(NotSent)
  expect(new OfPackage('x')).toBeInstanceOf(NotSent)
  expect(new OfPackage('x')).not.toBeInstanceOf(NoAnswer)
  class Narrower extends NotSent {}
  expect([new Narrower(), new NotSent()].map((error) => error instanceof Narrower)).toEqual([true, false])
})
