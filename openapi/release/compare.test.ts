import { expect, test } from 'vitest'
import type { Level } from './change.ts'
import { compareContracts } from './compare.ts'
import type { Json } from '../reading/json.ts'
import { edited, smallContract, type Edit } from './small-contract.ts'

const REQUEST = 'components schemas CardRequest'
const ORDER = 'components schemas Order'
const GET = 'paths /orders/{id} get'
const POST = 'paths /orders post'
const WEBHOOK = 'webhooks orderCallback post'

interface Expected {
  readonly rule: string
  readonly edits: readonly Edit[]
  readonly level: Level
  /** After `openapi/`. */
  readonly where: string
  readonly what: RegExp
  readonly subject: string
}

const only = (
  rule: string,
  edits: readonly Edit[],
  level: Level,
  where: string,
  what: RegExp,
  subject: string,
): Expected => ({ rule, edits, level, where, what, subject })

const requests: readonly Expected[] = [
  only(
    'a new required field of a request is major',
    [
      [`${REQUEST} properties pin`, { type: 'string' }],
      [`${REQUEST} required`, ['method', 'currency', 'amount', 'pin']],
    ],
    'major',
    'components/schemas/CardRequest.yaml#/required',
    /new field `pin` is required \(pin in placeOrder\)/,
    'pin',
  ),
  only(
    'a new optional field of a request is minor',
    [[`${REQUEST} properties pin`, { type: 'string' }]],
    'minor',
    'components/schemas/CardRequest.yaml#/properties/pin',
    /field `pin` is new/,
    'pin',
  ),
  only(
    'an optional field of a request that becomes required is major',
    [[`${REQUEST} required`, ['method', 'currency', 'amount', 'note']]],
    'major',
    'components/schemas/CardRequest.yaml#/required',
    /`note` is now required: narrower/,
    'note',
  ),
  only(
    'a required field of a request that becomes optional is minor',
    [[`${REQUEST} required`, ['method', 'currency']]],
    'minor',
    'components/schemas/CardRequest.yaml#/required',
    /`amount` is no longer required/,
    'amount',
  ),
  only(
    'a removed field of a request is major',
    [[`${REQUEST} properties note`, undefined]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note',
    /`note` is gone/,
    'note',
  ),
  only(
    'a shorter text in a request is major',
    [[`${REQUEST} properties note maxLength`, 40]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note/maxLength',
    /from `50` to `40`: narrower/,
    'note',
  ),
  only(
    'a longer text in a request is minor',
    [[`${REQUEST} properties note maxLength`, 60]],
    'minor',
    'components/schemas/CardRequest.yaml#/properties/note/maxLength',
    /from `50` to `60`: wider/,
    'note',
  ),
  only(
    'a first bound of a request is major',
    [[`${REQUEST} properties note minLength`, 2]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note/minLength',
    /from nothing to `2`: narrower/,
    'note',
  ),
  only(
    'a bound of a request that goes away is minor',
    [[`${REQUEST} properties amount maximum`, undefined]],
    'minor',
    'components/schemas/CardRequest.yaml#/properties/amount/maximum',
    /to nothing: wider/,
    'amount',
  ),
  only(
    'a higher minimum of a request is major',
    [[`${REQUEST} properties amount minimum`, 5]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/amount/minimum',
    /`1` to `5`: narrower/,
    'amount',
  ),
  only(
    'a lower minimum of a request is minor',
    [[`${REQUEST} properties amount minimum`, 0]],
    'minor',
    'components/schemas/CardRequest.yaml#/properties/amount/minimum',
    /`1` to `0`: wider/,
    'amount',
  ),
  only(
    'a number of a request that becomes an integer is major',
    [[`${REQUEST} properties amount type`, 'integer']],
    'major',
    'components/schemas/CardRequest.yaml#/properties/amount/type',
    /`number` to `integer`: narrower/,
    'amount',
  ),
  only(
    'another type of a request is major',
    [[`${REQUEST} properties note type`, 'number']],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note/type',
    /another form/,
    'note',
  ),
  only(
    'another default of a request is major: it decides what is meant',
    [[`${REQUEST} properties hosted default`, true]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/hosted/default',
    /the default goes from `false` to `true`/,
    'hosted',
  ),
  only(
    'a value that a request may no longer have is major',
    [['components schemas CashRequest properties size enum', ['S']]],
    'major',
    'components/schemas/CashRequest.yaml#/properties/size/enum',
    /loses the value `M`/,
    'size',
  ),
  only(
    'a new value of a request is minor',
    [['components schemas CashRequest properties size enum', ['S', 'M', 'L']]],
    'minor',
    'components/schemas/CashRequest.yaml#/properties/size/enum',
    /gains the value `L`/,
    'size',
  ),
  only(
    'a list of values for what was free in a request is major',
    [[`${REQUEST} properties note enum`, ['A']]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note/enum',
    /`enum` goes from nothing/,
    'note',
  ),
  only(
    'a branch of a request that goes away is major',
    [
      ['components schemas Request oneOf 1', undefined],
      ['components schemas Request discriminator mapping CASH', undefined],
    ],
    'major',
    'components/schemas/Request.yaml#/oneOf',
    /branch `CASH` of `method` is gone/,
    'CASH',
  ),
  only(
    'a request whose branches are told apart by another field is major',
    [['components schemas Request discriminator propertyName', 'kind']],
    'major',
    'components/schemas/Request.yaml#/discriminator',
    /told apart by `kind`, not by `method`/,
    'placeOrder',
  ),
  only(
    'a request that may have undeclared fields is minor',
    [[`${REQUEST} additionalProperties`, undefined]],
    'minor',
    'components/schemas/CardRequest.yaml#/additionalProperties',
    /from `false` to `true`: wider/,
    'placeOrder',
  ),
  only(
    'a body that becomes optional is minor',
    [[`${POST} requestBody required`, false]],
    'minor',
    'paths/orders.yaml#/post/requestBody/required',
    /body is no longer required/,
    'placeOrder',
  ),
  only(
    'a body that goes away is major',
    [[`${POST} requestBody`, undefined]],
    'major',
    'paths/orders.yaml#/post/requestBody',
    /no body any more/,
    'placeOrder',
  ),
  only(
    'a media type of a request that goes away is major',
    [[`${POST} requestBody content`, {}]],
    'major',
    'paths/orders.yaml#/post/requestBody/content/application~1json',
    /media type `application\/json` is gone/,
    'placeOrder',
  ),
  only(
    'a new media type of a request is minor',
    [[`${POST} requestBody content text/csv`, { schema: { type: 'string' } }]],
    'minor',
    'paths/orders.yaml#/post/requestBody/content/text~1csv',
    /media type `text\/csv` is new/,
    'placeOrder',
  ),
  only(
    'a keyword that no rule knows is major',
    [[`${REQUEST} properties note not`, { enum: ['x'] }]],
    'major',
    'components/schemas/CardRequest.yaml#/properties/note/not',
    /no rule says/,
    'note',
  ),
]

const parameters: readonly Expected[] = [
  only(
    'a new required parameter is major',
    [[`${GET} parameters 3`, { name: 'page', in: 'query', required: true, schema: { type: 'integer' } }]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/3',
    /required query parameter `page` is new/,
    'page',
  ),
  only(
    'a new optional parameter is minor',
    [[`${GET} parameters 3`, { name: 'page', in: 'query', schema: { type: 'integer' } }]],
    'minor',
    'paths/orders_{id}.yaml#/get/parameters/3',
    /query parameter `page` is new/,
    'page',
  ),
  only(
    'a parameter that goes away is major',
    [[`${GET} parameters 1`, undefined]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters',
    /query parameter `currency` is gone/,
    'currency',
  ),
  only(
    'a parameter that becomes required is major',
    [[`${GET} parameters 1 required`, true]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/1/required',
    /query parameter `currency` is now required/,
    'currency',
  ),
  only(
    'a version that a header no longer takes is major',
    [[`${GET} parameters 2 schema enum`, [1]]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/2/schema/enum',
    /loses the value `2`/,
    'x-version',
  ),
  only(
    'another way to write a parameter is major',
    [[`${GET} parameters 1 style`, 'pipeDelimited']],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/1/style',
    /no rule says/,
    'currency',
  ),
]

const replies: readonly Expected[] = [
  only(
    'a removed field of a reply is major',
    [[`${ORDER} properties colour`, undefined]],
    'major',
    'components/schemas/Order.yaml#/properties/colour',
    /`colour` is gone \(colour in getOrder, colour in placeOrder, colour in orderCallback\)/,
    'colour',
  ),
  only(
    'a new field of a reply is minor',
    [[`${ORDER} properties size`, { type: 'string' }]],
    'minor',
    'components/schemas/Order.yaml#/properties/size',
    /`size` is new/,
    'size',
  ),
  only(
    'a field of a reply that need not be there any more is major',
    [[`${ORDER} required`, ['transaction_status']]],
    'major',
    'components/schemas/Order.yaml#/required',
    /`id` is no longer required: wider/,
    'id',
  ),
  only(
    'a field of a reply that is always there now is minor',
    [[`${ORDER} required`, ['id', 'transaction_status', 'colour']]],
    'minor',
    'components/schemas/Order.yaml#/required',
    /`colour` is now required/,
    'colour',
  ),
  only(
    'a new value of a reply is major',
    [[`${ORDER} properties colour enum`, ['RED', 'BLUE']]],
    'major',
    'components/schemas/Order.yaml#/properties/colour/enum',
    /gains the value `BLUE`: wider/,
    'colour',
  ),
  only(
    'a new status of a transaction is minor, and has its name in the changelog',
    [['components schemas Status enum', ['OPEN', 'PAID', 'REFUNDED']]],
    'minor',
    'components/schemas/Status.yaml#/enum',
    /`REFUNDED`, which the changelog must announce/,
    'REFUNDED',
  ),
  only(
    'a new event is minor, and has its name in the changelog',
    [['components schemas Event enum', ['order.paid', 'order.lost']]],
    'minor',
    'components/schemas/Event.yaml#/enum',
    /`order.lost`, which the changelog must announce/,
    'order.lost',
  ),
  only(
    'a new branch of a callback is a new event',
    [
      ['components schemas Callback oneOf 1', { $ref: '#/components/schemas/LostCallback' }],
      ['components schemas Callback discriminator mapping order.lost', '#/components/schemas/LostCallback'],
    ],
    'minor',
    'components/schemas/LostCallback.yaml',
    /event `order.lost` is new/,
    'order.lost',
  ),
  only(
    'a longer text in a reply is major: merchants size their columns by it',
    [[`${ORDER} properties id maxLength`, 30]],
    'major',
    'components/schemas/Order.yaml#/properties/id/maxLength',
    /`20` to `30`: wider/,
    'id',
  ),
  only(
    'a shorter text in a reply is minor',
    [[`${ORDER} properties id maxLength`, 10]],
    'minor',
    'components/schemas/Order.yaml#/properties/id/maxLength',
    /narrower/,
    'id',
  ),
  only(
    'another type in a list of a reply is major',
    [[`${ORDER} properties lines items type`, 'number']],
    'major',
    'components/schemas/Order.yaml#/properties/lines/items/type',
    /another form/,
    'lines',
  ),
  only(
    'a success that goes away is major',
    [[`${POST} responses 202`, undefined]],
    'major',
    'paths/orders.yaml#/post/responses/202',
    /status 202 is gone/,
    '202',
  ),
  only(
    'another success is major',
    [[`${POST} responses 201`, { description: 'Done.' }]],
    'major',
    'paths/orders.yaml#/post/responses/201',
    /status 201 is new/,
    '201',
  ),
  only(
    'another error is minor',
    [[`${POST} responses 409`, { description: 'Twice.' }]],
    'minor',
    'paths/orders.yaml#/post/responses/409',
    /status 409 is new/,
    '409',
  ),
  only(
    'a header of a reply that goes away is major',
    [['components responses Order headers', {}]],
    'major',
    'components/responses/Order.yaml#/headers/X-Request-Id',
    /header `X-Request-Id` is gone/,
    'X-Request-Id',
  ),
  only(
    'a header of a reply that need not be there any more is major',
    [['components responses Order headers X-Request-Id required', false]],
    'major',
    'components/responses/Order.yaml#/headers/X-Request-Id/required',
    /no longer required/,
    'X-Request-Id',
  ),
  only(
    'a looser part of a reply is major',
    [['components schemas PaidOrder allOf 1', undefined]],
    'major',
    'components/schemas/PaidOrder.yaml#/allOf',
    /from 2 to 1 parts: wider/,
    'payload',
  ),
]

const toMerchants: readonly Expected[] = [
  only(
    'a signature that no longer comes with a callback is major',
    [[`${WEBHOOK} parameters 0`, undefined]],
    'major',
    'webhooks/order_callback.yaml#/post/parameters',
    /header parameter `signature` is gone/,
    'signature',
  ),
  only(
    'another header of a callback is minor, even one that always comes',
    [[`${WEBHOOK} parameters 1`, { name: 'id', in: 'header', required: true, schema: { type: 'string' } }]],
    'minor',
    'webhooks/order_callback.yaml#/post/parameters/1',
    /header parameter `id` is new/,
    'id',
  ),
  only(
    'an answer to callbacks that is no longer understood is major',
    [[`${WEBHOOK} responses 410`, undefined]],
    'major',
    'webhooks/order_callback.yaml#/post/responses/410',
    /status 410 is gone/,
    '410',
  ),
  only(
    'a callback that goes away is major',
    [['webhooks orderCallback', undefined]],
    'major',
    'webhooks/order_callback.yaml',
    /webhook `orderCallback` is gone/,
    'orderCallback',
  ),
  only(
    'a new callback is minor',
    [['webhooks refundCallback', { post: { operationId: 'refundCallback' } }]],
    'minor',
    'webhooks/refund_callback.yaml',
    /webhook `refundCallback` is new/,
    'refundCallback',
  ),
  only(
    'a redirect that goes away is major',
    [[`${POST} callbacks redirect`, undefined]],
    'major',
    'paths/orders.yaml#/post/callbacks/redirect',
    /callback `redirect` is gone/,
    'redirect',
  ),
]

const whole: readonly Expected[] = [
  only(
    'a path that goes away is major',
    [['paths /orders', undefined]],
    'major',
    'paths/orders.yaml',
    /path `\/orders` is gone/,
    '/orders',
  ),
  only(
    'a new path is minor',
    [['paths /refunds', { post: { operationId: 'refund' } }]],
    'minor',
    'paths/refunds.yaml',
    /path `\/refunds` is new/,
    '/refunds',
  ),
  only(
    'a method that goes away is major',
    [[POST, undefined]],
    'major',
    'paths/orders.yaml#/post',
    /operation placeOrder is gone/,
    'placeOrder',
  ),
  only(
    'another operationId is major',
    [[`${POST} operationId`, 'order']],
    'major',
    'paths/orders.yaml#/post/operationId',
    /called `order`, not `placeOrder`/,
    'placeOrder',
  ),
  only(
    'one more key is major',
    [[`${GET} security`, [{ publicKey: [], secretKey: [] }]]],
    'major',
    'paths/orders_{id}.yaml#/get/security',
    /needs publicKey and secretKey, not publicKey/,
    'secretKey',
  ),
  only(
    'a key that is no longer needed is minor',
    [['paths /orders/{id} get security', []]],
    'minor',
    'paths/orders_{id}.yaml#/get/security',
    /needs no key, not publicKey/,
    'getOrder',
  ),
  only(
    'one of two keys that is no longer enough is major',
    [[`${POST} security`, [{ publicKey: [] }]]],
    'major',
    'paths/orders.yaml#/post/security',
    /needs publicKey, not publicKey, or secretKey/,
    'placeOrder',
  ),
  only(
    'a key in another header is major',
    [['components securitySchemes publicKey name', 'api-key']],
    'major',
    'components/securitySchemes/publicKey.yaml#/name',
    /`public-key` to `api-key`/,
    'publicKey',
  ),
  only(
    'a deprecated operation is minor',
    [[`${POST} deprecated`, true]],
    'minor',
    'paths/orders.yaml#/post/deprecated',
    /is deprecated \(placeOrder\)/,
    'placeOrder',
  ),
  only(
    'a deprecated parameter is minor',
    [[`${GET} parameters 1 deprecated`, true]],
    'minor',
    'paths/orders_{id}.yaml#/get/parameters/1/deprecated',
    /is deprecated/,
    'currency',
  ),
  only(
    'a server that goes away is major',
    [['servers', []]],
    'major',
    'openapi.yaml#/servers',
    /is gone/,
    'http://127.0.0.1:8080',
  ),
  only(
    'another description is a patch',
    [['components schemas Currency description', 'Three letters.']],
    'patch',
    'components/schemas/Currency.yaml#/description',
    /another text/,
    'currency',
  ),
  only(
    'another title of the contract is a patch',
    [['info title', 'Kiosk']],
    'patch',
    'openapi.yaml#/info',
    /another text/,
    'contract',
  ),
]

test.each([...requests, ...parameters, ...replies, ...toMerchants, ...whole])(
  '$rule',
  ({ edits, level, where, what, subject }) => {
    const changes = compareContracts(smallContract, edited(smallContract, ...edits))
    expect(changes).toEqual([
      {
        level,
        where: `openapi/${where}`,
        what: expect.stringMatching(what),
        subjects: expect.arrayContaining([subject]),
      },
    ])
  },
)

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

test('one narrower schema is major for requests and minor for replies, and names the operations of both', () => {
  const changes = compareContracts(smallContract, edited(smallContract, ['components schemas Currency minLength', 3]))
  expect(changes.map(({ level, what }) => [level, what.slice(what.indexOf(':'))])).toEqual([
    ['major', ': narrower for what merchants send (currency in getOrder, currency in placeOrder)'],
    [
      'minor',
      ': narrower for what merchants receive (currency in getOrder, currency in placeOrder, currency in orderCallback)',
    ],
  ])
})

test('a header of a reply that came only sometimes and comes no more is minor', () => {
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
