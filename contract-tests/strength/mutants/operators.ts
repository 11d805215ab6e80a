import type { Contract } from './contract.ts'

/** One small change of the contract. */
export interface Mutant {
  readonly operator: string
  /** Where, as a JSON pointer without its slash in front. */
  readonly at: string
  readonly what: string
  readonly make: () => Contract
}

type Path = readonly (string | number)[]
type Json = unknown
type Fields = Readonly<Record<string, Json>>

const isFields = (node: Json): node is Fields => typeof node === 'object' && node !== null && !Array.isArray(node)
const fieldsOf = (node: Json): Fields => (isFields(node) ? node : {})
const listOf = (node: Json): readonly Json[] => (Array.isArray(node) ? node : [])
const get = (node: Json, path: Path): Json =>
  path.reduce((at: Json, key) => (Array.isArray(at) ? at[Number(key)] : fieldsOf(at)[key]), node)

const GONE = Symbol('gone')

/** A copy with one place changed; everything beside the way there is shared with the original. */
function changed(node: Json, [key, ...rest]: Path, value: Json): Json {
  if (key === undefined) return value
  if (Array.isArray(node)) {
    const next = rest.length === 0 && value === GONE ? undefined : changed(node[Number(key)], rest, value)
    return rest.length === 0 && value === GONE ? node.toSpliced(Number(key), 1) : node.with(Number(key), next)
  }
  const { [key]: old, ...others } = fieldsOf(node)
  if (rest.length === 0 && value === GONE) return others
  return { ...fieldsOf(node), [key]: changed(old, rest, value) }
}

/** The same value under another key, in the same place. */
const renamed = (node: Json, from: string, to: string): Json =>
  Object.fromEntries(Object.entries(fieldsOf(node)).map(([key, value]) => [key === from ? to : key, value]))

interface Change {
  readonly operator: string
  readonly path: Path
  readonly what: string
  readonly value: Json
}

const pointer = (path: Path): string =>
  path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

/** Every mutant there is, in the order of the document: the same at every run. */
export function mutantsOf(contract: Contract): Mutant[] {
  return [...changesOf(contract)].map(({ operator, path, what, value }) => {
    const make = (): Contract => {
      const mutated: Json = changed(contract, path, value)
      // The whole tree with one place changed: whether it still is a contract is what is tested.
      return mutated as Contract
    }
    return { operator, at: pointer(path), what, make }
  })
}

function* changesOf(contract: Json): Generator<Change> {
  const components = (kind: string): [string, Path][] =>
    Object.keys(fieldsOf(get(contract, ['components', kind]))).map((name) => [name, ['components', kind, name]])
  for (const [path, item] of Object.entries(fieldsOf(get(contract, ['paths'])))) {
    yield {
      operator: 'change a path',
      path: ['paths'],
      what: `${path} → ${path}s`,
      value: renamed(get(contract, ['paths']), path, `${path}s`),
    }
    for (const method of Object.keys(fieldsOf(item))) yield* ofOperation(contract, ['paths', path, method], true)
  }
  for (const [webhook, item] of Object.entries(fieldsOf(get(contract, ['webhooks'])))) {
    yield { operator: 'remove a webhook', path: ['webhooks', webhook], what: webhook, value: GONE }
    for (const method of Object.keys(fieldsOf(item))) yield* ofOperation(contract, ['webhooks', webhook, method], false)
  }
  for (const [, at] of components('callbacks')) {
    for (const expression of Object.keys(fieldsOf(get(contract, at)))) {
      yield {
        operator: 'change a callback expression',
        path: at,
        what: `${expression} → customer_email`,
        value: renamed(get(contract, at), expression, '{$request.body#/customer_email}'),
      }
      for (const method of Object.keys(fieldsOf(get(contract, [...at, expression]))))
        yield* ofOperation(contract, [...at, expression, method], false)
    }
  }
  for (const [, at] of components('schemas')) yield* ofSchema(contract, at)
  for (const [, at] of components('parameters')) yield* ofParameter(contract, at)
  for (const [, at] of components('headers')) yield* ofHeader(contract, at)
  for (const [, at] of components('responses')) yield* ofResponse(contract, at)
  for (const [, at] of components('requestBodies')) yield* ofRequestBody(contract, at)
  for (const [, at] of components('links')) yield* ofLink(contract, at)
  for (const [, at] of components('examples')) yield* ofExample(contract, at)
  for (const [name, at] of components('securitySchemes'))
    yield {
      operator: 'change a security scheme',
      path: [...at, 'name'],
      what: `${name} in another header`,
      value: `x-${name.toLowerCase()}`,
    }
}

function* ofOperation(contract: Json, at: Path, isOurs: boolean): Generator<Change> {
  const { parameters, responses, security, requestBody, callbacks, ...fields } = fieldsOf(get(contract, at))
  const operationId = String(fields.operationId)
  yield {
    operator: 'change an operationId',
    path: [...at, 'operationId'],
    what: `${operationId} → ${operationId}V2`,
    value: `${operationId}V2`,
  }
  yield {
    operator: 'change a method',
    path: at.slice(0, -1),
    what: `${at.at(-1)} → put`,
    value: renamed(get(contract, at.slice(0, -1)), String(at.at(-1)), 'put'),
  }
  for (const [index, parameter] of listOf(parameters).entries()) {
    yield {
      operator: 'drop a parameter',
      path: [...at, 'parameters', index],
      what: String(fieldsOf(parameter).$ref ?? fieldsOf(parameter).name),
      value: GONE,
    }
    if (!('$ref' in fieldsOf(parameter))) yield* ofParameter(contract, [...at, 'parameters', index])
  }
  if (requestBody !== undefined)
    yield { operator: 'drop a request body', path: [...at, 'requestBody'], what: 'no body', value: GONE }
  const statuses = Object.keys(fieldsOf(responses))
  for (const [index, status] of statuses.entries()) {
    yield { operator: 'remove a status', path: [...at, 'responses', status], what: status, value: GONE }
    const other = statuses[(index + 1) % statuses.length] ?? status
    // The answers of merchants have no body and no header: one is like another.
    if (isOurs)
      yield {
        operator: "change a status's response",
        path: [...at, 'responses', status],
        what: `${status} as ${other}`,
        value: fieldsOf(responses)[other],
      }
  }
  if (isOurs) {
    yield {
      operator: 'add a status',
      path: [...at, 'responses', '402'],
      what: '402 as 401',
      value: fieldsOf(responses)['401'],
    }
    yield* ofSecurity(at, listOf(security))
  }
  for (const name of Object.keys(fieldsOf(callbacks)))
    yield { operator: 'remove a callback', path: [...at, 'callbacks', name], what: name, value: GONE }
}

function* ofSecurity(at: Path, security: readonly Json[]): Generator<Change> {
  for (const [index, requirement] of security.entries()) {
    for (const scheme of Object.keys(fieldsOf(requirement)))
      yield {
        operator: 'drop a security requirement',
        path: [...at, 'security', index, scheme],
        what: scheme,
        value: GONE,
      }
    if (!('secretKey' in fieldsOf(requirement)))
      yield {
        operator: 'add a security requirement',
        path: [...at, 'security', index, 'secretKey'],
        what: 'secretKey',
        value: [],
      }
  }
}

function* ofParameter(contract: Json, at: Path): Generator<Change> {
  const { required, example, ...fields } = fieldsOf(get(contract, at))
  const name = String(fields.name)
  yield {
    operator: 'make a parameter optional or required',
    path: [...at, 'required'],
    what: `${name}: ${!required}`,
    value: !required,
  }
  yield {
    operator: 'change the name of a parameter',
    path: [...at, 'name'],
    what: `${name} → ${name}_x`,
    value: `${name}_x`,
  }
  if (example !== undefined)
    yield { operator: 'drop an example', path: [...at, 'example'], what: `of ${name}`, value: GONE }
  yield* ofSchema(contract, [...at, 'schema'])
}

function* ofHeader(contract: Json, at: Path): Generator<Change> {
  const { required } = fieldsOf(get(contract, at))
  yield {
    operator: 'make a header optional or required',
    path: [...at, 'required'],
    what: String(!required),
    value: !required,
  }
  yield* ofSchema(contract, [...at, 'schema'])
}

function* ofResponse(contract: Json, at: Path): Generator<Change> {
  const { headers, links } = fieldsOf(get(contract, at))
  for (const name of Object.keys(fieldsOf(headers)))
    yield { operator: 'remove a header', path: [...at, 'headers', name], what: name, value: GONE }
  for (const name of Object.keys(fieldsOf(links)))
    yield { operator: 'remove a link', path: [...at, 'links', name], what: name, value: GONE }
  yield* ofContent(contract, at)
}

function* ofRequestBody(contract: Json, at: Path): Generator<Change> {
  yield { operator: 'make a request body optional', path: [...at, 'required'], what: 'false', value: false }
  yield* ofContent(contract, at)
}

function* ofContent(contract: Json, at: Path): Generator<Change> {
  const content = fieldsOf(get(contract, [...at, 'content']))
  for (const [type, media] of Object.entries(content)) {
    yield { operator: 'remove a media type', path: [...at, 'content', type], what: type, value: GONE }
    yield {
      operator: 'change a media type',
      path: [...at, 'content'],
      what: `${type} → text/json`,
      value: renamed(content, type, 'text/json'),
    }
    yield {
      operator: 'change the schema of a body',
      path: [...at, 'content', type, 'schema'],
      what: 'EmptyData',
      value: { $ref: '#/components/schemas/EmptyData' },
    }
    for (const name of Object.keys(fieldsOf(fieldsOf(media).examples)))
      yield { operator: 'drop an example', path: [...at, 'content', type, 'examples', name], what: name, value: GONE }
  }
}

function* ofLink(contract: Json, at: Path): Generator<Change> {
  const { operationId, parameters, requestBody } = fieldsOf(get(contract, at))
  yield {
    operator: "change a link's operationId",
    path: [...at, 'operationId'],
    what: `${String(operationId)} → listPaymentProviders`,
    value: 'listPaymentProviders',
  }
  for (const [part, values] of [
    ['parameters', parameters],
    ['requestBody', requestBody],
  ] as const) {
    for (const [name, value] of Object.entries(fieldsOf(values)))
      if (typeof value === 'string')
        yield {
          operator: 'change what a link hands over',
          path: [...at, part, name],
          what: `${value} → …_id`,
          value: `${value}_id`,
        }
  }
}

function* ofExample(contract: Json, at: Path): Generator<Change> {
  const value = get(contract, [...at, 'value'])
  const { code, message, data, event } = fieldsOf(value)
  if (typeof code === 'number')
    yield {
      operator: 'change an example',
      path: [...at, 'value', 'code'],
      what: `code ${code} → ${code + 1}`,
      value: code + 1,
    }
  if (typeof message === 'string')
    yield {
      operator: 'change an example',
      path: [...at, 'value', 'message'],
      what: `${message} → as an order`,
      value: `Please note: ${message}`,
    }
  if (isFields(data) && Object.keys(data).length > 0)
    yield {
      operator: 'change an example',
      path: [...at, 'value', 'data', 'note'],
      what: 'an undeclared property',
      value: 'x',
    }
  if (typeof event === 'string')
    yield {
      operator: 'change an example',
      path: [...at, 'value', 'event'],
      what: event,
      value: event === 'transaction.failed' ? 'transaction.completed' : 'transaction.failed',
    }
  if (code === undefined && isFields(value))
    for (const name of Object.keys(value).slice(0, 2))
      yield { operator: 'change an example', path: [...at, 'value', name], what: `${name} left out`, value: GONE }
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxProperties']
const OTHER_TYPE: Readonly<Record<string, string>> = {
  string: 'integer',
  integer: 'number',
  number: 'integer',
  boolean: 'string',
  object: 'array',
  array: 'object',
}

function* ofSchema(contract: Json, at: Path): Generator<Change> {
  const schema = fieldsOf(get(contract, at))
  const { required, properties, pattern, additionalProperties, type, discriminator, oneOf } = schema
  const names = Object.keys(fieldsOf(properties))
  // What a part of an `allOf` requires, the part that it narrows requires too: to drop it there changes nothing.
  const narrows = at.at(-2) === 'allOf'
  if (!narrows)
    for (const [index, name] of listOf(required).entries())
      yield { operator: 'drop a required', path: [...at, 'required', index], what: String(name), value: GONE }
  for (const name of names)
    if (!listOf(required).includes(name))
      yield { operator: 'add a required', path: [...at, 'required'], what: name, value: [...listOf(required), name] }
  for (const name of names)
    yield {
      operator: 'drop a property',
      path: at,
      what: name,
      value: {
        ...schema,
        required: listOf(required).filter((other) => other !== name),
        properties: changed(properties, [name], GONE),
      },
    }
  if (names.length > 0 && additionalProperties === false) {
    yield {
      operator: 'add a property',
      path: [...at, 'properties', 'note'],
      what: 'note',
      value: {
        type: 'string',
        minLength: 1,
        maxLength: 50,
        pattern: '^[a-z]+$',
        'x-pattern-message': 'must be letters',
      },
    }
    yield { operator: 'open additionalProperties', path: [...at, 'additionalProperties'], what: 'true', value: true }
  }
  yield* ofEnum(schema, at)
  for (const limit of LIMITS) yield* ofLimit(schema, at, limit)
  if (typeof pattern === 'string')
    yield { operator: 'drop a pattern', path: [...at, 'pattern'], what: pattern, value: GONE }
  // Whether 200 is an integer or a number makes no difference where 200 is all there is.
  const otherType = schema.enum === undefined || type === 'boolean' ? OTHER_TYPE[String(type)] : 'boolean'
  if (typeof type === 'string')
    yield { operator: 'change a type', path: [...at, 'type'], what: `${type} → ${otherType}`, value: otherType }
  yield* ofUnion(at, fieldsOf(fieldsOf(discriminator).mapping), listOf(oneOf))
  for (const name of names) yield* ofSchema(contract, [...at, 'properties', name])
  for (const index of listOf(schema.allOf).keys()) yield* ofSchema(contract, [...at, 'allOf', index])
  if (schema.items !== undefined) yield* ofSchema(contract, [...at, 'items'])
}

/** A value that an enum with this one does not have. */
function otherThan(value: Json): number | boolean | string {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'SOMETHING_ELSE'
}

function* ofEnum(schema: Fields, at: Path): Generator<Change> {
  const values = listOf(schema.enum)
  if (values.length === 0) return
  const more = otherThan(values[0])
  yield { operator: 'widen an enum', path: [...at, 'enum'], what: String(more), value: [...values, more] }
  for (const index of values.keys()) {
    if (values.length > 1)
      yield { operator: 'narrow an enum', path: [...at, 'enum', index], what: String(values[index]), value: GONE }
    else
      yield { operator: 'change an enum', path: [...at, 'enum'], what: `${String(values[0])} → ${more}`, value: [more] }
  }
}

function* ofLimit(schema: Fields, at: Path, limit: string): Generator<Change> {
  const value = schema[limit]
  if (typeof value !== 'number') return
  const step = Number.isInteger(value) ? 1 : 0.01
  for (const moved of [value - step, value + step]) {
    // A length below zero is none, and beyond 2^53 a number has no neighbour.
    if ((moved < 0 && limit !== 'minimum') || moved > Number.MAX_SAFE_INTEGER) continue
    yield { operator: `move ${limit}`, path: [...at, limit], what: `${value} → ${moved}`, value: moved }
  }
}

function* ofUnion(at: Path, mapping: Fields, oneOf: readonly Json[]): Generator<Change> {
  const tags = Object.keys(mapping)
  const [first, second] = tags
  if (first === undefined || second === undefined) return
  yield {
    operator: 'change a discriminator mapping',
    path: [...at, 'discriminator', 'mapping'],
    what: 'both led to each other’s member',
    value: { [first]: mapping[second], [second]: mapping[first] },
  }
  for (const tag of tags)
    yield {
      operator: 'change a discriminator mapping',
      path: [...at, 'discriminator', 'mapping', tag],
      what: `${tag} not mapped`,
      value: GONE,
    }
  for (const index of oneOf.keys())
    yield {
      operator: 'drop a member of a union',
      path: [...at, 'oneOf', index],
      what: String(fieldsOf(oneOf[index]).$ref),
      value: GONE,
    }
}
