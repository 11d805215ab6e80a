import { randomUUID } from 'node:crypto'
import type { Contract, Operation } from '../../openapi/reading/contract.ts'
import { isObject } from '../../openapi/reading/json.ts'
import { memberOf, unescapeKey } from '../../openapi/reading/references.ts'
import { jsonOf, pathValues } from '../../openapi/reading/wire.ts'
import type { WireReply, WireRequest } from '../harness/proxy.ts'

/** What the owner of a server knows and its contract does not say. */
export interface Values {
  /** Texts of replies by which a business rule refuses a valid request. */
  readonly refusals: readonly string[]
  readonly operations: Readonly<Record<string, OperationValues>>
}

/** Values of one operation; texts in them may have `{uuid}`, `{counter}` and `{<operationId>.request.header.<name>}`. */
interface OperationValues {
  /** By parameter name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The key in the file beside the operations. */
const REFUSALS = '$refusals'

/** Parses the values file. @throws Error in one line, when it does not fit the contract */
export function parseValues(text: string, contract: Contract): Values {
  const file: unknown = JSON.parse(text)
  if (!isObject(file)) throw new Error('it must be a JSON object of operationIds')
  const { [REFUSALS]: refusals = [], ...operations } = file
  if (!Array.isArray(refusals) || !refusals.every((each) => typeof each === 'string' && each !== ''))
    throw new Error(`${REFUSALS} must be a list of texts`)
  for (const [id, values] of Object.entries(operations)) check(id, values, contract)
  return { refusals, operations: operations as Values['operations'] }
}

function check(id: string, values: unknown, contract: Contract): void {
  const operation = contract.operations.find((each) => each.kind === 'operation' && each.id === id)
  if (!operation) throw new Error(`there is no operation ${id} in the contract`)
  if (!isObject(values)) throw new Error(`${id} must be an object with parameters or body`)
  const { parameters = {}, body, ...others } = values
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`${id} has ${other}, and only parameters and body are known`)
  if (!isObject(parameters)) throw new Error(`${id} must have an object as its parameters`)
  const unknown = Object.keys(parameters).find((name) => !operation.parameters.some((each) => each.name === name))
  if (unknown !== undefined) throw new Error(`${id} has no parameter ${unknown}`)
  if (body !== undefined && !operation.request) throw new Error(`${id} has no body`)
  const lost = referencesIn(values).find((ref) => !contract.operations.some((each) => each.id === ref.operation))
  if (lost) throw new Error(`${id} refers to the operation ${lost.operation}, which the contract does not have`)
}

/** `{createBook.response.body/id}` */
export interface Reference {
  readonly operation: string
  /** `response.body/id`, `request.header.X-Reference-Id` */
  readonly what: string
}

const PLACE = /\{([^{}]+)\}/g
const REFERENCE = /^(.+?)\.((?:request|response)\.(?:body|header\.|path\.|query\.).*)$/

const referenceIn = (place: string): Reference | undefined => {
  const [, operation, what] = REFERENCE.exec(place) ?? []
  return operation !== undefined && what !== undefined ? { operation, what } : undefined
}

/** Every reference to another operation in a value, at any depth. */
function referencesIn(value: unknown): Reference[] {
  if (typeof value === 'string') return [...value.matchAll(PLACE)].flatMap(([, place = '']) => referenceIn(place) ?? [])
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

/** A successful request of an operation. */
export interface CreatedResource {
  readonly operation: Operation
  readonly request: WireRequest
  readonly reply: WireReply
}

/** The value of an exchange at a place: `response.body/id`. Undefined: none. */
export function valueIn({ operation, request, reply }: CreatedResource, what: string): unknown {
  const [, side = '', rest = ''] = /^(request|response)\.(.*)$/.exec(what) ?? []
  const { headers, body } = side === 'request' ? request : reply
  const [, kind = '', name = ''] = /^(header|path|query)\.(.*)$/.exec(rest) ?? []
  const url = new URL(request.path, 'http://any.invalid')
  if (kind === 'header') return headers[name.toLowerCase()]?.[0]
  if (kind === 'query') return url.searchParams.get(name) ?? undefined
  if (kind === 'path') return pathValues(operation.path, url.pathname)?.get(name)
  const pointer = rest.replace(/^body#?/, '')
  return pointer.split('/').slice(1).map(unescapeKey).reduce(memberOf, jsonOf(body))
}

/** Fills in the values of a file. @param known resolves a reference; undefined: nothing */
export async function filled(
  value: unknown,
  { next, known }: { readonly next: () => number; readonly known: (reference: Reference) => Promise<unknown> },
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => filled(each, { next, known })))
  if (isObject(value)) {
    const entries: [string, unknown][] = []
    // Sequentially: two references to the same operation must resolve to the same resource.
    for (const [name, each] of Object.entries(value)) entries.push([name, await filled(each, { next, known })])
    return Object.fromEntries(entries)
  }
  if (typeof value !== 'string') return value
  const single = /^\{([^{}]+)\}$/.exec(value)?.[1]
  const alone = single === undefined ? undefined : referenceIn(single)
  // A placeholder on its own keeps its type: a number stays a number.
  if (alone) return known(alone)
  let text = value
  for (const [whole, place = ''] of value.matchAll(PLACE)) {
    const reference = referenceIn(place)
    const own = { uuid: () => randomUUID(), counter: () => String(next()) }[place]
    if (own) text = text.replace(whole, own())
    else if (reference) text = text.replace(whole, plainText(await known(reference)))
  }
  return text
}

/** A value as written in a path, query or header; a list with commas (OpenAPI, styles simple and form). */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(plainText).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
