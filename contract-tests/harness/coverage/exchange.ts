import { jsonBody } from '../json-body.ts'
import type { Exchange } from '../proxy.ts'
import type { Contract, Key, Operation, Parameter, Response } from '../../../openapi/reading/contract.ts'
import { pathValues, responseFor, valueOf } from '../../../openapi/reading/wire.ts'
import { withoutEmptyFields } from './empty-fields.ts'

/**
 * `asked`: a request to the server. `received`: a request from the server, or from a browser that it redirected, to us.
 */
export type Direction = 'asked' | 'received'

/** An exchange in the contract's terms. */
export interface ExchangeReading {
  readonly operation: Operation
  readonly response: Response | undefined
  readonly status: number
  /** Parameter values by `header x-api-version`, converted to the schema's type where it has one. */
  readonly parameters: ReadonlyMap<string, unknown>
  readonly key: (key: Key) => string | undefined
  readonly replyHeader: (name: string) => string | undefined
  /** Undefined: no body, or not JSON. */
  readonly body: unknown
  readonly replyBody: unknown
}

/** Matches an exchange to the contract; undefined when the contract does not know it. */
export function readExchange(
  contract: Contract,
  { request, reply }: Exchange,
  direction: Direction,
): ExchangeReading | undefined {
  const url = new URL(request.path, 'http://any.invalid')
  const body = jsonBody(request.body)
  const header = (name: string) => request.headers[name.toLowerCase()]?.join(', ')
  for (const operation of contract.operations) {
    if (operation.method !== request.method || (operation.kind === 'operation') !== (direction === 'asked')) continue
    const inPath = operation.kind === 'operation' ? pathValues(operation.path, url.pathname) : new Map<string, string>()
    if (!inPath) continue
    const counted =
      operation.kind === 'operation' && operation.body
        ? withoutEmptyFields(contract, operation.body.schema, body)
        : body
    const textOf = ({ in: place, name }: Parameter): string | undefined => {
      if (place === 'header') return header(name)
      if (place === 'query') return url.searchParams.get(name) ?? undefined
      return inPath.get(name)
    }
    const parameters = new Map(
      operation.parameters.flatMap((parameter): [string, unknown][] => {
        const text = textOf(parameter)
        return text === undefined || (text === '' && parameter['x-empty-is-absent'])
          ? []
          : [[`${parameter.in} ${parameter.name}`, valueOf(contract.flat(parameter.schema).type, text)]]
      }),
    )
    // A message arrives at the receiver's own address: only its content identifies it.
    if (direction === 'received' && !fits(contract, operation, parameters, body)) continue
    return {
      operation,
      response: responseFor(operation, reply.status),
      status: reply.status,
      parameters,
      key: ({ header: name, in: place }) => {
        if (place === 'query') return url.searchParams.get(name) ?? undefined
        return place === 'header' ? header(name) : cookieOf(header('cookie'), name)
      },
      body: counted,
      replyHeader: (name) => reply.headers[name.toLowerCase()]?.join(', '),
      replyBody: jsonBody(reply.body),
    }
  }
  return undefined
}

const cookieOf = (cookies: string | undefined, name: string): string | undefined =>
  cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)

function fits(
  contract: Contract,
  { parameters, body: declared }: Operation,
  given: ReadonlyMap<string, unknown>,
  body: unknown,
): boolean {
  return (
    parameters.every((parameter) => parameter.required !== true || given.has(`${parameter.in} ${parameter.name}`)) &&
    (declared ? contract.faultIn(declared.schema, body) === undefined : body === undefined)
  )
}
