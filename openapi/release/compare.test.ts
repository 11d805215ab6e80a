import { expect, test } from 'vitest'
import type { Json } from '../reading/json.ts'
import { compareContracts } from './compare.ts'
import { edited, joined, marked, smallContract, type Edit } from './small-contract.ts'
import { surfaceOf } from './surface.ts'

const REQUEST = 'components schemas CardRequest'
const ORDER = 'components schemas Order'
const GET = 'paths /orders/{id} get'
const POST = 'paths /orders post'
const WEBHOOK = 'webhooks orderCallback post'
const smallRedirect: Json = { get: { operationId: 'redirect', responses: { '2XX': { description: 'Shown.' } } } }

/** A change, one of its subjects, and the edits of the small contract that make it. */
type Row = readonly [name: string, subject: string, ...edits: Edit[]]

const BREAKING: readonly Row[] = [
  [
    'a new required field of a request',
    'pin',
    [`${REQUEST} properties pin`, { type: 'string' }],
    [`${REQUEST} required`, ['method', 'currency', 'amount', 'pin']],
  ],
  ['another default of a request', 'hosted', [`${REQUEST} properties hosted default`, true]],
  [
    'a branch of a request that goes away',
    'CASH',
    ['components schemas Request oneOf 1', undefined],
    ['components schemas Request discriminator mapping CASH', undefined],
  ],
  [
    'a request with another discriminator',
    'placeOrder',
    ['components schemas Request discriminator propertyName', 'kind'],
  ],
  ['a keyword that no rule knows', 'note', [`${REQUEST} properties note not`, { enum: ['x'] }]],
  ['a new value of a reply', 'colour', [`${ORDER} properties colour enum`, ['RED', 'BLUE']]],
  ['a success that goes away', '202', [`${POST} responses 202`, undefined]],
  ['a new success', '201', [`${POST} responses 201`, { description: 'Done.' }]],
  [
    'a header of a reply that becomes optional',
    'X-Request-Id',
    ['components responses Order headers X-Request-Id required', false],
  ],
  ['a looser part of a reply', 'payload', ['components schemas PaidOrder allOf 1', undefined]],
  [
    'a new required parameter',
    'page',
    [`${GET} parameters 3`, { name: 'page', in: 'query', required: true, schema: { type: 'integer' } }],
  ],
  ['a signature that no longer comes with a callback', 'signature', [`${WEBHOOK} parameters 0`, undefined]],
  ['a reply without a schema', '202', [`${POST} responses 202 content application/json schema`, undefined]],
  ['a callback that comes without a body', 'orderCallback', [`${WEBHOOK} requestBody`, undefined]],
  ['a callback whose replies are not listed any more', '410', [`${WEBHOOK} responses`, undefined]],
  ['a callback that goes away', 'orderCallback', ['webhooks orderCallback', undefined]],
  ['a redirect that goes away', 'redirect', [`${POST} callbacks redirect`, undefined]],
  ['a method that goes away', 'placeOrder', [POST, undefined]],
  ['another operationId', 'placeOrder', [`${POST} operationId`, 'order']],
  ['a further key that is required', 'secretKey', [`${GET} security`, [{ publicKey: [], secretKey: [] }]]],
  ['one of two keys that is no longer enough', 'placeOrder', [`${POST} security`, [{ publicKey: [] }]]],
  ['a key in another header', 'publicKey', ['components securitySchemes publicKey name', 'api-key']],
  [
    'a redirect to another address',
    '{$request.body#/link}',
    [`${POST} callbacks redirect {$request.body#/url}`, undefined],
    [`${POST} callbacks redirect {$request.body#/link}`, smallRedirect],
  ],
  [
    'a parameter of a redirect that becomes optional',
    'event',
    [`${POST} callbacks redirect {$request.body#/url} get parameters 0 required`, false],
  ],
  ['a callback that may come without its body', 'orderCallback', [`${WEBHOOK} requestBody required`, false]],
  [
    'a value that no longer leads to a branch of a request',
    'CASH',
    ['components schemas Request discriminator mapping CASH', undefined],
  ],
  ['a request whose branches are not listed any more', 'CARD', ['components schemas Request oneOf', undefined]],
  [
    'a new media type of a reply',
    'text/csv',
    ['components responses Order content text/csv', { schema: { type: 'string' } }],
  ],
  ['a schema that no rule knows', 'colour', [`${ORDER} properties colour if`, { minLength: 2 }]],
  ['fields whose names only have a pattern', 'placeOrder', [`${REQUEST} patternProperties`, { '^x': {} }]],
  ['another encoding of a body', 'placeOrder', [`${POST} requestBody content application/json encoding`, { note: {} }]],
  ['an operation at another server', 'http://127.0.0.1:9090', [`${POST} servers`, [{ url: 'http://127.0.0.1:9090' }]]],
  ['another way to write a parameter of a callback', 'signature', [`${WEBHOOK} parameters 0 explode`, true]],
  ['a status that may be any text', 'transaction_status', ['components schemas Status enum', undefined]],
  ['a required body where there was none', 'getOrder', [`${GET} requestBody`, { required: true, content: {} }]],
]

const ADDING: readonly Row[] = [
  ['a longer text in a request', 'note', [`${REQUEST} properties note maxLength`, 60]],
  ['a bound of a request that goes away', 'amount', [`${REQUEST} properties amount maximum`, undefined]],
  ['a lower minimum of a request', 'amount', [`${REQUEST} properties amount minimum`, 0]],
  ['a new value of a request', 'size', ['components schemas CashRequest properties size enum', ['S', 'M', 'L']]],
  ['a request that may have undeclared fields', 'placeOrder', [`${REQUEST} additionalProperties`, undefined]],
  ['a body that becomes optional', 'placeOrder', [`${POST} requestBody required`, false]],
  [
    'a new media type of a request',
    'placeOrder',
    [`${POST} requestBody content text/csv`, { schema: { type: 'string' } }],
  ],
  ['a new field of a reply', 'size', [`${ORDER} properties size`, { type: 'string' }]],
  ['a field of a reply that becomes required', 'colour', [`${ORDER} required`, ['id', 'transaction_status', 'colour']]],
  [
    'a new header in lower case',
    'x-size',
    ['components responses Order headers x-size', { schema: { type: 'number' } }],
  ],
  ['a new status of a transaction', 'REFUNDED', ['components schemas Status enum', ['OPEN', 'PAID', 'REFUNDED']]],
  ['a new value of an open-ended list', 'burnt', [`${ORDER} properties loss x-extensible-enum`, ['stolen', 'burnt']]],
  [
    'a value of an open-ended list that nobody sends any more',
    'loss',
    [`${ORDER} properties loss x-extensible-enum`, []],
  ],
  ['a new event', 'order.lost', ['components schemas Event enum', ['order.paid', 'order.lost']]],
  [
    'a new branch of a callback',
    'order.lost',
    ['components schemas Callback oneOf 1', { $ref: '#/components/schemas/LostCallback' }],
    ['components schemas Callback discriminator mapping order.lost', '#/components/schemas/LostCallback'],
  ],
  ['a shorter text in a reply', 'id', [`${ORDER} properties id maxLength`, 10]],
  ['a new error', '409', [`${POST} responses 409`, { description: 'Twice.' }]],
  [
    'a new optional parameter',
    'page',
    [`${GET} parameters 3`, { name: 'page', in: 'query', schema: { type: 'integer' } }],
  ],
  [
    'a new header of a callback',
    'id',
    [`${WEBHOOK} parameters 1`, { name: 'id', in: 'header', required: true, schema: { type: 'string' } }],
  ],
  ['a new callback', 'refunded', ['webhooks refunded', { post: { operationId: 'refunded' } }]],
  ['a new path', '/refunds', ['paths /refunds', { post: { operationId: 'refund' } }]],
  ['a key that is no longer needed', 'getOrder', [`${GET} security`, []]],
  ['a deprecated operation', 'placeOrder', [`${POST} deprecated`, true]],
  ['a deprecated parameter', 'currency', [`${GET} parameters 1 deprecated`, true]],
  ['an optional header of a reply that goes away', 'X-Hint', ['components responses Order headers X-Hint', undefined]],
  ['an error that goes away', '404', [`${GET} responses 404`, undefined]],
  ['a new reply to a callback', '429', [`${WEBHOOK} responses 429`, { description: 'Later.' }]],
]

const HARMLESS: readonly (readonly [name: string, ...edits: Edit[]])[] = [
  ['another description', ['components schemas Currency description', 'Three letters.']],
  ['another order of what is required', [`${REQUEST} required`, ['amount', 'method', 'currency']]],
  ['a component that nothing refers to', ['components schemas Alone', { type: 'string' }]],
  ['a schema written out where it is used', [`${GET} parameters 1 schema`, { type: 'string', pattern: '^[A-Z]{3}$' }]],
]

// One comparison for all: each row edits a copy of the small contract whose names carry the number of the row.
const rows: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ...[...BREAKING, ...ADDING].map(([name, , ...edits]) => [name, edits] as const),
  ...HARMLESS.map(([name, ...edits]) => [name, edits] as const),
]
const changes = compareContracts(
  joined(rows.map((_, row) => marked(smallContract, row))),
  joined(rows.map(([, edits], row) => marked(edited(smallContract, ...edits), row))),
)
const named = (table: readonly Row[]) => table.map(([name, subject]) => ({ name, subject }))
const changesOf = (name: string) => {
  const mark = `_${rows.findIndex(([each]) => each === name)}_`
  return changes
    .filter(({ where, what }) => `${where} ${what}`.includes(mark))
    .map(({ level, subjects }) => ({ level, subjects: subjects.map((subject) => subject.replace(mark, '')) }))
}

test.each(named(BREAKING))('$name is major', ({ name, subject }) => {
  const breaking = changesOf(name).filter(({ level }) => level === 'major')
  expect(breaking.flatMap(({ subjects }) => subjects)).toContain(subject)
})

test.each(named(ADDING))('$name is minor', ({ name, subject }) => {
  expect(changesOf(name).filter(({ level }) => level !== 'minor')).toEqual([])
  expect(changesOf(name).flatMap(({ subjects }) => subjects)).toContain(subject)
})

test.each(HARMLESS.map(([name]) => ({ name })))('$name is no change', ({ name }) => {
  expect(changesOf(name)).toEqual([])
})

test('names file, operations and values of each change, the gravest first', () => {
  const current = edited(
    { ...smallContract, servers: [] },
    [`${ORDER} properties size`, { type: 'string' }],
    ['components schemas Currency minLength', 3],
    ['webhooks orderCallback', undefined],
  )
  expect(compareContracts(smallContract, current).map(({ level, where, what }) => [level, where, what])).toEqual([
    [
      'major',
      'openapi/components/schemas/Currency.yaml#/minLength',
      "`minLength` goes from nothing to `3` (currency in getOrder, currency in placeOrder). `minLength` of `Currency` was set to '3'.",
    ],
    [
      'major',
      'openapi/openapi.yaml#/servers/0',
      'the server `http://127.0.0.1:8080` is gone. Server `http://127.0.0.1:8080` was removed.',
    ],
    [
      'major',
      'openapi/webhooks/order_callback.yaml',
      'the webhook `orderCallback` is gone (orderCallback). Webhook `orderCallback` was removed.',
    ],
    [
      'minor',
      'openapi/components/schemas/Order.yaml#/properties/size',
      'the field `size` is new (size in getOrder, size in placeOrder).',
    ],
  ])
})

test('finds no change where only the order of keys differs', () => {
  const reversed = JSON.parse(JSON.stringify(smallContract), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  ) as Json
  expect(compareContracts(smallContract, reversed)).toEqual([])
})

test('keeps names that look like texts or extensions, without the texts under them', () => {
  const text: Json = { type: 'string', description: 'Some text.' }
  const names = { title: text, 'x-size': text, headers: text }
  const bare = { title: { type: 'string' }, 'x-size': { type: 'string' }, headers: { type: 'string' } }
  expect(surfaceOf({ properties: names, headers: names, 'x-note': 'None.' })).toEqual({
    properties: bare,
    headers: bare,
  })
})

test('compares a schema that contains itself once', () => {
  const tree = edited(smallContract, [
    `${ORDER} properties parts`,
    { type: 'array', maxItems: 5, items: { $ref: '#/components/schemas/Order' } },
  ])
  const [change, ...others] = compareContracts(tree, edited(tree, [`${ORDER} properties parts maxItems`, 4]))
  expect(change?.where).toBe('openapi/components/schemas/Order.yaml#/properties/parts/maxItems')
  expect(others).toEqual([])
})
