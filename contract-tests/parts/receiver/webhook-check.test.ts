import { describe, expect, test } from 'vitest'
import type { WireRequest } from '../../harness/proxy.ts'
import { readSentOperations } from './contract.ts'
import { webhookFaults } from './webhook-check.ts'

// A document that is not ours: no discriminator, a shared parameter, a number in a header, two methods.
const LIBRARY = JSON.stringify({
  openapi: '3.1.0',
  webhooks: {
    bookReturned: {
      parameters: [{ name: 'x-shelf', in: 'header', required: true, schema: { type: 'integer', minimum: 1 } }],
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
        },
      },
    },
    bookLost: { $ref: '#/components/pathItems/bookLost' },
    ping: { get: { parameters: [{ name: 'at', in: 'query', schema: { type: 'string', format: 'date-time' } }] } },
  },
  components: {
    schemas: {
      Book: {
        type: 'object',
        required: ['isbn'],
        properties: {
          isbn: { type: 'string', pattern: '^[0-9]{13}$' },
          copy: { oneOf: [{ type: 'integer' }, { enum: ['only'] }] },
        },
        unevaluatedProperties: false,
      },
      Loss: {
        type: 'object',
        required: ['lost'],
        properties: { lost: { type: 'array', items: { $ref: '#/components/schemas/Book' } } },
        additionalProperties: false,
      },
    },
    pathItems: {
      bookLost: {
        put: {
          requestBody: {
            content: {
              'application/vnd.library+json': { schema: { $ref: '#/components/schemas/Loss' } },
              'application/json': { schema: { $ref: '#/components/schemas/Loss' } },
            },
          },
        },
      },
    },
  },
})
const library = readSentOperations(LIBRARY)
const request = (changes: Partial<WireRequest> & { readonly json?: unknown } = {}): WireRequest => {
  const { json = { isbn: '9780262033848' }, ...rest } = changes
  return {
    method: 'POST',
    path: '/hook',
    headers: { 'content-type': ['application/json; charset=utf-8'], 'x-shelf': ['3'] },
    body: Buffer.from(JSON.stringify(json)),
    ...rest,
  }
}
const found = (name: string, given: WireRequest): readonly string[] =>
  webhookFaults(library, name, given).map(({ what }) => what)

describe('a request to the webhook of any OpenAPI 3.1 document', () => {
  test.each<[string, string, WireRequest]>([
    ['as declared', 'bookReturned', request()],
    ['with a choice of schemas', 'bookReturned', request({ json: { isbn: '9780262033848', copy: 'only' } })],
    [
      'of another of its media types',
      'bookLost',
      request({
        method: 'PUT',
        headers: { 'content-type': ['Application/Vnd.Library+json'] },
        json: { lost: [{ isbn: '9780262033848' }] },
      }),
    ],
    ['without a body that is optional', 'bookLost', request({ method: 'PUT', headers: {}, body: Buffer.alloc(0) })],
    [
      'with the query of the URL itself',
      'ping',
      request({ method: 'GET', path: '/hook?shop=7', headers: {}, body: Buffer.alloc(0) }),
    ],
  ])('%s has no fault', (_what, name, given) => expect(found(name, given)).toEqual([]))

  test.each<[string, WireRequest, string]>([
    ['bookReturned', request({ method: 'PATCH' }), 'PATCH came, the contract declares POST'],
    ['bookReturned', request({ headers: { 'content-type': ['application/json'] } }), 'header x-shelf is missing'],
    [
      'bookReturned',
      request({ headers: { 'content-type': ['application/json'], 'x-shelf': ['top'] } }),
      'header x-shelf must be integer, is "top"',
    ],
    [
      'bookReturned',
      request({ headers: { 'content-type': ['application/json'], 'x-shelf': ['0'] } }),
      'header x-shelf must be >= 1, is "0"',
    ],
    [
      'bookReturned',
      request({ headers: { 'x-shelf': ['3'] } }),
      'content-type is missing, the contract declares application/json',
    ],
    ['bookReturned', request({ body: Buffer.alloc(0) }), 'the body is missing'],
    ['bookReturned', request({ body: Buffer.from('{"isbn":"\xff"}', 'latin1') }), 'the body is not JSON in UTF-8'],
    ['bookReturned', request({ json: {} }), 'body: isbn is missing'],
    ['bookReturned', request({ json: { isbn: '9780262033848', colour: 'red' } }), 'body: colour is not declared'],
    ['bookReturned', request({ json: ['9780262033848'] }), 'body: it must be object, is ["9780262033848"]'],
    [
      'bookLost',
      request({ method: 'PUT', json: { lost: [{ isbn: 978 }] } }),
      'body: lost.0.isbn must be string, is 978',
    ],
    ['ping', request({ method: 'GET' }), 'a body of 24 bytes came, the contract declares none'],
    [
      'ping',
      request({ method: 'GET', path: '/hook?at=today', body: Buffer.alloc(0) }),
      'query parameter at must match format "date-time", is "today"',
    ],
    [
      'ping',
      request({ method: 'GET', path: '/hook?at=2026-03-01T08:00:00Z&at=2026-03-01T08:00:00Z', body: Buffer.alloc(0) }),
      'query parameter at came 2 times',
    ],
  ])('to %s has one fault: %3$s', (name, given, fault) => expect(found(name, given)).toEqual([fault]))

  test('for another webhook has one fault, not one per field', () => {
    const both = readSentOperations(LIBRARY.replace('"put"', '"post"'))
    expect(webhookFaults(both, 'bookReturned', request({ json: { lost: [] } })).map(({ what }) => what)).toEqual([
      'a valid bookLost came to the URL of bookReturned',
    ])
  })

  test('to a document with external references cannot be judged', () => {
    expect(() => readSentOperations(LIBRARY.replace('#/components/pathItems/bookLost', 'lost.yaml'))).toThrow(
      'bundle it first',
    )
  })
})
