import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../openapi/reading/document.ts'
import { changed } from '../../openapi/reading/changed.ts'
import { changesBetween } from './contract-changes.ts'

const before = load(`
openapi: 3.1.0
info: { title: Books, version: '1' }
servers: [{ url: 'http://127.0.0.1:1', description: Here }]
security: [{ card: [] }]
paths:
  /books:
    parameters: [{ name: lang, in: query, schema: { type: string } }]
    get: { operationId: listBooks, tags: [a], responses: { '200': { $ref: '#/components/responses/Books' } } }
    post:
      operationId: addBook
      security: [{ staff: [] }]
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Book' }, example: { description: old } }
      responses: { '201': { $ref: '#/components/responses/Id' } }
  /loans:
    get: { operationId: listLoans, parameters: [{ $ref: '#/components/parameters/Limit' }], responses: {} }
webhooks:
  returned: { post: { operationId: returned, requestBody: { $ref: '#/components/responses/Id' }, responses: {} } }
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer, maximum: 10 } }
  securitySchemes:
    card: { type: apiKey, in: header, name: card }
    staff: { type: http, scheme: bearer }
  responses:
    Books: { content: { application/json: { schema: { $ref: '#/components/schemas/Books' } } } }
    Id: { content: { application/json: { schema: { $ref: '#/components/schemas/Id' } } } }
  schemas:
    Books: { type: array, items: { $ref: '#/components/schemas/Book' } }
    Book:
      type: object
      description: A book.
      # A property may have the name of a keyword, and a schema may contain itself.
      properties: { description: { type: string, maxLength: 9 }, sequel: { $ref: '#/components/schemas/Book' } }
    Id: { oneOf: [], discriminator: { propertyName: kind, mapping: { number: '#/components/schemas/Number' } } }
    Number: { type: integer }
    Unused: { type: 'null' }
`) as OpenApiDocument
const all = ['listBooks', 'addBook', 'listLoans']

const after = (path: readonly string[], value: unknown) =>
  changesBetween(before, changed(before, path, value) as OpenApiDocument)

describe('an operation is chosen', () => {
  test.each<[string, readonly string[], unknown, readonly string[]]>([
    ['its own parameter', ['paths', '/loans', 'get', 'parameters'], [], ['listLoans']],
    ['a reply of its own', ['paths', '/books', 'get', 'responses', '404'], {}, ['listBooks']],
    ['a parameter that it refers to', ['components', 'parameters', 'Limit', 'schema', 'maximum'], 11, ['listLoans']],
    ['a parameter of its path', ['paths', '/books', 'parameters'], [], ['listBooks', 'addBook']],
    ['a schema behind two references', ['components', 'schemas', 'Book', 'type'], 'array', ['listBooks', 'addBook']],
    [
      'a property that is called description',
      ['components', 'schemas', 'Book', 'properties', 'description', 'maxLength'],
      8,
      ['listBooks', 'addBook'],
    ],
    [
      'a text of its example',
      ['paths', '/books', 'post', 'requestBody', 'content', 'application/json', 'example', 'description'],
      'new',
      ['addBook'],
    ],
    ['the scheme of its key', ['components', 'securitySchemes', 'staff', 'scheme'], 'basic', ['addBook']],
    ['the keys of every operation', ['security'], [], ['listBooks', 'listLoans']],
  ])('by %s', (_what, path, value, operations) =>
    expect(after(path, value)).toEqual({ operations, removed: [], shared: [] }),
  )

  test('by being new, and one that is gone is named', () => {
    expect(after(['paths', '/loans', 'get'], undefined)).toEqual({ operations: [], removed: ['listLoans'], shared: [] })
    const moved = changed(before, ['paths', '/loans'], undefined)
    const { operations, removed } = changesBetween(
      before,
      changed(moved, ['paths', '/lendings'], before.paths?.['/loans']) as OpenApiDocument,
    )
    expect({ operations, removed }).toEqual({ operations: ['listLoans'], removed: [] })
  })

  test('by a piece behind the mapping of a discriminator', () =>
    expect(after(['components', 'schemas', 'Number', 'type'], 'string')).toEqual({
      operations: ['addBook'],
      removed: [],
      shared: ['the webhook returned'],
    }))
})

test.each<[string, readonly string[], unknown]>([
  ['a description', ['components', 'schemas', 'Book', 'description'], 'A volume.'],
  ['a list of tags', ['paths', '/books', 'get', 'tags'], ['b']],
  ['the version', ['info', 'version'], '2'],
  ['the name of a server', ['servers', '0', 'description'], 'There'],
  ['a schema that no operation uses', ['components', 'schemas', 'Unused', 'type'], 'string'],
  [
    'the order of fields',
    ['components', 'schemas', 'Books'],
    { items: { $ref: '#/components/schemas/Book' }, type: 'array' },
  ],
])('%s changes no operation', (_what, path, value) =>
  expect(after(path, value)).toEqual({ operations: [], removed: [], shared: [] }),
)

test('webhooks and servers belong to no single operation', () => {
  expect(after(['webhooks', 'lost'], { post: {} }).shared).toEqual(['the webhook lost'])
  expect(after(['servers'], [{ url: 'http://127.0.0.1:2' }])).toEqual({
    operations: [],
    removed: [],
    shared: ['the list of servers'],
  })
  expect(changesBetween({ openapi: '3.1.0' }, before).operations).toEqual(all)
})
