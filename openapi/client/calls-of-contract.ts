import type { ClientNotes, OpenApiDocument, Parameter, Schema } from '../reading/document.ts'
import { operationsOf, type Operation } from '../reading/operations.ts'
import { follow, nameOf } from '../reading/references.ts'

/** An operation of the contract as a call of the client. */
export interface Call {
  /** `collections.initialize`. */
  readonly name: string
  /** `collections`. */
  readonly group: string
  /** `initialize`. */
  readonly verb: string
  readonly operation: Operation
  readonly notes: ClientNotes
  readonly pathParameters: readonly PathParameter[]
  readonly query: Query | undefined
  /** Name of the schema of its request body. */
  readonly request: string | undefined
  /** TypeScript of the type that it resolves to. */
  readonly result: string
  /** Whether it takes an `Idempotency-Key`. */
  readonly happensOnce: boolean
  readonly needsSecretKey: boolean | 'optional'
}

interface PathParameter extends Parameter {
  /** Its name in TypeScript: `merchantReference`. */
  readonly argument: string
}

/** The query parameters of an operation. */
interface Query {
  /** Name of their type in the client. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly isOptional: boolean
}

/** The calls of the client, in the order of the contract. @throws when an operation has no place in the client */
export const callsOf = (document: OpenApiDocument): readonly Call[] =>
  operationsOf(document)
    .filter(({ kind }) => kind === 'operation')
    .map((operation) => callOf(document, operation))

/** The types that a call takes and returns, by name. */
export const typesNamedIn = ({ query, request, result, notes: { choices = [] } }: Call): readonly string[] => [
  ...(query ? [query.name] : []),
  ...(request === undefined ? [] : [request]),
  result.replace('[]', ''),
  ...choices.flatMap((choice) => [choice.request, choice.result]),
]

function callOf(document: OpenApiDocument, operation: Operation): Call {
  const { id, client: notes, parameters, body, security } = operation
  const [group, verb, ...more] = notes?.call.split('.') ?? []
  if (notes === undefined || group === undefined || verb === undefined || more.length > 0)
    throw new Error(`${id} names its call in x-client: group.verb`)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return {
    name: notes.call,
    group,
    verb,
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
    request: body && typeOf(body.schema),
    result: resultOf(document, operation, notes),
    happensOnce: parameters.some(({ name }) => name === 'Idempotency-Key'),
    needsSecretKey: security.every((keys) => keys.includes('secretKey'))
      ? security.length > 0
      : security.some((keys) => keys.includes('secretKey')) && 'optional',
  }
}

/** The type of the data in a success's envelope, or of the one field of it that the call returns. */
function resultOf(document: OpenApiDocument, { id, responses }: Operation, { result }: ClientNotes): string {
  const success = responses.find(({ status }) => status.startsWith('2'))
  if (success?.schema === undefined) throw new Error(`${id} declares no success`)
  const fieldOf = (schema: Schema, name: string): Schema => {
    const field = follow(document, schema).properties?.[name]
    if (field === undefined) throw new Error(`the success of ${id} has no ${name}`)
    return field
  }
  const data = fieldOf(success.schema, 'data')
  return typeOf(result === undefined ? data : fieldOf(data, result))
}

/** @throws when the schema has no name: all types that the client takes and returns are named */
function typeOf({ $ref, items }: Schema): string {
  if ($ref !== undefined) return nameOf($ref)
  if (items !== undefined) return `${typeOf(items)}[]`
  throw new Error('the client takes and returns named schemas only')
}

/** With a capital letter: `Wallets`. */
export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
