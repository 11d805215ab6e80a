import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The bundle that Prism serves, and that these tests hold it to. */
export const bundleUrl = new URL('../../generated/openapi.json', import.meta.url)

// Ajv knows `discriminator`, but not its `mapping`; the values are in each member too.
const contract: any = JSON.parse(readFileSync(bundleUrl, 'utf8'), (key, value) => (key === 'discriminator' ? { propertyName: value.propertyName } : value))
const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: true, allErrors: true }))
ajv.addSchema(contract, 'contract')

/** A request that the contract accepts, made of its own examples. */
export interface ExampleRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
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

/** A thing of the contract and where it really stands, `$ref`s followed. */
interface Place {
  readonly pointer: string
  readonly node: any
}

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapeKey = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

function follow({ pointer, node }: Place): Place {
  if (!node?.$ref) return { pointer, node }
  return follow({ pointer: node.$ref, node: node.$ref.slice(2).split('/').reduce((parent: any, key: string) => parent[unescapeKey(key)], contract) })
}

const child = ({ pointer, node }: Place, key: string): Place => follow({ pointer: `${pointer}/${escapeKey(key)}`, node: node?.[key] })
const children = (place: Place): [string, Place][] => Object.keys(place.node ?? {}).map((key) => [key, child(place, key)])
const json = (place: Place): Place => child(child(place, 'content'), 'application/json')

function validatorAt({ pointer }: Place): ValidateFunction {
  // A pointer inside a `$ref` is a URI fragment, where the braces of a path need escaping.
  const fragment = pointer.slice(1).split('/').map((key) => encodeURIComponent(decodeURIComponent(key))).join('/')
  return ajv.compile({ $ref: `contract#${fragment}` })
}

function answersOf(operationId: string, responses: Place): Answer[] {
  return children(responses).flatMap(([status, response]) => {
    const validate = validatorAt(child(json(response), 'schema'))
    const headers = children(child(response, 'headers')).filter(([, header]) => header.node.required).map(([name]) => name)
    const faultIn = (body: unknown) => (validate(body) ? undefined : ajv.errorsText(validate.errors))
    return children(child(json(response), 'examples')).map(([name, { node }]) => ({ operationId, status: Number(status), name, value: node.value, headers, faultIn }))
  })
}

function requestsOf(method: string, template: string, operation: Place): ExampleRequest[] {
  const parameters = children(child(operation, 'parameters')).map(([, { node }]) => node)
  const of = (where: string) => parameters.filter((parameter) => parameter.in === where)
  const path = of('path').reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)), template)
  const query = new URLSearchParams(of('query').map(({ name, example }): [string, string] => [name, String(example)]))
  const keys: string[] = Object.keys(operation.node.security[0]).map((name) => contract.components.securitySchemes[name].name)
  const bodies = children(child(json(child(operation, 'requestBody')), 'examples')).map(([, { node }]) => node.value)
  const headers = Object.fromEntries([
    ...of('header').map(({ name, example }) => [name, String(example)]),
    ...keys.map((name) => [name, `${name}-of-anybody`]),
    ...(bodies.length > 0 ? [['content-type', 'application/json']] : []),
  ])
  return (bodies.length > 0 ? bodies : [undefined]).map((body) => ({ method: method.toUpperCase(), path: query.size > 0 ? `${path}?${query}` : path, headers, body }))
}

/** Every operation that merchants call, with the requests and the replies that the contract shows. */
export const operations: readonly Operation[] = children(child({ pointer: '#', node: contract }, 'paths')).flatMap(([path, item]) =>
  children(item).filter(([, { node }]) => node.operationId).map(([method, operation]) => ({
    operationId: operation.node.operationId,
    requests: requestsOf(method, path, operation),
    answers: answersOf(operation.node.operationId, child(operation, 'responses')),
  })))
