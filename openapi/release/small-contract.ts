import { changed } from '../reading/changed.ts'
import { isList, objectOf, textOf, type Json, type JsonObject } from '../reading/json.ts'

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const json = (name: string): JsonObject => ({ 'application/json': { schema: reference(name) } })
const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

/** As small as a contract can be that has one of everything a rule speaks about. */
export const smallContract: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0', description: 'Sells.' },
  servers: [{ url: 'http://127.0.0.1:8080' }],
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        security: [{ publicKey: [] }],
        summary: 'Get an order',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } },
          { name: 'currency', in: 'query', required: false, schema: reference('Currency') },
          { name: 'X-Version', in: 'header', required: true, schema: { type: 'number', enum: [1, 2] } },
        ],
        responses: { 200: { $ref: '#/components/responses/Order' }, 404: { description: 'Not there.' } },
      },
    },
    '/orders': {
      post: {
        operationId: 'placeOrder',
        security: [{ publicKey: [] }, { secretKey: [] }],
        requestBody: { required: true, content: json('Request') },
        responses: { 202: { description: 'Accepted.', content: json('Order') } },
        callbacks: {
          redirect: {
            '{$request.body#/url}': {
              get: {
                operationId: 'redirect',
                parameters: [{ name: 'event', in: 'query', required: true, schema: reference('Event') }],
                responses: { '2XX': { description: 'Shown.' } },
              },
            },
          },
        },
      },
    },
  },
  webhooks: {
    orderCallback: {
      post: {
        operationId: 'orderCallback',
        parameters: [{ name: 'signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: json('Callback') },
        responses: { '2XX': { description: 'Acknowledged.' }, 410: { description: 'Gone.' } },
      },
    },
  },
  components: {
    responses: {
      Order: {
        description: 'The order.',
        headers: {
          'X-Request-Id': { required: true, schema: { type: 'string' } },
          'X-Hint': { schema: { type: 'string' } },
        },
        content: json('Order'),
      },
    },
    schemas: {
      Currency: { type: 'string', description: 'A currency.', pattern: '^[A-Z]{3}$' },
      Event: { type: 'string', enum: ['order.paid'] },
      Status: { type: 'string', enum: ['OPEN', 'PAID'] },
      Request: {
        oneOf: [reference('CardRequest'), reference('CashRequest')],
        discriminator: {
          propertyName: 'method',
          mapping: { CARD: '#/components/schemas/CardRequest', CASH: '#/components/schemas/CashRequest' },
        },
      },
      CardRequest: closed(
        {
          method: { type: 'string', enum: ['CARD'] },
          currency: reference('Currency'),
          amount: { type: 'number', minimum: 1, maximum: 100 },
          note: { type: 'string', maxLength: 50 },
          hosted: { type: 'boolean', default: false },
        },
        ['method', 'currency', 'amount'],
      ),
      CashRequest: closed({ method: { type: 'string', enum: ['CASH'] }, size: { type: 'string', enum: ['S', 'M'] } }, [
        'method',
        'size',
      ]),
      Order: closed(
        {
          id: { type: 'string', maxLength: 20 },
          currency: reference('Currency'),
          transaction_status: reference('Status'),
          colour: { type: 'string', enum: ['RED'] },
          loss: { type: 'string', 'x-extensible-enum': ['stolen'] },
          lines: { type: 'array', maxItems: 10, items: { type: 'string' } },
        },
        ['id', 'transaction_status'],
      ),
      PaidOrder: { allOf: [reference('Order'), { type: 'object', required: ['transaction_status'] }] },
      PaidCallback: closed({ event: reference('Event'), payload: reference('PaidOrder') }, ['event', 'payload']),
      LostCallback: closed({ event: reference('Event') }, ['event']),
      Callback: {
        oneOf: [reference('PaidCallback')],
        discriminator: { propertyName: 'event', mapping: { 'order.paid': '#/components/schemas/PaidCallback' } },
      },
    },
    securitySchemes: {
      publicKey: { type: 'apiKey', in: 'header', name: 'public-key' },
      secretKey: { type: 'apiKey', in: 'header', name: 'secret-key' },
    },
  },
}

/** What to write where: keys joined by spaces, because keys of a contract have slashes; undefined removes. */
export type Edit = readonly [keys: string, value: Json | undefined]

/** A copy with some places changed. */
export const edited = (contract: JsonObject, ...edits: readonly Edit[]): JsonObject =>
  // What is written into a contract is JSON, so the copy is.
  edits.reduce((before, [keys, value]) => changed(before, keys.split(' '), value) as JsonObject, contract)

/** A copy whose paths, webhooks, operations and components have a number in their names. */
export function marked(contract: Json, number: number): JsonObject {
  const mark = (name: string): string => `${name}_${number}_`
  const renamed = (node: Json | undefined, rename = mark): JsonObject =>
    Object.fromEntries(Object.entries(objectOf(node)).map(([name, held]) => [rename(name), held]))
  const copy = JSON.parse(JSON.stringify(contract), (key, value: Json): Json => {
    if (key === '$ref' || key === 'operationId') return mark(textOf(value))
    if (key === 'mapping')
      return Object.fromEntries(Object.entries(objectOf(value)).map(([name, ref]) => [name, mark(textOf(ref))]))
    return key === 'security' && isList(value) ? value.map((each) => renamed(each)) : value
  }) as JsonObject
  return {
    ...copy,
    paths: renamed(copy.paths, (path) => `/_${number}_${path.slice(1)}`),
    webhooks: renamed(copy.webhooks),
    components: Object.fromEntries(
      Object.entries(objectOf(copy.components)).map(([kind, held]) => [kind, renamed(held)]),
    ),
  }
}

/** Contracts of different names as one. */
export const joined = (contracts: readonly JsonObject[]): JsonObject => ({
  openapi: '3.1.0',
  ...Object.fromEntries(
    ['paths', 'webhooks', 'components'].map((area) => [
      area,
      contracts.reduce((all, each) => merged(all, objectOf(each[area])), {}),
    ]),
  ),
})
const merged = (one: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
      key,
      { ...objectOf(one[key]), ...objectOf(other[key]) },
    ]),
  )
