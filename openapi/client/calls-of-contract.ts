import {
  followed,
  named,
  nameOf,
  type ClientNotes,
  type Contract,
  type Operation,
  type Parameter,
  type Schema,
} from './contract.ts'

/** An operation of the contract as a call of the client. */
export interface Call {
  /** `collections.initialize`. */
  readonly name: string
  /** `collections`. */
  readonly group: string
  /** `initialize`. */
  readonly verb: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly notes: ClientNotes
  readonly pathParameters: readonly PathParameter[]
  readonly query: Query | undefined
  /** Name of the schema of its body. */
  readonly request: string | undefined
  /** TypeScript of what it resolves to. */
  readonly result: string
  /** Whether it takes an `Idempotency-Key`. */
  readonly happensOnce: boolean
  readonly needsSecretKey: boolean
}

interface PathParameter extends Parameter {
  /** Its name in TypeScript: `merchantReference`. */
  readonly argument: string
}

export interface Query {
  /** Name of the type that the client has for it. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly isOptional: boolean
}

/** What merchants call, in the order of the contract. @throws when an operation does not say where it stands */
export const callsOf = (contract: Contract): readonly Call[] =>
  Object.entries(contract.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(contract, method.toUpperCase(), path, operation)),
  )

/** What a call takes and gives, by name. */
export const typesNamedIn = ({ query, request, result, notes: { overloads = [] } }: Call): readonly string[] => [
  ...(query ? [query.name] : []),
  ...(request === undefined ? [] : [request]),
  result.replace('[]', ''),
  ...overloads.flatMap((overload) => [...overload.request, overload.result]),
]

function callOf(contract: Contract, method: string, path: string, operation: Operation): Call {
  const { components } = contract
  const notes: ClientNotes | undefined = operation['x-client']
  const [group, verb, ...more] = notes?.call.split('.') ?? []
  if (notes === undefined || group === undefined || verb === undefined || more.length > 0)
    throw new Error(`${operation.operationId} names its call in x-client: group.verb`)
  const parameters = operation.parameters.map((parameter) => followed(parameter, components.parameters))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody && followed(operation.requestBody, components.requestBodies)
  return {
    name: notes.call,
    group,
    verb,
    method,
    path,
    operation,
    notes,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => ({ ...parameter, argument: camelCase(parameter.name) })),
    query:
      query.length === 0
        ? undefined
        : {
            name: `${capitalized(group)}${verb === 'list' ? '' : capitalized(verb)}Query`,
            parameters: query,
            isOptional: !query.some(({ required }) => required),
          },
    request: body && typeOf(body.content['application/json'].schema),
    result: resultOf(contract, operation, notes),
    happensOnce: parameters.some(({ name }) => name === 'Idempotency-Key'),
    needsSecretKey: operation.security.some((keys) => 'secretKey' in keys),
  }
}

/** The type of the data in the envelope of a success, or of the one field that the call gives. */
function resultOf({ components }: Contract, { operationId, responses }: Operation, { result }: ClientNotes): string {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  if (success === undefined) throw new Error(`${operationId} declares no success`)
  const { content } = followed(success[1], components.responses)
  const fieldOf = (schema: Schema, field: string): Schema =>
    named((schema.$ref === undefined ? schema : named(components.schemas, nameOf(schema.$ref))).properties ?? {}, field)
  const data = fieldOf(content['application/json'].schema, 'data')
  return typeOf(result === undefined ? data : fieldOf(data, result))
}

/** @throws when the schema has no name: what the client takes and gives has one */
function typeOf({ $ref, items }: Schema): string {
  if ($ref !== undefined) return nameOf($ref)
  if (items !== undefined) return `${typeOf(items)}[]`
  throw new Error('the client takes and gives named schemas only')
}

export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
