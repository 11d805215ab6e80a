import { bundleUrl, readContract, type Parameter, type Schema } from '../../../openapi/reading/contract.ts'
import { follow } from '../../../openapi/reading/references.ts'
import { present } from '../../domain/present.ts'
import { createCanaries, type Canaries } from './canary.ts'

// Where a request has room for text, read from the contract: a new field is covered automatically.

type Json = Readonly<Record<string, unknown>>

/** An operation with one valid request; the values are the contract's own examples. */
interface ValidRequest {
  /** `initializeCollection collection_bank` */
  readonly name: string
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body?: Json
  readonly bodySchema?: Schema
}

/** The same request with a canary in one place. */
export interface PlantedRequest {
  readonly place: string
  readonly request: ValidRequest
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly query: string
  readonly body?: Json
}

const { document, operations, faultIn } = readContract(bundleUrl)

/** Every operation, once for each example of its body. */
export const validRequests: readonly ValidRequest[] = operations
  .filter(({ kind }) => kind === 'operation')
  .flatMap(({ id, method, path, parameters, body: declared }): ValidRequest[] => {
    const common = { operationId: id, method, path, parameters }
    if (!declared) return [{ ...common, name: id }]
    return declared.examples.map(({ name, value }) => {
      const body = Object(value) as Json
      return { ...common, name: `${id} ${name}`, body, bodySchema: branchOf(follow(document, declared.schema), body) }
    })
  })

function branchOf(schema: Schema, body: Json): Schema {
  const tag = schema.discriminator?.propertyName
  if (!schema.oneOf || tag === undefined) return schema
  const branch = schema.oneOf
    .map((member) => follow(document, member))
    .find(({ properties }) => properties?.[tag]?.enum?.includes(body[tag]))
  return present(branch, `the schema of ${tag} ${String(body[tag])}`)
}

const TOO_LONG = 5_000
const grouped = (card: string, separator: string): string => card.replace(/(?<=^(?:\d{4})+)(?=\d)/g, separator)

/** Each shape of our planted text, whether or not the field accepts it. */
const TEXTS: readonly (readonly [string, (canaries: Canaries, place: string) => string])[] = [
  ['key', (canaries, place) => canaries.plant('secret', place)],
  ['card', (canaries, place) => canaries.plant('card', place)],
  ['spaced card', (canaries, place) => grouped(canaries.plant('card', place), ' ')],
  ['dashed card', (canaries, place) => grouped(canaries.plant('card', place), '-')],
  ['otp', (canaries, place) => canaries.plant('otp', place)],
  ['key in an address', (canaries, place) => `${canaries.plant('secret', place)}@shop.example`],
  [
    'key in a URL',
    (canaries, place) => `https://shop.example/${canaries.plant('card', place)}?key=${canaries.plant('secret', place)}`,
  ],
  [
    'too long',
    (canaries, place) => (canaries.plant('secret', place) + canaries.plant('card', place)).padEnd(TOO_LONG, 'x'),
  ],
]
const OTHER_TYPES: readonly (readonly [string, (canaries: Canaries, place: string) => unknown])[] = [
  ['list', (canaries, place) => [canaries.plant('secret', place), canaries.plant('card', place)]],
  ['object', (canaries, place) => ({ [canaries.plant('secret', place)]: canaries.plant('card', place) })],
  ['long number', (canaries, place) => Number(canaries.plant('card', place))],
  ['number', (canaries, place) => Number(canaries.plant('otp', place))],
]

/** All requests that carry a canary in a field or parameter of the contract, valid and invalid ones. */
export function plantedRequests(canaries: Canaries): readonly PlantedRequest[] {
  return validRequests.flatMap((request) => [...inParameters(request, canaries), ...inBody(request, canaries)])
}

function* inParameters(request: ValidRequest, canaries: Canaries): Generator<PlantedRequest> {
  const keys = Object.values(document.components?.securitySchemes ?? {}).map(({ name = '' }) => ({
    name,
    in: 'header',
  }))
  for (const { name, in: where } of [...request.parameters, ...keys]) {
    for (const [shape, text] of TEXTS) {
      const place = `${request.name} ${where} ${name} (${shape})`
      const value = text(canaries, place)
      yield planted(request, place, {
        ...(where === 'header' && { headers: { [name]: value } }),
        ...(where === 'query' && { query: { [name]: value } }),
        ...(where === 'path' && { params: { [name]: value } }),
      })
    }
  }
}

function* inBody(request: ValidRequest, canaries: Canaries): Generator<PlantedRequest> {
  const { body, bodySchema, name } = request
  if (!body || !bodySchema) return
  for (const { field, schema } of fieldsOf(bodySchema)) {
    for (const [shape, value] of [...TEXTS, ...OTHER_TYPES]) {
      // Whether the field accepts such a text is part of the place: rejected text must not be kept anywhere.
      const place = `${name} body ${field.join('.')} (${shape}, ${faultIn(schema, value(createCanaries([]), '')) ? 'refused' : 'taken'})`
      yield planted(request, place, { body: withField(body, field, value(canaries, place)) })
    }
    if (schema.type !== 'object') continue
    const place = `${name} body ${field.join('.')} unknown name`
    yield planted(request, place, {
      body: withField(body, [...field, canaries.plant('secret', place)], canaries.plant('card', place)),
    })
  }
  const place = `${name} body unknown name`
  yield planted(request, place, { body: { ...body, [canaries.plant('secret', place)]: canaries.plant('card', place) } })
}

function* fieldsOf(
  schema: Schema,
  above: readonly string[] = [],
): Generator<{ readonly field: readonly string[]; readonly schema: Schema }> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = [...above, name]
    const resolved = follow(document, property)
    yield { field, schema: resolved }
    yield* fieldsOf(resolved, field)
  }
}

function withField(body: Json, [first, ...rest]: readonly string[], value: unknown): Json {
  const name = present(first, 'the name of a field')
  const inner = rest.length > 0 ? withField(Object(body[name] ?? {}) as Json, rest, value) : value
  return { ...body, [name]: inner }
}

interface Changes {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Json
}

/** The valid request with the changes applied. */
export function planted(
  request: ValidRequest,
  place: string,
  { headers = {}, query = {}, params = {}, body = request.body }: Changes,
): PlantedRequest {
  const usual = (where: string) =>
    Object.fromEntries(
      request.parameters
        .filter((parameter) => parameter.in === where && parameter.required)
        .map(({ name, example }) => [name, String(example)]),
    )
  const values: Readonly<Record<string, string>> = { ...usual('path'), ...params }
  return {
    place,
    request,
    headers: { ...usual('header'), ...headers },
    path: request.path.replace(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(present(values[name], name))),
    query: new URLSearchParams({ ...usual('query'), ...query }).toString(),
    ...(body && { body }),
  }
}
