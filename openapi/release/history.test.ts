import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Json } from '../reading/json.ts'
import { entriesBetween, firstEntries, type Release } from './history.ts'
import { edited, smallContract } from './small-contract.ts'

const ORDER = 'components schemas Order'
const AMOUNT = 'components schemas CardRequest properties amount'

test('says what was added, changed and removed, where, and what breaks first', () => {
  const current = edited(
    smallContract,
    [`${ORDER} properties gift`, { type: 'string' }],
    [`${AMOUNT} maximum`, 50],
    [`${AMOUNT} minimum`, 2],
    [`${ORDER} properties loss`, undefined],
    ['components schemas Event enum', ['order.paid', 'order.lost']],
    [
      'paths /orders/{id} get responses 404',
      { description: 'Not there.', headers: { Lost: { schema: { type: 'string' } } } },
    ],
    ['paths /refunds', { post: { operationId: 'refund', responses: {} } }],
    ['info description', 'Buys.'],
  )
  expect(
    entriesBetween(smallContract, current).map(
      ({ kind, isBreaking, what, operations }) =>
        `${kind}${isBreaking ? ', breaking' : ''}: ${what} (${operations.join(', ')})`,
    ),
  ).toEqual([
    'removed, breaking: field `loss` (getOrder, placeOrder, orderCallback)',
    'changed, breaking: `amount` takes less than before (`maximum`, `minimum`) (placeOrder)',
    'added: path `/refunds` (refund)',
    'added: field `gift` (getOrder, placeOrder, orderCallback)',
    'added: header `Lost`, in replies 404 (getOrder)',
    'changed: `event` gains the value `order.lost` (redirect, orderCallback)',
  ])
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

test('the history ends with what is released now', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
  const { version, contract } = read('released.json') as { readonly version: string; readonly contract: Json }
  const history = read('history.json') as readonly Release[]
  expect(history[0]?.version).toBe(version)
  if (history.length === 1) expect(history[0]?.entries).toEqual(firstEntries(contract))
})
