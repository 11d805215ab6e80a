import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { WithExamples, OpenApiDocument, Schema } from '../reading/document.ts'
import { isObject, listOf, objectOf, type Json, type JsonObject } from '../reading/json.ts'
import { shownBy } from '../reading/operations.ts'
import { compilerOf } from '../reading/validators.ts'
import { CONFIG, redocly } from '../redocly.ts'
import { toOpenApi30 } from './openapi-3.0.ts'

const generated = (file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../generated/${file}`, import.meta.url), 'utf8')) as JsonObject
const contract = generated('openapi.json')
const older = generated('openapi-3.0.json')

const SETTINGS = { discriminator: true, allErrors: true } as const
const judgeOf = {
  /** Where 3.0 has its own dialect, it is that of the early drafts: nothing beside a `$ref` counts. */
  older: compilerOf(older, SETTINGS, Ajv),
  newer: compilerOf(contract, SETTINGS),
}

/** Every object below, with its pointer. */
function* objectsIn(node: Json, pointer = '#'): Generator<readonly [string, JsonObject]> {
  if (isObject(node)) yield [pointer, node]
  if (typeof node === 'object' && node !== null)
    for (const [key, held] of Object.entries(node)) if (key !== 'value') yield* objectsIn(held, `${pointer}/${key}`)
}

const valuesOf = (node: JsonObject): Json[] =>
  shownBy(older as OpenApiDocument, node as WithExamples).map(({ value }) => value as Json)
const holders = [...objectsIn(older)].filter(([, node]) => 'schema' in node && valuesOf(node).length > 0)

test('the older copy passes lint without an error or a warning', () => {
  const printed = redocly('lint', 'generated/openapi-3.0.json', ...CONFIG, '--format', 'json')
  const { totals, problems } = JSON.parse(printed) as { totals: object; problems: unknown[] }
  expect(problems).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

test('every example of the older copy is valid in its own words', () => {
  const wrong = holders.flatMap(([pointer, node]) => {
    const judge = judgeOf.older(objectOf(node.schema))
    return valuesOf(node)
      .filter((value) => !judge(value))
      .map((value) => `${pointer}: ${JSON.stringify(value)} ${JSON.stringify(judge.errors)}`)
  })
  expect(wrong).toEqual([])
  expect(holders.length).toBeGreaterThan(60)
})

test('every example of a schema is valid under it', () => {
  const schemas = [...objectsIn(objectOf(older.components).schemas ?? {})].filter(
    ([, node]) => 'example' in node && ('type' in node || 'allOf' in node),
  )
  const wrong = schemas.filter(([, node]) => !judgeOf.older(node as Schema)(node.example)).map(([pointer]) => pointer)
  expect(wrong).toEqual([])
  expect(schemas.length).toBeGreaterThan(60)
})

/**
 * The value with each field left out, of another type, empty or too long, and with one too many; fields of fields too.
 */
function* spoilt(value: Json): Generator<Json> {
  if (!isObject(value)) return
  yield { ...value, unknown_field: 1 }
  for (const [field, held] of Object.entries(value)) {
    const { [field]: _left, ...others } = value
    yield others
    for (const other of [null, true, -1, 0.5, 1e15, '', 'x', 'x'.repeat(3000), [], {}])
      yield { ...value, [field]: other }
    for (const inner of spoilt(held)) yield { ...value, [field]: inner }
  }
}

test('both documents accept and refuse the same bodies', () => {
  const bodies = Object.entries(objectOf(objectOf(older.components).schemas)).filter(([name]) =>
    /Request$|Reply$|Callback$/.test(name),
  )
  let judged = 0
  let refused = 0
  for (const [name] of bodies) {
    const $ref = `#/components/schemas/${name}`
    const [asOlder, asNewer] = [judgeOf.older({ $ref }), judgeOf.newer({ $ref })]
    const examples = holders
      .filter(([, { schema }]) => objectOf(schema).$ref === $ref)
      .flatMap(([, node]) => valuesOf(node))
    for (const body of examples.flatMap((example) => [example, ...spoilt(example)])) {
      judged += 1
      if (!asNewer(body)) refused += 1
      expect(asOlder(body), `${name}: ${JSON.stringify(body)}`).toBe(asNewer(body))
    }
  }
  expect(judged).toBeGreaterThan(5_000)
  expect(refused).toBeGreaterThan(judged / 2)
})

test('nothing of OpenAPI 3.1 is left in the older copy', () => {
  const all = [...objectsIn(older)].map(([, node]) => node)
  expect(older.openapi).toBe('3.0.3')
  expect(older).not.toHaveProperty('webhooks')
  expect(Object.keys(objectOf(older['x-webhooks']))).toEqual(Object.keys(objectOf(contract.webhooks)))
  expect(all.filter((node) => '$ref' in node && Object.keys(node).length > 1)).toEqual([])
  expect(all.filter(({ type }) => Array.isArray(type))).toEqual([])
  expect(all.filter(({ examples }) => Array.isArray(examples))).toEqual([])
})

test('an operation of the older copy has the same parameters, keys and statuses', () => {
  const requested = (document: JsonObject) =>
    Object.values(objectOf(document.paths))
      .flatMap((item) => Object.values(objectOf(item)))
      .map(objectOf)
      .map(({ operationId, parameters, security, requestBody, responses }) => ({
        operationId,
        parameters: listOf(parameters),
        security,
        requestBody,
        // Their schemas are judged by their examples, below.
        responses: JSON.parse(JSON.stringify(responses), (key, value: unknown) =>
          key === 'schema' ? undefined : value,
        ),
      }))
  expect(requested(older)).toEqual(requested(contract))
})

test.each([
  ['a list of types', { type: ['string', 'null'] }],
  ['a constant', { const: 'X' }],
  ['a condition', { if: {}, else: {} }],
  ['an exclusive bound', { exclusiveMinimum: 1 }],
  ['another exclusive bound', { exclusiveMaximum: 1 }],
  ['a negation', { not: {} }],
  ['named patterns', { patternProperties: {} }],
  ['null beside a type', { nullable: true }],
])('%s is refused by its place and name, because OpenAPI 3.0 cannot say it', (_what, schema) => {
  expect(() =>
    toOpenApi30({ ...contract, components: { ...objectOf(contract.components), schemas: { Odd: schema } } }),
  ).toThrow(new RegExp(`^components/schemas/Odd: .(${Object.keys(schema).join('|')}). is not understood by every tool`))
})
