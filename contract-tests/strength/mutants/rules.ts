import type { OpenApiDocument, Parameter, Schema } from '../../../openapi/reading/document.ts'
import { operationsOf, shownBy, type Example, type Media, type Operation } from '../../../openapi/reading/operations.ts'
import { fieldsOf } from '../../harness/json.ts'
import { follow } from '../../../openapi/reading/references.ts'
import { messageIn, messageOf, verdictOf, type Corpus } from './corpus.ts'
import { remembered, shapeOf } from './shapes.ts'
import { lengthsOf } from './text-length.ts'

/** Rules within a contract. A dangling `$ref` throws. */
export function* ruleFaults(contract: OpenApiDocument): Generator<string> {
  const declared = operationsOf(contract)
  const { components = {} } = contract
  for (const operation of declared) yield* operationFaults(contract, operation)
  yield* doubles(
    declared.map(({ id }) => id),
    'operationId',
  )
  for (const [name, schema] of Object.entries(components.schemas ?? {})) yield* schemaFaults(contract, schema, name)
  for (const [name, { schema = {} }] of Object.entries({ ...components.parameters, ...components.headers }))
    yield* schemaFaults(contract, schema, name)
  yield* unevenEnvelopes(contract, declared)
  yield* unusedComponents(contract)
}

function* doubles(names: readonly string[], what: string): Generator<string> {
  for (const name of names) if (names.indexOf(name) !== names.lastIndexOf(name)) yield `${what} ${name} is there twice`
}

const NEEDED = ['400', '401', '429', '500', '503']
const NEEDED_OF_POST = ['409', '413', '415']

function* operationFaults(contract: OpenApiDocument, operation: Operation): Generator<string> {
  const { id, kind, method, parameters, request, responses, path } = operation
  if (kind === 'operation') {
    for (const status of [...NEEDED, ...(method === 'POST' ? NEEDED_OF_POST : [])])
      if (!responses.some((response) => response.status === status)) yield `${id} does not declare ${status}`
    for (const [, name] of path.matchAll(/\{([^}]+)\}/g))
      if (!parameters.some((parameter) => parameter.in === 'path' && parameter.name === name))
        yield `${id} does not declare {${name}}`
  }
  yield* doubles(
    parameters.map(({ in: place, name }) => `${place} ${name}`),
    `${id}: the parameter`,
  )
  for (const parameter of parameters) yield* parameterFaults(contract, operation, parameter)
  if (request) yield* bodyFaults(contract, request.content, `${id} request`)
  if (request && kind !== 'operation') yield* mixedEvents(contract, request.content, id)
  for (const { status, headers, content } of responses) {
    const where = `${id} ${status}`
    for (const header of headers)
      yield* valueFaults(contract, header.schema, shownBy(contract, header), `${where} header ${header.name}`)
    if (kind === 'operation' && content.length === 0) yield `${where} has no body`
    yield* bodyFaults(contract, content, where)
    for (const { value } of content.flatMap(({ examples }) => examples)) {
      const { code = status } = fieldsOf(value)
      if (String(code) !== status) yield `${where} has an example with the code ${String(code)}`
    }
  }
}

function* parameterFaults(contract: OpenApiDocument, { id }: Operation, parameter: Parameter): Generator<string> {
  const where = `${id} ${parameter.in} ${parameter.name}`
  if (parameter.in === 'path' && !parameter.required) yield `${where} is not required`
  yield* valueFaults(contract, parameter.schema, shownBy(contract, parameter), where)
}

/** An event never has the status of another: no callback is valid under another event's name. */
function* mixedEvents(contract: OpenApiDocument, contents: readonly Media[], id: string): Generator<string> {
  for (const { schema, examples } of contents) {
    const shape = shapeOf(contract, schema, `${id} body`)
    const events = Object.keys(follow(contract, schema).discriminator?.mapping ?? {})
    for (const { name, value } of examples) {
      const fields = Object(value) as { readonly event?: unknown }
      for (const event of events)
        if (event !== fields.event && shape.fits({ ...fields, event })) yield `${id}: ${name} fits as ${event} too`
    }
  }
}

function* valueFaults(
  contract: OpenApiDocument,
  schema: Schema,
  examples: readonly Example[],
  where: string,
): Generator<string> {
  if (examples.length === 0) yield `${where} has no example`
  const shape = shapeOf(contract, schema, where)
  for (const { name, value } of examples)
    if (!shape.fits(value)) yield `${where}: the example ${name} does not fit: ${shape.why(value)}`
}

function* bodyFaults(contract: OpenApiDocument, content: readonly Media[], where: string): Generator<string> {
  for (const { type, schema, examples } of content) {
    if (type !== 'application/json') yield `${where} is ${type}`
    yield* valueFaults(contract, schema, examples, where)
  }
}

/**
 * Schemas that every tool understands: bounded, and without limits that no value reaches (see openapi/lint-rules.js).
 */
function* schemaFaults(contract: OpenApiDocument, schema: Schema, where: string): Generator<string> {
  const {
    type,
    pattern,
    properties = {},
    items,
    oneOf = [],
    allOf = [],
    discriminator,
    minLength = 0,
    maxLength = Infinity,
    examples = [],
  } = schema
  if (type === 'object' && schema.additionalProperties !== false && !/ allOf \d+$/.test(where)) yield `${where} is open`
  if (type === 'string' && !schema.enum && (pattern === undefined || maxLength === Infinity))
    yield `${where} has no bounds`
  if (
    (type === 'number' || type === 'integer') &&
    !schema.enum &&
    (schema.minimum === undefined || schema.maximum === undefined)
  )
    yield `${where} has no bounds`
  if (type === 'array' && (schema.maxItems === undefined || !items)) yield `${where} has no bounds`
  if (pattern !== undefined) {
    const { min, max } = lengthsOf(pattern)
    if (minLength < min && schema.minLength !== undefined)
      yield `${where}: minLength is ${minLength}, and the pattern lets nothing through below ${min}`
    if (maxLength > max) yield `${where}: maxLength is ${maxLength}, and the pattern lets nothing through above ${max}`
  }
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(properties, name)) yield `${where} requires ${name}, which it does not have`
  if (examples.length > 0) {
    const shape = shapeOf(contract, schema, where)
    for (const value of examples) if (!shape.fits(value)) yield `${where}: an example does not fit: ${shape.why(value)}`
  }
  if (oneOf.length > 0) yield* unionFaults(contract, oneOf, discriminator, where)
  for (const [name, child] of Object.entries(properties)) yield* schemaFaults(contract, child, `${where}.${name}`)
  for (const [index, part] of allOf.entries()) yield* schemaFaults(contract, part, `${where} allOf ${index}`)
  if (items) yield* schemaFaults(contract, items, `${where} item`)
}

/** The mapping names every member, and each member accepts only its own tag. */
function* unionFaults(
  contract: OpenApiDocument,
  oneOf: readonly Schema[],
  discriminator: Schema['discriminator'],
  where: string,
): Generator<string> {
  const { propertyName: tagName = '', mapping = {} } = discriminator ?? {}
  const members = oneOf.map(({ $ref = '' }) => $ref).sort()
  if (members.join() !== Object.values(mapping).sort().join()) yield `${where}: members and mapping are not the same`
  for (const [tag, $ref] of Object.entries(mapping)) {
    const { properties = {}, required = [] } = follow<Schema>(contract, { $ref })
    const { enum: tags = [] } = properties[tagName] ?? {}
    if (tags.join() !== tag || !required.includes(tagName))
      yield `${where}: ${tag} leads to a member that takes ${tags.join()}`
  }
}

/** Replies that differ only in their data have one envelope (service description: Common response envelope). */
function* unevenEnvelopes(contract: OpenApiDocument, declared: readonly Operation[]): Generator<string> {
  const texts = new Map<string, string>()
  for (const { id, kind, responses } of declared) {
    if (kind !== 'operation') continue
    for (const { status, content } of responses) {
      if (!status.startsWith('2')) continue
      const {
        properties: { code: _code, status: _status, data: _data, message = {}, ...others } = {},
        required,
        type,
      } = follow(contract, content[0]?.schema ?? {})
      const { examples: _examples, ...rule } = message
      texts.set(
        `${id} ${status}`,
        JSON.stringify([{ ...rule, description: undefined }, Object.keys(others), required, type]),
      )
    }
  }
  const counts = new Map(
    [...texts.values()].map((text) => [text, [...texts.values()].filter((other) => other === text).length]),
  )
  const usual = Math.max(...counts.values())
  for (const [where, text] of texts)
    if (counts.get(text) !== usual) yield `${where} has another envelope than the other replies`
}

function* unusedComponents({ paths = {}, webhooks = {}, components = {} }: OpenApiDocument): Generator<string> {
  const used = new Set(
    [
      paths,
      webhooks,
      ...Object.values(components).flatMap((named: Readonly<Record<string, object>>) => Object.values(named)),
    ].flatMap((part) => [...refsIn(part)]),
  )
  for (const [kind, named] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(named))
      if (!used.has(`#/components/${kind}/${name}`)) yield `${kind}/${name} is not used`
  }
}

/** Cached by part: mutants share all parts but one. */
const refs = new WeakMap<object, ReadonlySet<string>>()
const refsIn = (part: object): ReadonlySet<string> =>
  remembered(
    refs,
    part,
    () => new Set([...JSON.stringify(part).matchAll(/"(#\/components\/\w+\/[^"]+)"/g)].map(([, ref = '']) => ref)),
  )

/** A message without its variable parts: numbers, codes, currencies, references. */
const sentence = (message: string): string =>
  message
    .replace(/\([^)]*\)/g, '(…)')
    .replace(/^\S+ (?=is not a valid)/, '… ')
    .replace(/is not a valid .+ \(/, 'is not a valid … (')
    .replace(/\b[A-Z]{3}\b/g, 'CUR')
    .replace(/\d+(\.\d+)?/g, '#')
    .replace(/seconds\b/, 'second')
    .replace(/offer \w+$/, 'offer …')

/** Kinds of invalid requests: one example for each kind that was recorded. */
const KINDS: readonly RegExp[] = [
  /^x-api-version is required$/,
  /^x-api-version \(/,
  /^Idempotency-Key must/,
  /^The request body /,
  / must be given once$/,
  / is not allowed$/,
  / is required$/,
  / must be one of /,
  / must /,
]
const kindOf = (message: string): string => String(KINDS.find((kind) => kind.test(message)) ?? message)

/** Examples equal the gateway's messages; each refusal by a rule, and each kind of malformed request, has one. */
export function* illustrationFaults(contract: OpenApiDocument, { exchanges }: Corpus): Generator<string> {
  // operation and status → sentence → whether the contract itself refused
  const said = new Map<string, Map<string, boolean>>()
  for (const exchange of exchanges) {
    if (exchange.answeredBy !== 'gateway' || exchange.operationId === undefined) continue
    const key = `${exchange.operationId} ${exchange.status}`
    const sentences = said.get(key) ?? new Map<string, boolean>()
    said.set(key, sentences.set(sentence(messageOf(exchange)), verdictOf(exchange) === 'breaks'))
  }
  for (const { id, kind, responses } of operationsOf(contract)) {
    if (kind !== 'operation') continue
    for (const { status, content } of responses) {
      const sentences = said.get(`${id} ${status}`) ?? new Map<string, boolean>()
      const shown = new Set<string>()
      for (const { name, value } of content.flatMap(({ examples }) => examples)) {
        const message = sentence(messageIn(value))
        shown.add(message).add(kindOf(message))
        if (sentences.size > 0 && !sentences.has(message))
          yield `${id} ${status}: nobody ever got "${message}" (example ${name})`
      }
      for (const [message, isMalformed] of sentences)
        if (!shown.has(isMalformed ? kindOf(message) : message)) yield `${id} ${status}: no example shows "${message}"`
    }
  }
}
