import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, objectOf, textOf, type Json, type JsonObject } from '../../../openapi/reading/json.ts'
import { child, children, descendant, rootOf, type Place } from '../../../openapi/reading/place.ts'

/** The bundle that Prism serves, and that these tests hold it to. */
export const bundleUrl = new URL('../../../generated/openapi.json', import.meta.url)

/** A request that the contract accepts, made of its own examples. */
export interface ExampleRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

/** One reply that the contract shows. */
export interface Answer {
  readonly operationId: string
  readonly status: number
  readonly name: string
  readonly value: unknown
  /** Headers that every reply of this status must carry. */
  readonly headers: readonly string[]
  /** What is wrong with a body of this status, or undefined. */
  readonly faultIn: (body: unknown) => string | undefined
}

export interface Operation {
  readonly operationId: string
  /** One per named example of the request body, or a single one. */
  readonly requests: readonly ExampleRequest[]
  readonly answers: readonly Answer[]
}

type Compile = (place: Place) => ValidateFunction

const textAt = (node: Json | undefined, key: string): string => textOf(objectOf(node)[key])
const bodyOf = (place: Place): Place => descendant(place, 'content', 'application/json')
/** The values of named examples. */
const examplesOf = (place: Place): [string, Json | undefined][] =>
  children(child(place, 'examples')).map(([name, { node }]) => [name, objectOf(node).value])

function compilerOf(contract: Json): Compile {
  const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: true, allErrors: true }))
  ajv.addSchema(objectOf(withoutMappings(contract)), 'contract')
  return ({ pointer }) => {
    // A pointer inside a `$ref` is a URI fragment, where the braces of a path need escaping.
    const fragment = pointer
      .slice(1)
      .split('/')
      .map((key) => encodeURIComponent(decodeURIComponent(key)))
      .join('/')
    return ajv.compile({ $ref: `contract#${fragment}` })
  }
}

/** Ajv knows `discriminator`, but not its `mapping`; the values are in each member too. */
function withoutMappings(node: Json): Json {
  if (Array.isArray(node)) return node.map(withoutMappings)
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'discriminator' ? { propertyName: textAt(value, 'propertyName') } : withoutMappings(value),
    ]),
  )
}

function answersOf(operationId: string, responses: Place, compile: Compile): Answer[] {
  return children(responses).flatMap(([status, response]) => {
    const validate = compile(child(bodyOf(response), 'schema'))
    const headers = children(child(response, 'headers'))
      .filter(([, header]) => objectOf(header.node).required === true)
      .map(([name]) => name)
    const faultIn = (body: unknown) =>
      validate(body)
        ? undefined
        : (validate.errors ?? []).map(({ instancePath, message }) => `data${instancePath} ${message}`).join(', ')
    return examplesOf(bodyOf(response)).map(([name, value]) => ({
      operationId,
      status: Number(status),
      name,
      value,
      headers,
      faultIn,
    }))
  })
}

function requestsOf(method: string, template: string, operation: Place): ExampleRequest[] {
  const parameters = children(child(operation, 'parameters')).map(([, { node }]) => ({
    in: textAt(node, 'in'),
    name: textAt(node, 'name'),
    example: textAt(node, 'example'),
  }))
  const of = (where: string) => parameters.filter((parameter) => parameter.in === where)
  const path = of('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
    template,
  )
  const query = new URLSearchParams(of('query').map(({ name, example }): [string, string] => [name, example]))
  const schemes = descendant(rootOf(operation.contract), 'components', 'securitySchemes')
  const keys = Object.keys(objectOf(descendant(operation, 'security', '0').node)).map((name) =>
    textAt(child(schemes, name).node, 'name'),
  )
  const bodies = examplesOf(bodyOf(child(operation, 'requestBody'))).map(([, value]) => value)
  const headers = {
    ...Object.fromEntries(of('header').map(({ name, example }): [string, string] => [name, example])),
    ...Object.fromEntries(keys.map((name): [string, string] => [name, `${name}-of-anybody`])),
    ...(bodies.length > 0 && { 'content-type': 'application/json' }),
  }
  return (bodies.length > 0 ? bodies : [undefined]).map((body) => ({
    method: method.toUpperCase(),
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    headers,
    body,
  }))
}

/** Every operation that merchants call, with the requests and the replies that a contract shows. */
export function operationsIn(contract: Json): readonly Operation[] {
  const compile = compilerOf(contract)
  return children(child(rootOf(contract), 'paths')).flatMap(([path, item]) =>
    children(item)
      .filter(([, { node }]) => 'operationId' in objectOf(node))
      .map(([method, operation]) => ({
        operationId: textAt(operation.node, 'operationId'),
        requests: requestsOf(method, path, operation),
        answers: answersOf(textAt(operation.node, 'operationId'), child(operation, 'responses'), compile),
      })),
  )
}

const bundle = JSON.parse(readFileSync(bundleUrl, 'utf8')) as JsonObject
/** Those of our own contract. */
export const operations: readonly Operation[] = operationsIn(bundle)
