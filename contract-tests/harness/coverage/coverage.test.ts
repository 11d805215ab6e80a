import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { Exchange, WireHeaders } from '../proxy.ts'
import { cells } from './cells.ts'
import { parseContract } from '../../../openapi/reading/contract.ts'
import { coveragePage } from './page.ts'
import { createCoverage } from './recorder.ts'
import { summarise } from './summary.ts'

const contract = parseContract(
  JSON.stringify(
    load(`
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      operationId: addPet
      security: [{ key: [] }]
      parameters: [{ name: dry, in: query, required: false, schema: { type: boolean } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Pet' }
            examples: { cat: { value: { kind: cat, name: Tom1 } } }
      responses:
        '201':
          description: Added
          headers: { Location: { schema: { $ref: '#/components/schemas/Text' } } }
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties: { id: { type: string }, tags: { type: array, items: { enum: [a, b] } } }
          links: { get: { operationId: getPet, parameters: { id: $response.body#/id } } }
        '400': { $ref: '#/components/responses/Refusal' }
        '401': { $ref: '#/components/responses/Refusal' }
        '503': { $ref: '#/components/responses/Refusal' }
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Text' } }]
      responses: { '200': { description: A pet } }
webhooks:
  fed:
    post:
      operationId: petFed
      parameters: [{ name: x-id, in: header, required: true, schema: { $ref: '#/components/schemas/Text' } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Fed' } } } }
      responses: { 2XX: { description: Thanks }, '410': { description: No more } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: Api-Key } }
  responses:
    Refusal:
      description: Refused
      content:
        application/json:
          schema: { type: object, properties: { message: { type: string } }, required: [message] }
          examples: { amount: { value: { message: amount must be at most 10 } } }
  schemas:
    Text: { type: string, minLength: 1, maxLength: 5 }
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator:
        propertyName: kind
        mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }
    Cat:
      type: object
      additionalProperties: false
      required: [kind, name]
      properties: { kind: { enum: [cat] }, name: { $ref: '#/components/schemas/Text' }, age: { type: integer } }
    Dog: { type: object, additionalProperties: false, required: [kind], properties: { kind: { enum: [dog] } } }
    Fed:
      allOf:
        - $ref: '#/components/schemas/AnyState'
        - { type: object, properties: { state: { enum: [full, happy] } } }
    AnyState: { type: object, required: [state], properties: { state: { enum: [full, hungry, happy] } } }
`),
  ),
)

interface ExchangeInput {
  readonly method?: string
  readonly path?: string
  readonly headers?: WireHeaders
  readonly body?: unknown
  readonly status: number
  readonly reply?: unknown
  readonly replyHeaders?: WireHeaders
}
const bytes = (body: unknown): Buffer => (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)))
const exchange = ({
  method = 'POST',
  path = '/pets',
  headers = { 'api-key': ['k'] },
  body,
  status,
  reply,
  replyHeaders = {},
}: ExchangeInput): Exchange => ({
  at: new Date(0),
  request: { method, path, headers, body: bytes(body) },
  reply: { status, headers: replyHeaders, body: bytes(reply) },
})

/** The cells that exchanges cover, in order. */
function shown(given: readonly ExchangeInput[], direction: 'asked' | 'received' = 'asked'): string[] {
  const coverage = createCoverage(contract)
  for (const each of given) coverage.record(exchange(each), direction)
  return coverage
    .coverage({ failure: true, receiver: true })
    .subjects.flatMap(({ subject, found }) => found.map((name) => `${subject} ${name}`))
}

describe('what a contract declares', () => {
  const ids = cells(contract).map(({ id }) => id)
  test('every cell has a unique name', () => expect(new Set(ids).size).toBe(ids.length))
  test('a branch has its values and its optional fields', () => {
    expect(ids.filter((id) => id.startsWith('addPet body'))).toEqual([
      'addPet body.kind invalid',
      'addPet body.kind left out',
      'addPet body is Cat',
      'addPet body<Cat>.kind = "cat"',
      'addPet body<Cat>.name invalid',
      'addPet body<Cat>.name left out',
      'addPet body<Cat>.age given',
      'addPet body<Cat>.age left out',
      'addPet body<Cat>.age invalid',
      'addPet body<Cat> with an unknown field',
      'addPet body is Dog',
      'addPet body<Dog>.kind = "dog"',
      'addPet body<Dog> with an unknown field',
      'addPet body example cat',
    ])
  })
  test('two schemas that both apply give only values that fit both', () =>
    expect(ids.filter((id) => id.startsWith('petFed body'))).toEqual([
      'petFed body.state = "full"',
      'petFed body.state = "happy"',
    ]))
  test('lists with and without items, headers, links and answers are cells', () => {
    expect(ids).toEqual(
      expect.arrayContaining([
        'addPet 201 body.tags empty',
        'addPet 201 body.tags with items',
        'addPet 201 body.tags[] = "b"',
        'addPet 201 header Location',
        'addPet 201 link get',
        'petFed answered 410',
        'addPet Api-Key left out'.replace('Api-Key', 'api-key'),
      ]),
    )
  })
})

describe('what an exchange covers', () => {
  test('a success covers its keys, parameters, branch, example, headers and values', () => {
    expect(
      shown([
        {
          path: '/pets?dry=true',
          body: { kind: 'cat', name: 'Tom2' },
          status: 201,
          reply: { id: '7', tags: ['a'] },
          replyHeaders: { location: ['/7'] },
        },
      ]),
    ).toEqual([
      'addPet keys accepted',
      'addPet query dry given',
      'addPet query dry = true',
      'addPet body is Cat',
      'addPet body<Cat>.kind = "cat"',
      'addPet body<Cat>.age left out',
      'addPet body example cat',
      'addPet 201',
      'addPet 201 header Location',
      'addPet 201 body.tags given',
      'addPet 201 body.tags with items',
      'addPet 201 body.tags[] = "a"',
    ])
  })
  const made: ExchangeInput = { body: { kind: 'dog' }, status: 201, reply: { id: '42' } }
  const requested = (id: string): ExchangeInput => ({ method: 'GET', path: `/pets/${id}`, headers: {}, status: 200 })
  const refused = (message: string): ExchangeInput => ({ status: 400, reply: { message } })
  test.each<[string, ExchangeInput[], cell: string]>([
    [
      'the only invalid value',
      [{ body: { kind: 'cat', name: 'far too long' }, status: 400 }],
      'body<Cat>.name invalid',
    ],
    ['a missing key', [{ headers: {}, status: 401 }], 'api-key left out'],
    ['wrong keys', [{ status: 401 }], 'wrong keys refused'],
    ['the words of an example, whatever the numbers', [refused('amount must be at most 99.5')], '400 example amount'],
    ['a link, by a later request with its value', [made, requested('42')], '201 link get'],
  ])('covers %s', (_what, exchanges, cell) => expect(shown(exchanges)).toContain(`addPet ${cell}`))
  test.each<[string, ExchangeInput[], cell: string]>([
    ['other words', [refused('name must be at most 10')], '400 example amount'],
    ['a request with another value', [made, requested('43')], '201 link get'],
    ['an earlier request', [requested('42'), made], '201 link get'],
  ])('does not cover by %s', (_what, exchanges, cell) => expect(shown(exchanges)).not.toContain(`addPet ${cell}`))
  test.each<[string, ExchangeInput[], cells: string[]]>([
    ['two invalid values', [{ body: { kind: 'cat', name: 'far too long', age: 'old' }, status: 400 }], ['addPet 400']],
    ['an accepted invalid value', [{ body: { kind: 'cat', name: 'far too long' }, status: 201 }], ['addPet 201']],
    ['an unknown path', [{ path: '/cats', status: 200 }], []],
    ['an unknown method', [{ method: 'DELETE', status: 405 }], []],
  ])('covers nothing of the request by %s', (_what, exchanges, cells) => expect(shown(exchanges)).toEqual(cells))
  test('recognizes a message by its content at any address, and ignores invalid ones', () => {
    const fed: ExchangeInput = { path: '/hooks/17', headers: { 'x-id': ['1'] }, body: { state: 'happy' }, status: 410 }
    expect(shown([fed], 'received')).toEqual([
      'petFed header x-id given',
      'petFed body.state = "happy"',
      'petFed answered 410',
    ])
    expect(shown([{ ...fed, body: { state: 'hungry' } }], 'received')).toEqual([])
    expect(shown([fed], 'asked')).toEqual([])
  })
})

describe('the summary', () => {
  const declared = cells(contract)
  const all = new Set(declared.map(({ id }) => id))
  test('100 % means every cell, and a missing cell is listed', () => {
    expect(summarise(declared, all, { failure: true, receiver: true })).toMatchObject({ percent: 100, notAsked: [] })
    all.delete('addPet 201 link get')
    const { percent, subjects, groups } = summarise(declared, all, { failure: true, receiver: true })
    expect(percent).toBeLessThan(100)
    expect(subjects.flatMap(({ missing }) => missing)).toEqual(['201 link get'])
    expect(groups.links).toEqual({ seen: 0, declared: 1 })
  })
  test('cells that cannot be requested count only when covered', () => {
    const { notAsked: notRequested, declared: requested } = summarise(declared, new Set(['petFed answered 410']), {
      failure: false,
      receiver: false,
    })
    expect(notRequested.map(({ id }) => id).filter((id) => id.startsWith('petFed'))).not.toContain(
      'petFed answered 410',
    )
    expect(notRequested.map(({ id }) => id)).toEqual(expect.arrayContaining(['addPet 503', 'petFed answered 2XX']))
    expect(requested + notRequested.length).toBe(declared.length)
  })
  test('the page lists missing cells first and escapes its text', () => {
    const page = coveragePage(summarise(declared, new Set(['getPet 200']), { failure: true, receiver: true }), {
      title: 'Coverage <of>',
      about: 'Seed 1',
    })
    expect(page.indexOf('Not seen')).toBeLessThan(page.indexOf('By kind'))
    expect(page).toContain('body&#60;Cat&#62;<wbr>.<wbr>age given')
    expect(page).not.toMatch(/<script|https?:/)
  })
})
