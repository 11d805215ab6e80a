import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Json } from '../reading/json.ts'
import { entriesBetween, firstEntries, type Release } from './history.ts'
import { GET, ORDER, REQUEST } from './expected-change.ts'
import { edited, smallContract, type Edit } from './small-contract.ts'

const entriesAfter = (...edits: readonly Edit[]) =>
  entriesBetween(smallContract, edited(smallContract, ...edits)).map(
    ({ kind, isBreaking, what, operations }) =>
      `${kind}${isBreaking ? ', breaking' : ''}: ${what} (${operations.join(', ')})`,
  )

test('a field that is new is added where it is, and nothing breaks', () => {
  expect(entriesAfter([`${ORDER} properties gift`, { type: 'string' }])).toEqual([
    'added: field `gift` (getOrder, placeOrder, orderCallback)',
  ])
})

test('what only one side can send or take breaks, and is told first, with what it does', () => {
  expect(
    entriesAfter(
      [`${ORDER} properties gift`, { type: 'string' }],
      [`${REQUEST} properties amount maximum`, 50],
      [`${REQUEST} properties amount minimum`, 2],
      [`${ORDER} properties loss`, undefined],
    ),
  ).toEqual([
    'removed, breaking: field `loss` (getOrder, placeOrder, orderCallback)',
    'changed, breaking: `amount` takes less than before (`minimum`, `maximum`) (placeOrder)',
    'added: field `gift` (getOrder, placeOrder, orderCallback)',
  ])
})

test('a header that only some replies got is said to be in these', () => {
  expect(
    entriesAfter([
      `${GET} responses 404`,
      { description: 'Not there.', headers: { Lost: { schema: { type: 'string' } } } },
    ]),
  ).toEqual(['added: header `Lost`, in replies 404 (getOrder)'])
})

test('a path that is gone takes its operations with it, and other texts are no entry', () => {
  expect(entriesAfter(['paths /orders', undefined], ['info description', 'Buys.']).slice(0, 1)).toEqual([
    'removed, breaking: path `/orders` (placeOrder)',
  ])
  expect(entriesAfter(['info description', 'Buys.'])).toEqual([])
})

test('the first release brought everything', () => {
  expect(firstEntries(smallContract)).toEqual([
    {
      kind: 'added',
      isBreaking: false,
      what: 'everything',
      subjects: [],
      operations: ['getOrder', 'placeOrder', 'redirect', 'orderCallback'],
    },
  ])
})

test('the history ends with what is released now, as the comparison told it', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
  const { version, contract } = read('released.json') as { readonly version: string; readonly contract: Json }
  const history = read('history.json') as readonly Release[]
  expect(history[0]?.version).toBe(version)
  if (history.length === 1) expect(history[0]?.entries).toEqual(firstEntries(contract))
})
