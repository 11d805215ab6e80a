import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareContracts } from './compare.ts'
import { objectOf } from '../reading/json.ts'
import { children, descendant, fileOf, rootOf } from '../reading/places.ts'
import { escapeKey } from '../reading/references.ts'
import { readCurrentContract, readReleased, verdictSince } from './released.ts'
import { edited, type Edit } from './small-contract.ts'

const contract = objectOf(await readCurrentContract())

test('package.json and CHANGELOG.md name every change since the last release', async () => {
  const { changes, refusals } = await verdictSince((await readReleased())!)
  console.log(`${changes.length} changes since the last release`)
  expect(refusals).toEqual([])
})

test('every path, webhook and component is declared in the file that a change names', () => {
  const root = rootOf(contract)
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

const REDIRECT = 'paths /collections/initialize post callbacks customerRedirect {$request.body#/redirect_url} get'

/**
 * Breaks of Malipo's own contract, one of each part: where each is reported, and the edit that makes it. The kinds are
 * in compare.test.ts.
 */
const BREAKS: readonly (readonly [where: string, edit: Edit])[] = [
  ['paths/data_payout-bank-codes.yaml', ['paths /data/payout-bank-codes', undefined]],
  [
    'paths/collections_initialize.yaml#/post/security/0/secretKey',
    ['paths /collections/initialize post security', [{ publicKey: [], secretKey: [] }]],
  ],
  [
    'components/schemas/MobileMoneyPayoutRequest.yaml#/required',
    ['components schemas MobileMoneyPayoutRequest required 9', 'extra_params'],
  ],
  [
    'components/schemas/CollectionTransaction.yaml#/properties/charge_customer',
    ['components schemas CollectionTransaction properties charge_customer', undefined],
  ],
  ['webhooks/payout_callback.yaml#/post/parameters/5', ['webhooks payoutCallback post parameters 5', undefined]],
  [
    'paths/collections_initialize.yaml#/post/callbacks/customerRedirect/{$request.body#~1redirect_url}/get/parameters/3/required',
    [`${REDIRECT} parameters 3 required`, false],
  ],
]

test('finds breaks of requests, replies, webhooks and redirects', () => {
  const current = edited(contract, ...BREAKS.map(([, edit]) => edit))
  const breaking = compareContracts(contract, current).filter(({ level }) => level === 'major')
  expect(breaking.map(({ where }) => where).toSorted()).toEqual(BREAKS.map(([where]) => `openapi/${where}`).toSorted())
})
