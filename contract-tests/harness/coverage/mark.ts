import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../proxy.ts'
import { nameOf } from './cells.ts'
import type { Contract, Operation, Schema } from '../../../openapi/reading/contract.ts'
import type { Example } from '../../../openapi/reading/operations.ts'
import { memberOf } from '../../../openapi/reading/references.ts'
import { readExchange, type Direction, type ExchangeReading } from './exchange.ts'
import { faultsShown, shownPoints } from './schema-cells.ts'

/**
 * Marks the cells that an exchange covers. Pure except for one memory: values that a link may pass to a later request.
 */
type CellMarker = (exchange: Exchange, direction: Direction) => string[]

/** Statuses that mean an invalid request, and invalid keys. */
export interface Refusals {
  readonly request: (status: number) => boolean
  readonly keys: (status: number) => boolean
}

/** For our own contract. */
const OWN_REFUSALS: Refusals = { request: (status) => status === 400, keys: (status) => status === 401 }

/** Bound on remembered link values that no request has followed yet; older ones are dropped. */
const OFFERS_MAX = 50_000

export function createMarker(contract: Contract, refusals = OWN_REFUSALS): CellMarker {
  const offers = new Map<string, Set<string>>()
  return (exchange, direction) => {
    const reading = readExchange(contract, exchange, direction)
    if (!reading) return []
    const shown = [...requestMarks(contract, reading, refusals), ...replyMarks(contract, reading)].map(
      (what) => `${reading.operation.id} ${what}`,
    )
    return [...shown, ...followedLinks(offers, reading)]
  }
}

function requestMarks(contract: Contract, reading: ExchangeReading, refusals: Refusals): string[] {
  const { operation, status } = reading
  if (operation.kind !== 'operation') return validMarks(contract, reading)
  if (refusals.keys(status)) return refusedKeys(reading)
  const faults = requestFaults(contract, reading)
  if (status < 300 && faults.length === 0)
    return [...(operation.keys.length > 0 ? ['keys accepted'] : []), ...validMarks(contract, reading)]
  // A refusal covers an invalid value only when nothing else could be its reason.
  return refusals.request(status) && faults.length === 1 ? faults : []
}

function refusedKeys({ operation, key }: ExchangeReading): string[] {
  const [missing, ...others] = operation.keys.filter((each) => (key(each) ?? '') === '')
  if (!missing) return ['wrong keys refused']
  return others.length === 0 ? [`${missing.header} left out`] : []
}

function requestFaults(contract: Contract, { operation, parameters, body }: ExchangeReading): string[] {
  return [
    ...operation.parameters.flatMap((parameter) => {
      const [at, value] = [nameOf(parameter), parameters.get(nameOf(parameter))]
      if (value === undefined || (value === '' && parameter.required))
        return parameter.required ? [`${at} left out`] : []
      return contract.faultIn(parameter.schema, value) === undefined ? [] : [`${at} invalid`]
    }),
    ...bodyFaults(contract, operation, body),
  ]
}

function bodyFaults(contract: Contract, { body: declared }: Operation, body: unknown): string[] {
  if (!declared) return []
  return body === undefined ? ['body of no JSON'] : faultsShown(contract, declared.schema, body, 'body')
}

function validMarks(contract: Contract, { operation, parameters, body }: ExchangeReading): string[] {
  const { kind, body: declared } = operation
  return [
    ...operation.parameters.flatMap((parameter) => {
      const [at, value] = [nameOf(parameter), parameters.get(nameOf(parameter))]
      return value === undefined
        ? [`${at} left out`]
        : [`${at} given`, ...shownPoints(contract, parameter.schema, value, at)]
    }),
    ...(declared && body !== undefined
      ? [
          ...shownPoints(contract, declared.schema, body, 'body'),
          ...(kind === 'operation'
            ? declared.examples.filter((example) => sameButForDigits(example.value, body))
            : examplesShown(contract, declared.schema, declared.examples, body)
          ).map(({ name }) => `body example ${name}`),
        ]
      : []),
  ]
}

function replyMarks(contract: Contract, { operation, response, replyHeader, replyBody }: ExchangeReading): string[] {
  if (!response) return []
  const { status, schema, headers, examples } = response
  if (operation.kind !== 'operation') return [`answered ${status}`]
  return [
    status,
    ...headers.filter(({ name }) => replyHeader(name) !== undefined).map(({ name }) => `${status} header ${name}`),
    ...(schema && replyBody !== undefined
      ? [
          ...shownPoints(contract, schema, replyBody, `${status} body`),
          ...examplesShown(contract, schema, examples, replyBody).map(({ name }) => `${status} example ${name}`),
        ]
      : []),
  ]
}

/**
 * Reply values are not known in advance: a reply covers an example when it covers all of its cells, in the same words.
 */
function examplesShown(
  contract: Contract,
  schema: Schema,
  examples: readonly Example[],
  value: unknown,
): readonly Example[] {
  const words = wordsOf(value).join('\n')
  const inSameWords = examples.filter((example) => wordsOfExample(example) === words)
  if (inSameWords.length === 0) return []
  const shown = new Set(shownPoints(contract, schema, value, ''))
  return inSameWords.filter((example) =>
    shownPoints(contract, schema, example.value, '').every((point) => shown.has(point)),
  )
}

/** Of the few hundred examples of a contract; they are compared with each reply. */
const exampleWords = new WeakMap<Example, string>()

function wordsOfExample(example: Example): string {
  const words = exampleWords.get(example) ?? wordsOf(example.value).join('\n')
  exampleWords.set(example, words)
  return words
}

/** The messages in a body, without numbers and bracketed names, which differ each time. */
export function wordsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name.endsWith('message') && typeof each === 'string'
      ? [
          each
            .replace(/\((?!HTTP)[^)]*\)/g, '(…)')
            .replace(/\d[\d.]*/g, '#')
            .replace(/seconds\b/, 'second'),
        ]
      : wordsOf(each),
  )
}

/** The request equals the example except for texts with digits: references and phone numbers are accepted once. */
function sameButForDigits(example: unknown, sent: unknown): boolean {
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
      typeof each === 'string' && /\d/.test(each) ? '#' : each,
    )
  return isDeepStrictEqual(plain(example), plain(sent))
}

const offerKey = (operationId: string | undefined, name: string | undefined, value: unknown): string =>
  `${operationId} ${name} ${String(value)}`

/** Remembers the links that a reply offers. @returns the links that this request follows */
function followedLinks(
  offers: Map<string, Set<string>>,
  { operation, response, parameters, body, replyBody }: ExchangeReading,
): string[] {
  const sent = [
    ...[...parameters].map(([at, value]) => [at.slice(at.indexOf(' ') + 1), value] as const),
    ...(typeof body === 'object' && body !== null ? Object.entries(body) : []),
  ]
  const followed = sent.flatMap(([name, value]) => [...(offers.get(offerKey(operation.id, name, value)) ?? [])])
  if (!response) return followed
  for (const { name: linkName, link } of response.links) {
    const given: [string, unknown][] = [
      ...Object.entries(link.parameters ?? {}),
      ...Object.entries(link.requestBody ?? {}),
    ]
    for (const [name, expression] of given) {
      const pointer = /^\$response\.body#(\/.*)$/.exec(String(expression))?.[1]
      const value = pointer?.slice(1).split('/').reduce(memberOf, replyBody)
      if (value === undefined || offers.size >= OFFERS_MAX) continue
      const key = offerKey(link.operationId, name.split('.').at(-1), value)
      offers.set(key, (offers.get(key) ?? new Set()).add(`${operation.id} ${response.status} link ${linkName}`))
    }
  }
  return followed
}
