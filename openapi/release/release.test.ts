import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Change } from './change.ts'
import { compareContracts } from './compare.ts'
import { objectOf } from '../reading/json.ts'
import { children, descendant, fileOf, rootOf } from '../reading/places.ts'
import { escapeKey } from '../reading/references.ts'
import { redoclyChanges, withSecondReader } from './second-reader.ts'
import { readCurrentContract, readReleased, verdictSince } from './released.ts'
import { edited, type Edit } from './small-contract.ts'

const released = (await readReleased())!
const contract = objectOf(released.contract)

test('package.json and CHANGELOG.md match the contract changes since the last release', async () => {
  const { changes, refusals } = await verdictSince(released)
  console.log(
    `${changes.length} changes since ${released.version}: ${['major', 'minor', 'patch'].map((level) => `${changes.filter((change) => change.level === level).length} ${level}`).join(', ')}`,
  )
  expect(refusals).toEqual([])
})

test('every path, webhook and component is in the file that its changes are named by', async () => {
  const root = rootOf(await readCurrentContract())
  const areas = [
    ['paths'],
    ['webhooks'],
    ...children(descendant(root, 'components')).map(([kind]) => ['components', kind]),
  ]
  const pointers = areas.flatMap((keys) =>
    Object.keys(objectOf(descendant(root, ...keys).node)).map((name) => `#/${[...keys, escapeKey(name)].join('/')}`),
  )
  expect(pointers.length).toBeGreaterThan(100)
  expect(pointers.filter((pointer) => !existsSync(new URL(`../../${fileOf(pointer)}`, import.meta.url)))).toEqual([])
})

const readers = (...edits: readonly Edit[]): { readonly ours: Change[]; readonly theirs: Change[] } => {
  const current = edited(contract, ...edits)
  return { ours: compareContracts(contract, current), theirs: redoclyChanges(contract, current) }
}

test('finds the breaks that Redocly finds: operation, request, field, key', () => {
  const { ours, theirs: others } = readers(
    ['paths /data/payout-bank-codes', undefined],
    ['components schemas Msisdn maxLength', 10],
    ['components schemas Wallet properties reserve_balance', undefined],
    ['paths /collections/initialize post security', [{ publicKey: [], secretKey: [] }]],
  )
  expect(others.filter(({ level }) => level === 'major').length).toBeGreaterThanOrEqual(4)
  expect(withSecondReader(ours, others)).toEqual(ours)
})

test('finds breaks that Redocly misses in callbacks: no signature, another reference', () => {
  const { ours, theirs } = readers(
    ['webhooks payoutCallback post parameters 5', undefined],
    ['components parameters RedirectInternalReference required', false],
  )
  expect(ours.map(({ level }) => level)).toEqual(['major', 'major'])
  expect(theirs.filter(({ level }) => level === 'major')).toEqual([])
})

test('merges the changes of both readers, and reports a shared one once, as ours', () => {
  const own = (level: Change['level'], where: string): Change => ({ level, where, what: 'ours', subjects: [] })
  const ours = [own('minor', 'openapi/a.yaml#/enum'), own('patch', 'openapi/b.yaml#/description')]
  const others = [
    'openapi/a.yaml#/enum',
    'openapi/a.yaml#/enum/0',
    'openapi/a.yaml#/enumeration',
    'openapi/b.yaml',
  ].map((where): Change => ({ level: 'major', where, what: 'theirs', subjects: [] }))
  expect(withSecondReader(ours, others).map(({ where }) => where)).toEqual([
    'openapi/a.yaml#/enum',
    'openapi/b.yaml#/description',
    'openapi/a.yaml#/enumeration',
    'openapi/b.yaml',
  ])
})
