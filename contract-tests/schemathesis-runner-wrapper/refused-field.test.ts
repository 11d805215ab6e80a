import { expect, test } from 'vitest'
import { declaredFields } from './declared-fields.ts'
import type { OpenApiDocument } from './openapi.ts'
import { refusedField } from './refused-field.ts'

const BODY = {
  customer_name: 'Amina',
  amount: 5000,
  customer: { name: 'Kato', phone: '256772000123' },
  items: [{ sku: 'tea-1' }],
  id: 7,
  error: 'x',
}
const DECLARED = [
  'customer_name',
  'amount',
  'customer',
  'name',
  'phone',
  'items',
  'sku',
  'id',
  'limit',
  'orderId',
  'note',
]
const base64 = (text: string) => ({ $base64: Buffer.from(text).toString('base64') })
const field = (reply: unknown, body: unknown = BODY) =>
  refusedField(
    {
      method: 'POST',
      uri: 'http://127.0.0.1:1/v2/shops/north/orders?limit=10&orderId=ab-77',
      path: '/shops/{shop}/orders',
      headers: { 'X-Currency': ['UGX'], Host: ['127.0.0.1:1'], 'Content-Type': ['application/json'] },
      body: base64(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    typeof reply === 'string' ? reply : JSON.stringify(reply),
    DECLARED,
  )

test.each<[string, unknown, string | undefined, string?]>([
  ['a name in a sentence', { code: 400, message: 'customer_name has a wrong sign' }, 'customer_name', '"Amina"'],
  ['a name in words', { message: 'Customer name is wrong' }, 'customer_name'],
  ['a name within a code', { code: 'INVALID_AMOUNT' }, 'amount', '5000'],
  ['the first of two names', { message: 'amount is above the limit' }, 'amount'],
  ['a JSON pointer', { errors: [{ path: '/customer/phone', what: 'unknown' }] }, 'customer.phone'],
  ['a path with an index', { detail: [{ loc: 'items[0].sku' }] }, 'items[0].sku'],
  ['a name as a key within', { errors: { amount: ['must be even'] } }, 'amount'],
  ['a name as a key of the reply', { amount: ['must be even'] }, 'amount'],
  ['a short name in quotation marks', { message: 'no such "id"' }, 'id', '7'],
  ['a parameter of the query', 'bad orderId', 'orderId', '"ab-77"'],
  ['a parameter of the path', 'this shop is closed', 'shop', '"north"'],
  ['a header', { message: 'x-currency is not ours' }, 'X-Currency', '"UGX"'],
  ['a field that is absent', { message: 'note is required' }, 'note'],
  ['the value of one field', { message: '256772000123 cannot be reached' }, 'customer.phone'],
  ['nothing', { error: 'I do not like it', status: 400 }, undefined],
  ['a short name as a part of speech', { message: 'no id was sent' }, undefined],
  ['nothing at all', '', undefined],
])('a refusal names a field by %s', (_what, reply, name, value) => {
  const refused = field(reply)
  expect(refused?.name).toBe(name)
  if (value !== undefined) expect(refused?.value).toBe(value)
})

test('an absent field has no value, and a long value is shortened', () => {
  expect(field({ message: 'note is required' })).toEqual({ name: 'note' })
  expect(field('amount', { amount: 'a'.repeat(500) })?.value).toHaveLength(101)
})

test.each<[string, unknown]>([
  ['a form', 'customer_name=Amina&amount=1'],
  ['a list', [{ customer_name: 'Amina' }]],
  ['an unknown field with an empty name', { '': 1, customer_name: 'Amina' }],
  ['an unknown field whose name is a pattern', { '(': 1, 'a.*': 2, customer_name: 'Amina' }],
])('finds the field in %s', (_what, body) =>
  expect(field('wrong customer_name', body)?.name).toContain('customer_name'),
)

test.each(['', 'no JSON', '7', 'null', '{"a":{"a":null}}'])('a body %j refuses nothing by itself', (body) =>
  expect(field('a sentence', body)).toBeUndefined(),
)

test('finds declared fields through references, unions, lists and recursion', () => {
  const contract: OpenApiDocument = {
    openapi: '3.1.0',
    paths: {
      '/orders': {
        parameters: [{ name: 'shop', in: 'query' }],
        post: {
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        },
      },
    },
    components: {
      parameters: { Limit: { name: 'limit', in: 'query' } },
      schemas: {
        Order: { oneOf: [{ properties: { amount: {} } }, { allOf: [{ $ref: '#/components/schemas/Line' }] }] },
        Line: { properties: { lines: { items: { $ref: '#/components/schemas/Line' } }, sku: {} } },
      },
    },
  }
  expect(declaredFields(contract, 'POST /orders')).toEqual(['shop', 'limit', 'amount', 'lines', 'sku'])
  expect(declaredFields(contract, 'GET /orders')).toEqual([])
})
