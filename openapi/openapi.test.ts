import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument, type Schema } from './reading/contract.ts'
import { isObject } from './reading/json.ts'
import { operationsOf, shownBy, type Example, type Operation } from './reading/operations.ts'
import { escapeKey, follow, schemaNamed, targetOf } from './reading/references.ts'
import { compilerOf } from './reading/validators.ts'
import { writtenOperations } from './testing/written-operations.ts'

// Types, server, mock and fuzzer all read the bundle, so the bundle is what is tested here.
const bundleText = readFileSync(bundleUrl, 'utf8')
const document = parseDocument(bundleText)
const compile = compilerOf(document, { discriminator: true, allErrors: true })
const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const takes = (name: string, value: unknown): boolean => compile(named(name))(value)

const operations = operationsOf(document)
const ours = operations.filter(({ kind }) => kind === 'operation')
const exampleOf = (id: string, name: string): object =>
  operations.find((each) => each.id === id)!.body!.examples.find((example) => example.name === name)!.value as object

/** The schema errors of examples. */
const faultsIn = (where: string, schema: Schema, examples: readonly Example[]): string[] =>
  examples.flatMap(({ name, value }) => {
    const validate = compile(schema)
    return validate(value) ? [] : [`${where} ${name}: ${JSON.stringify(validate.errors)}`]
  })

test('the bundle is OpenAPI 3.1, with all operations, four webhooks and the redirect', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(ours.map(({ id }) => id).toSorted()).toEqual(writtenOperations)
  expect(operations.filter(({ kind }) => kind === 'message').map(({ id }) => id)).toEqual([
    'collectionCallback',
    'payoutCallback',
    'payoutBatchHandshake',
    'payoutBatchCallback',
    'refundCallback',
    'payoutHandshake',
  ])
  expect(operations.filter(({ kind }) => kind === 'redirect').map(({ id }) => id)).toEqual(['customerRedirect'])
})

test('every $ref resolves within the bundle', () => {
  const refs = [...bundleText.matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, ref]) => ref!)
  expect(refs.length).toBeGreaterThan(100)
  for (const ref of refs) expect(() => targetOf(document, ref)).not.toThrow()
})

test('every example is valid against its schema', () => {
  const shown = operations.flatMap(({ id, parameters, request, responses }) => [
    ...parameters.map((each) => ({
      ...each,
      where: `${id} parameter ${each.name}`,
      examples: shownBy(document, each),
    })),
    ...(request?.content ?? []).map((each) => ({ ...each, where: `${id} request` })),
    ...responses.flatMap(({ status, headers, content }) => [
      ...headers.map((each) => ({
        ...each,
        where: `${id} ${status} header ${each.name}`,
        examples: shownBy(document, each),
      })),
      ...content.map((each) => ({ ...each, where: `${id} ${status}` })),
    ]),
  ])
  expect(shown.flatMap(({ examples }) => examples).length).toBeGreaterThan(200)
  expect(shown.flatMap(({ where, schema, examples }) => faultsIn(where, schema, examples))).toEqual([])
})

test('every example in a schema is valid against that schema', () => {
  const visit = (node: unknown, pointer: string): string[] => {
    if (typeof node !== 'object' || node === null) return []
    const examples = 'examples' in node && Array.isArray(node.examples) ? node.examples : []
    return [
      ...faultsIn(
        pointer,
        { $ref: pointer },
        examples.map((value: unknown, index) => ({ name: String(index), value })),
      ),
      ...Object.entries(node).flatMap(([key, child]) =>
        key === 'examples' ? [] : visit(child, `${pointer}/${escapeKey(key)}`),
      ),
    ]
  }
  expect(visit(document.components?.schemas, '#/components/schemas')).toEqual([])
})

test('every operation has a named example for its request and for each status', () => {
  const missing = ours.flatMap(({ id, request, body, responses }) => [
    ...(request && !body?.examples.length ? [`${id} request`] : []),
    ...responses.filter(({ examples }) => examples.length === 0).map(({ status }) => `${id} ${status}`),
  ])
  expect(missing).toEqual([])
  const { body } = ours.find(({ id }) => id === 'initializeCollection')!
  expect(body?.examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['collection_mobile_money', 'collection_hosted', 'collection_bank']),
  )
})

test('the code in a reply is the HTTP status under which it is declared', () => {
  const wrong = ours.flatMap(({ id, responses }) =>
    responses.flatMap(({ status, examples }) =>
      examples
        .filter(({ value }) => !isObject(value) || value.code !== Number(status))
        .map(({ name }) => `${id} ${status} ${name}`),
    ),
  )
  expect(wrong).toEqual([])
})

test('an example of a union names its branch, and is invalid in every other branch', () => {
  const unions = ['CollectionRequest', 'PayoutRequest', 'Transaction', 'CollectionCallback', 'PayoutCallback']
  for (const name of unions) {
    const { oneOf = [], discriminator } = schemaNamed(document, name)
    const mapped = Object.entries(discriminator!.mapping!)
    expect(mapped.map(([, $ref]) => $ref).toSorted(), name).toEqual(oneOf.map(({ $ref = '' }) => $ref).toSorted())
    for (const [tag, $ref] of mapped)
      expect(follow<Schema>(document, { $ref }).properties?.[discriminator!.propertyName]?.enum).toEqual([tag])
  }
  const request = exampleOf('initializeCollection', 'collection_mobile_money')
  expect(takes('BankCollectionRequest', request)).toBe(false)
  expect(takes('CollectionRequest', { ...request, transaction_method: 'CARD' })).toBe(false)
  expect(takes('CollectionRequest', { ...request, merchant_id: '7' })).toBe(false)
})

test('a customer is redirected to the field of the request that has a URL', () => {
  const [, field = ''] =
    /^\{\$request\.body#\/(\w+)\}$/.exec(operations.find(({ kind }) => kind === 'redirect')!.path) ?? []
  expect(exampleOf('initializeCollection', 'collection_hosted')).toHaveProperty(
    field,
    expect.stringMatching(/^https:\/\//),
  )
})

test("an event never comes with the other event's status", () => {
  const completed = exampleOf('collectionCallback', 'callback_collection_completed')
  expect(takes('CollectionCallback', { ...completed, event: 'transaction.failed' })).toBe(false)
  expect(takes('PayoutCallback', completed)).toBe(false)
})

/** What merchants send, by name: each parameter, and each body. */
const sent: readonly (readonly [string, Schema])[] = ours.flatMap(({ parameters, body }: Operation) => [
  ...parameters.map(({ name, schema }) => [name, schema] as const),
  ...(body ? [['body', body.schema] as const] : []),
])

test('every pattern of a request has a sentence for people', () => {
  const silentIn = ([name, written]: readonly [string, Schema]): string[] => {
    const {
      pattern,
      'x-pattern-message': sentence,
      properties = {},
      oneOf = [],
      allOf = [],
    } = follow(document, written)
    return [
      ...(pattern && !sentence ? [name] : []),
      ...Object.entries(properties).flatMap(silentIn),
      ...[...oneOf, ...allOf].flatMap((member) => silentIn([name, member])),
    ]
  }
  expect(sent.flatMap(silentIn)).toEqual([])
})

test('every branch of a request has the fields of all branches, whatever the method', () => {
  const unions = ours.flatMap(({ body }) => (body ? [follow(document, body.schema)] : [])).filter(({ oneOf }) => oneOf)
  expect(unions.length).toBeGreaterThanOrEqual(2)
  for (const { oneOf = [] } of unions) {
    const [first, ...others] = oneOf.map((member) => Object.keys(follow(document, member).properties ?? {}).toSorted())
    for (const names of others) expect(names).toEqual(first)
  }
})

test.each(['openapi', 'admin'])('no two schemas of %s have one title, by which generators name classes', (file) => {
  const url = new URL(`../generated/${file}.json`, import.meta.url)
  const { schemas = {} } = parseDocument(readFileSync(url, 'utf8')).components ?? {}
  const byClass = Object.groupBy(Object.keys(schemas), (name) =>
    (schemas[name]?.title ?? name).replaceAll(/[^a-z0-9]/gi, '').toLowerCase(),
  )
  expect(Object.values(byClass).filter((names = []) => names.length > 1)).toEqual([])
})

test('every optional value that merchants send counts as absent when empty', () => {
  const objectsOf = (written: Schema): Schema[] => {
    const { oneOf, ...schema } = follow(document, written)
    if (oneOf) return oneOf.flatMap(objectsOf)
    return schema.properties ? [schema, ...Object.values(schema.properties).flatMap(objectsOf)] : []
  }
  const objects = ours.flatMap(({ body }) => (body ? objectsOf(body.schema) : []))
  expect(objects.length).toBeGreaterThanOrEqual(6)
  expect(
    objects
      .filter(
        ({ description = '', 'x-empty-is-absent': isAbsent }) =>
          isAbsent !== true || !/empty text or `null`/.test(description),
      )
      .map(({ title }) => title),
  ).toEqual([])
  const optional = ours
    .flatMap(({ parameters }) => parameters)
    .filter((parameter) => parameter.in === 'query' && !parameter.required)
  expect(
    optional
      .filter(({ description = '', ...rest }) => !(rest['x-empty-is-absent'] && /when it is empty/.test(description)))
      .map(({ name }) => name),
  ).toEqual([])
})
