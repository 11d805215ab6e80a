import type { OpenApiDocument, Parameter, Schema } from '../../../openapi/reading/document.ts'
import { operationsOf, type Operation, type Response } from '../../../openapi/reading/operations.ts'
import { follow } from '../../../openapi/reading/references.ts'
import { pathValues, responseFor, valueOf } from '../../../openapi/reading/wire.ts'
import { messageOf, verdictOf, type Corpus, type RecordedExchange } from './corpus.ts'
import type { CheckedContract } from './checked-contract.ts'
import { generalised, neverObserved } from './never-observed.ts'
import { callbackFaults, linkFaults } from './links.ts'
import { shapeOf, type Shape } from './shapes.ts'

/**
 * An independent check beside the coverage, which takes from an exchange what it shows and ignores the rest: here
 * nothing may differ, and the gateway's own replies decide what a request was.
 *
 * Checks all recorded traffic against a contract, in both directions: what the gateway did must be declared, and what
 * is declared must have been done. A generator, so that a caller who needs only the first fault need not wait for the
 * last.
 */
export function* wireFaults(contract: OpenApiDocument, { exchanges, keys }: Corpus): Generator<string> {
  const declared = operationsOf(contract)
  const seen = new Set<string>()
  const expected = new Map<string, Shape>()
  const wire = { contract, declared, keys, seen, expected }
  for (const exchange of exchanges) {
    const operation = declared.find((candidate) => matches(candidate, exchange))
    if (!operation) {
      if (exchange.operationId !== undefined)
        yield `${exchange.operationId}: ${exchange.method} ${exchange.path} is not declared`
      continue
    }
    if (exchange.operationId === undefined) {
      yield `${operation.id}: ${exchange.method} ${exchange.path} is declared, and the gateway answers ${exchange.status}`
      continue
    }
    if (operation.id !== exchange.operationId) yield `${exchange.operationId} is declared as ${operation.id}`
    seen.add(operation.id)
    for (const fault of [...requestFaults(wire, operation, exchange), ...replyFaults(wire, operation, exchange)])
      yield `${operation.id}: ${fault} (${exchange.curl})`
  }
  yield* linkFaults(wire, exchanges)
  yield* callbackFaults(wire, exchanges)
  yield* neverObserved(wire)
}

function matches({ id, kind, method, path }: Operation, exchange: RecordedExchange): boolean {
  if ((kind === 'operation') !== (exchange.answeredBy === 'gateway') || method !== exchange.method) return false
  return kind === 'operation' ? pathValues(path, exchange.path) !== undefined : id === exchange.operationId
}

/** A parameter, header or body in its place, with its schema. */
function shapeAt({ contract, expected }: CheckedContract, schema: Schema, where: string): Shape {
  const known = expected.get(where)
  if (known) return known
  const shape = shapeOf(contract, schema, where)
  expected.set(where, shape)
  return shape
}

const typed = ({ contract }: CheckedContract, schema: Schema, text: string): unknown =>
  valueOf(follow(contract, schema).type, text)

const whereOf = ({ id }: Operation, { in: place, name }: Parameter): string => `${id} ${place} ${name}`

function valuesOf(operation: Operation, exchange: RecordedExchange, { in: place, name }: Parameter): readonly string[] {
  if (place === 'query') return exchange.query.get(name) ?? []
  const value =
    place === 'header'
      ? exchange.requestHeaders.get(name.toLowerCase())
      : pathValues(operation.path, exchange.path)?.get(name)
  return value === undefined ? [] : [value]
}

/** Why the request breaks the contract; undefined when it is valid. */
function misfit(wire: CheckedContract, operation: Operation, exchange: RecordedExchange): string | undefined {
  for (const parameter of operation.parameters) {
    const [value, ...others] = valuesOf(operation, exchange, parameter)
    if (value === undefined && parameter.required) return `${parameter.name} is missing`
    if (others.length > 0) return `${parameter.name} comes more than once`
    const shape = shapeAt(wire, parameter.schema, whereOf(operation, parameter))
    if (value !== undefined && !shape.fits(typed(wire, parameter.schema, value)))
      return `${parameter.name} does not fit: ${shape.why(typed(wire, parameter.schema, value))}`
  }
  const { isEmpty, mediaType, value } = exchange.requestBody
  if (!operation.request) return isEmpty ? undefined : 'it has a body'
  if (isEmpty) return operation.request.required ? 'the body is missing' : undefined
  const media = operation.request.content.find(({ type }) => type === mediaType)
  if (!media) return `the media type ${mediaType} is not declared`
  const shape = shapeAt(wire, media.schema, `${operation.id} body`)
  return shape.fits(value) ? undefined : `the body does not fit: ${shape.why(value)}`
}

const hasKeys = (
  { contract, keys }: CheckedContract,
  { security }: Operation,
  { requestHeaders }: RecordedExchange,
): boolean =>
  security.length === 0 ||
  security.some((schemes) =>
    schemes.every(
      (scheme) => requestHeaders.get(contract.components?.securitySchemes?.[scheme]?.name ?? '') === keys[scheme],
    ),
  )

function* requestFaults(wire: CheckedContract, operation: Operation, exchange: RecordedExchange): Generator<string> {
  const { status } = exchange
  if (operation.kind !== 'operation') {
    const why = misfit(wire, operation, exchange) ?? undeclared(operation, exchange)
    if (why !== undefined) yield `sent, although ${why}`
    else noteRequest(wire, operation, exchange)
    return
  }
  const verdict = verdictOf(exchange)
  if (verdict === 'keys refused') {
    if (hasKeys(wire, operation, exchange)) yield `answered 401, although the keys are those that are declared`
    return
  }
  // After too many wrong keys of one address 429 replaces 401.
  if (status !== 429 && !hasKeys(wire, operation, exchange))
    yield `answered ${status}, although the keys that are declared are missing or wrong`
  const { mediaType } = exchange.requestBody
  if (verdict === 'wrong media type' && operation.request?.content.some(({ type }) => type === mediaType))
    yield `answered 415 to ${mediaType}, which is declared`
  if (verdict === 'nothing there') yield `answered ${status}, although it is declared`
  if (verdict !== 'fits' && verdict !== 'breaks') return
  const why = misfit(wire, operation, exchange)
  if (verdict === 'fits' && why !== undefined) yield `answered ${status}, although ${why}`
  if (verdict === 'breaks' && why === undefined)
    yield `answered 400 "${messageOf(exchange)}", although the request fits`
  if (verdict === 'fits' && why === undefined) noteRequest(wire, operation, exchange)
}

/** Sent by every HTTP client; nobody declares them. */
const PLAIN_REQUEST_HEADERS = new Set([
  'host',
  'connection',
  'content-type',
  'content-length',
  'transfer-encoding',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'date',
])
const PLAIN_REPLY_HEADERS = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'vary',
  'allow',
  'strict-transport-security',
  'referrer-policy',
])

/** Undeclared data sent to a merchant: a header, or a parameter that the merchant's own URL did not have. */
function undeclared({ parameters }: Operation, { requestHeaders, query }: RecordedExchange): string | undefined {
  const names = new Set(parameters.map(({ in: place, name }) => `${place} ${name}`))
  const header = [...requestHeaders.keys()].find(
    (name) => !PLAIN_REQUEST_HEADERS.has(name) && !names.has(`header ${name}`),
  )
  if (header !== undefined) return `the header ${header} is not declared`
  const parameter = [...query.keys()].find((name) => name !== OWN_PARAMETER && !names.has(`query ${name}`))
  return parameter === undefined ? undefined : `the parameter ${parameter} is not declared`
}

/** The one query parameter that the merchant's own URLs have in the scenario. */
export const OWN_PARAMETER = 'order'

function noteRequest(wire: CheckedContract, operation: Operation, exchange: RecordedExchange): void {
  const { seen } = wire
  for (const parameter of operation.parameters) {
    const [value, ...others] = valuesOf(operation, exchange, parameter)
    const where = whereOf(operation, parameter)
    seen.add(`${where} ${value === undefined ? 'absent' : 'present'}`)
    if (value !== undefined && others.length === 0) note(wire, where, typed(wire, parameter.schema, value))
  }
  if (operation.request && !exchange.requestBody.isEmpty) note(wire, `${operation.id} body`, exchange.requestBody.value)
  if (operation.request && exchange.requestBody.isEmpty) seen.add(`${operation.id} body absent`)
}

const notedOnce = new WeakMap<Set<string>, Map<string, WeakSet<object>>>()

function note({ expected, seen }: CheckedContract, where: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    const byPlace = notedOnce.get(seen) ?? new Map<string, WeakSet<object>>()
    notedOnce.set(seen, byPlace)
    const noted = byPlace.get(where) ?? new WeakSet()
    byPlace.set(where, noted)
    if (noted.has(value)) return
    noted.add(value)
  }
  for (const sighting of expected.get(where)?.seenIn(value) ?? []) seen.add(sighting)
}

function* replyFaults(wire: CheckedContract, operation: Operation, exchange: RecordedExchange): Generator<string> {
  const { id, kind } = operation
  const response = responseFor(operation, exchange.status)
  if (!response) {
    yield `the status ${exchange.status} is not declared`
    return
  }
  const { status } = response
  wire.seen.add(`${id} ${status}`)
  if (kind !== 'operation') return
  yield* replyHeaderFaults(wire, operation, response, exchange)
  const { isEmpty, mediaType, value } = exchange.replyBody
  const media = response.content.find(({ type }) => type === mediaType)
  if (!media) {
    if (!isEmpty) yield `${exchange.status} comes as ${mediaType}, which is not declared`
    return
  }
  wire.seen.add(`${id} ${status} ${mediaType}`)
  const where = `${id} ${status} body`
  const shape = shapeAt(wire, media.schema, where)
  if (!shape.fits(value)) yield `the body of ${exchange.status} does not fit: ${shape.why(value)}`
  else note(wire, where, value)
}

function* replyHeaderFaults(
  wire: CheckedContract,
  { id }: Operation,
  { status, headers }: Response,
  { replyHeaders }: RecordedExchange,
): Generator<string> {
  const declared = new Map(headers.map((header) => [header.name.toLowerCase(), header]))
  for (const [name, header] of declared) {
    const where = `${id} ${status} header ${name}`
    const text = replyHeaders.get(name)
    const shape = shapeAt(wire, header.schema, where)
    // Whether it is optional is reported once for all replies with the header.
    wire.seen.add(`header ${name} ${text === undefined ? 'absent' : 'present'}`)
    if (text === undefined) {
      if (header.required) yield `${status} comes without ${name}`
      continue
    }
    const value = typed(wire, header.schema, text)
    if (!shape.fits(value)) yield `${name} of ${status} does not fit: ${shape.why(value)}`
    else for (const sighting of shape.seenIn(value)) wire.seen.add(generalised(sighting, id, status))
  }
  for (const name of replyHeaders.keys())
    if (!declared.has(name) && !PLAIN_REPLY_HEADERS.has(name))
      yield `${status} comes with ${name}, which is not declared`
}
