import type { Contract, Operation, Parameter, Response } from '../../../openapi/reading/contract.ts'
import { declaredPoints } from './schema-cells.ts'

export type Group =
  'statuses' | 'keys' | 'parameters' | 'fields' | 'branches' | 'values' | 'headers' | 'links' | 'examples'

/** One thing that the contract declares and that traffic can show. */
export interface Cell {
  /** `sendFunds 202`, `collectionCallback body is CollectionFailedCallback`: unique, for people and machines. */
  readonly id: string
  /** operationId of the operation, webhook or callback. */
  readonly subject: string
  readonly group: Group
  /** What a request alone cannot bring about: `failure` needs a server in trouble, `receiver` one that it calls. */
  readonly needs?: 'failure' | 'receiver'
}

/** Every cell that the contract declares, in its order. */
export function cells(contract: Contract): Cell[] {
  return contract.operations.flatMap((operation) => [
    ...keyCells(operation),
    ...operation.parameters.flatMap((parameter) => parameterCells(contract, operation, parameter)),
    ...bodyCells(contract, operation),
    ...operation.responses.flatMap((response) => responseCells(contract, operation, response)),
  ])
}

const make =
  ({ id: subject, kind }: Operation) =>
  (group: Group, what: string, needs?: Cell['needs']): Cell => {
    const whose = kind === 'operation' ? needs : 'receiver'
    return { id: `${subject} ${what}`, subject, group, ...(whose && { needs: whose }) }
  }

/** Too many requests, and everything that is the server's own trouble. */
export const isFailure = (status: string): boolean => status === '429' || status.startsWith('5')

function keyCells(operation: Operation): Cell[] {
  const cell = make(operation)
  if (operation.keys.length === 0) return []
  return [
    cell('keys', 'keys accepted'),
    cell('keys', 'wrong keys refused'),
    ...operation.keys.map(({ header }) => cell('keys', `${header} left out`)),
  ]
}

/** `header x-api-version`. */
export const nameOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`

function parameterCells(contract: Contract, operation: Operation, parameter: Parameter): Cell[] {
  const cell = make(operation)
  const at = nameOf(parameter)
  const values = declaredPoints(contract, parameter.schema, at, 'reply').map(({ id }) => cell('values', id))
  const given = cell('parameters', `${at} given`)
  const skipped = parameter.in === 'path' ? [] : [cell('parameters', `${at} left out`)]
  // What the server sends is right or a finding: only a client's faults are cells.
  if (operation.kind !== 'operation') return [given, ...(parameter.required ? [] : skipped), ...values]
  return [given, ...skipped, cell('parameters', `${at} invalid`), ...values]
}

function bodyCells(contract: Contract, operation: Operation): Cell[] {
  const cell = make(operation)
  const { body, kind } = operation
  if (!body) return []
  return [
    ...declaredPoints(contract, body.schema, 'body', kind === 'operation' ? 'request' : 'reply').map(({ id, group }) =>
      cell(group, id),
    ),
    ...body.examples.map(({ name }) => cell('examples', `body example ${name}`)),
  ]
}

function responseCells(
  contract: Contract,
  operation: Operation,
  { status, schema, headers, examples, links }: Response,
): Cell[] {
  const cell = make(operation)
  const needs = isFailure(status) ? 'failure' : undefined
  // What a browser gets from the merchant's own page, the server never learns.
  if (operation.kind === 'redirect') return []
  // Replies to a message are the receiver's: which of them it gave is all there is to see.
  if (operation.kind === 'message') return [cell('statuses', `answered ${status}`)]
  return [
    cell('statuses', status, needs),
    ...headers.map(({ name }) => cell('headers', `${status} header ${name}`, needs)),
    ...(schema
      ? declaredPoints(contract, schema, `${status} body`, 'reply').map(({ id, group }) => cell(group, id, needs))
      : []),
    ...examples.map(({ name }) => cell('examples', `${status} example ${name}`, needs)),
    ...links.map(({ name }) => cell('links', `${status} link ${name}`)),
  ]
}
