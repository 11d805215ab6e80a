import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Json } from '../../../openapi/reading/json.ts'
import { operationsOf, type Operation as Declared, type Response } from '../../../openapi/reading/operations.ts'
import { compilerOf, type Compile } from '../../../openapi/reading/validators.ts'

/** A valid request, from the contract's own examples. */
export interface ExampleRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

/** One reply that the contract shows. */
export interface MockAnswer {
  readonly operationId: string
  readonly status: number
  readonly name: string
  readonly value: unknown
  /** Headers that every reply of this status must have. */
  readonly headers: readonly string[]
  /** The fault of a body of this status, or undefined. */
  readonly faultIn: (body: unknown) => string | undefined
}

export interface Operation {
  readonly operationId: string
  /** One per named example of the request body, or a single one. */
  readonly requests: readonly ExampleRequest[]
  readonly answers: readonly MockAnswer[]
}

function answersOf(operationId: string, response: Response, compile: Compile): MockAnswer[] {
  const { status, schema = {}, headers, examples } = response
  // Compiled with its first use: whatever imports this file would wait a third of a second for schemas it never uses.
  const faultIn = (body: unknown) => {
    const validate = compile(schema)
    if (validate(body)) return undefined
    return (validate.errors ?? []).map(({ instancePath, message }) => `data${instancePath} ${message}`).join(', ')
  }
  const needed = headers.filter(({ required }) => required).map(({ name }) => name)
  return examples.map(({ name, value }) => ({
    operationId,
    status: Number(status),
    name,
    value,
    headers: needed,
    faultIn,
  }))
}

function requestsOf({ method, path: template, parameters, keys, body }: Declared): ExampleRequest[] {
  const given = (where: string): [string, string][] =>
    parameters.filter((each) => each.in === where).map(({ name, example }) => [name, String(example)])
  const path = given('path').reduce(
    (text, [name, example]) => text.replace(`{${name}}`, encodeURIComponent(example)),
    template,
  )
  const query = new URLSearchParams(given('query'))
  // The references point into a JSON document.
  const bodies = body?.examples.map(({ value }) => value as Json) ?? []
  const headers = {
    ...Object.fromEntries(given('header')),
    ...Object.fromEntries(keys.map(({ header }): [string, string] => [header, `${header}-of-anybody`])),
    ...(bodies.length > 0 && { 'content-type': 'application/json' }),
  }
  return (bodies.length > 0 ? bodies : [undefined]).map((each) => ({
    method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    headers,
    body: each,
  }))
}

/** Every operation that merchants call, with the contract's example requests and replies. */
export function operationsIn(document: OpenApiDocument): readonly Operation[] {
  const compile = compilerOf(document, { discriminator: true, allErrors: true })
  return operationsOf(document)
    .filter(({ kind }) => kind === 'operation')
    .map((operation) => ({
      operationId: operation.id,
      requests: requestsOf(operation),
      answers: operation.responses.flatMap((response) => answersOf(operation.id, response, compile)),
    }))
}

/** The operations of our own contract. */
export const operations: readonly Operation[] = operationsIn(readContract(bundleUrl).document)
