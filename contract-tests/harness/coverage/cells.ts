import type { Contract, Operation, Parameter, Response } from '../../../openapi/reading/contract.ts'
import { declaredPoints } from './schema-cells.ts'

export type Group =
  'statuses' | 'keys' | 'parameters' | 'fields' | 'branches' | 'values' | 'headers' | 'links' | 'examples'

/** One thing that the contract declares and that traffic can cover. */
export interface Cell {
  /** `sendFunds 202`, `collectionCallback body is CollectionFailedCallback`: unique, for people and programs. */
  readonly id: string
  /** operationId of the operation, webhook or callback. */
  readonly subject: string
  readonly group: Group
  /** What a request alone cannot cause: `failure` needs a failing server, `receiver` one that it calls. */
  readonly needs?: 'failure' | 'receiver'
}

/** Every cell that the contract declares, in document order. */
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

/** 429 and every 5xx. */
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
  // Replies of the server are correct or a finding: only invalid requests are cells.
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
  // The server never learns what the merchant's own page returns to a browser.
  if (operation.kind === 'redirect') return []
  // Replies to a message are the receiver's: only their status can be covered.
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
