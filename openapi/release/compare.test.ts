import { expect, test } from 'vitest'
import type { Json } from '../reading/json.ts'
import { compareContracts } from './compare.ts'
import { GET, ORDER, POST, rule, testEach } from './expected-change.ts'
import { edited, smallContract } from './small-contract.ts'

testEach([
  rule(
    'a path that goes away is major',
    ['paths/orders.yaml', /path `\/orders` is gone/, '/orders'],
    ['paths /orders', undefined],
  ),
  rule(
    'a new path is minor',
    ['paths/refunds.yaml', /path `\/refunds` is new/, '/refunds'],
    ['paths /refunds', { post: { operationId: 'refund' } }],
  ),
  rule(
    'a method that goes away is major',
    ['paths/orders.yaml#/post', /operation placeOrder is gone/, 'placeOrder'],
    [POST, undefined],
  ),
  rule(
    'another operationId is major',
    ['paths/orders.yaml#/post/operationId', /called `order`, not `placeOrder`/, 'placeOrder'],
    [`${POST} operationId`, 'order'],
  ),
  rule(
    'one more key is major',
    ['paths/orders_{id}.yaml#/get/security', /needs publicKey and secretKey, not publicKey/, 'secretKey'],
    [`${GET} security`, [{ publicKey: [], secretKey: [] }]],
  ),
  rule(
    'a key that is no longer needed is minor',
    ['paths/orders_{id}.yaml#/get/security', /needs no key, not publicKey/, 'getOrder'],
    ['paths /orders/{id} get security', []],
  ),
  rule(
    'one of two keys that is no longer enough is major',
    ['paths/orders.yaml#/post/security', /needs publicKey, not publicKey, or secretKey/, 'placeOrder'],
    [`${POST} security`, [{ publicKey: [] }]],
  ),
  rule(
    'a key in another header is major',
    ['components/securitySchemes/publicKey.yaml#/name', /`public-key` to `api-key`/, 'publicKey'],
    ['components securitySchemes publicKey name', 'api-key'],
  ),
  rule(
    'a deprecated operation is minor',
    ['paths/orders.yaml#/post/deprecated', /is deprecated \(placeOrder\)/, 'placeOrder'],
    [`${POST} deprecated`, true],
  ),
  rule(
    'a deprecated parameter is minor',
    ['paths/orders_{id}.yaml#/get/parameters/1/deprecated', /is deprecated/, 'currency'],
    [`${GET} parameters 1 deprecated`, true],
  ),
  rule(
    'a server that goes away is major',
    ['openapi.yaml#/servers', /is gone/, 'http://127.0.0.1:8080'],
    ['servers', []],
  ),
  rule(
    'another description is a patch',
    ['components/schemas/Currency.yaml#/description', /another text/, 'currency'],
    ['components schemas Currency description', 'Three letters.'],
  ),
  rule(
    'another title of the contract is a patch',
    ['openapi.yaml#/info', /another text/, 'contract'],
    ['info title', 'Kiosk'],
  ),
])

test('a contract has not changed since itself, whatever the order of its keys', () => {
  const reversed = JSON.parse(JSON.stringify(smallContract), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  ) as Json
  expect(compareContracts(smallContract, reversed)).toEqual([])
})

test('a schema written out where it is used, instead of by reference, is no change', () => {
  const inline = edited(smallContract, [
    `${GET} parameters 1 schema`,
    { type: 'string', description: 'A currency.', pattern: '^[A-Z]{3}$' },
  ])
  expect(compareContracts(smallContract, inline)).toEqual([])
})

test('a narrower schema is major for requests, minor for replies, and names operations', () => {
  const changes = compareContracts(smallContract, edited(smallContract, ['components schemas Currency minLength', 3]))
  expect(changes.map(({ level, what }) => [level, what.slice(what.indexOf(':'))])).toEqual([
    ['major', ': narrower for what merchants send (currency in getOrder, currency in placeOrder)'],
    [
      'minor',
      ': narrower for what merchants receive (currency in getOrder, currency in placeOrder, currency in orderCallback)',
    ],
  ])
})

test('a header of a reply that came rule sometimes and comes no more is minor', () => {
  const sometimes = edited(smallContract, ['components responses Order headers X-Request-Id required', false])
  const [change] = compareContracts(sometimes, edited(sometimes, ['components responses Order headers', {}]))
  expect(change).toMatchObject({ level: 'minor', what: expect.stringMatching(/header `X-Request-Id` is gone/) })
})

test('the gravest change comes first', () => {
  const changes = compareContracts(
    smallContract,
    edited(
      smallContract,
      ['info title', 'Kiosk'],
      ['paths /refunds', { post: { operationId: 'refund' } }],
      ['webhooks orderCallback', undefined],
    ),
  )
  expect(changes.map(({ level }) => level)).toEqual(['major', 'minor', 'patch'])
})

test('a schema that contains itself is compared once', () => {
  const tree = edited(smallContract, [
    `${ORDER} properties parts`,
    { type: 'array', maxItems: 5, items: { $ref: '#/components/schemas/Order' } },
  ])
  const changes = compareContracts(tree, edited(tree, [`${ORDER} properties parts maxItems`, 4]))
  expect(changes.map(({ where }) => where)).toEqual([
    'openapi/components/schemas/Order.yaml#/properties/parts/maxItems',
  ])
})
