import { readFileSync } from 'node:fs'
import { parseDocument } from '../../openapi/reading/contract.ts'
import { datedFacts, type DatedFact } from '../../openapi/reading/dated-facts.ts'
import { isObject, type JsonObject } from '../../openapi/reading/json.ts'
import { operationsOf, type Media, type Operation } from '../../openapi/reading/operations.ts'
import { memberOf, targetOf } from '../../openapi/reading/references.ts'
import { compilerOf } from '../../openapi/reading/validators.ts'
import { pathValues, responseFor } from '../../openapi/reading/wire.ts'
import { readForeignJson } from '../domain/foreign-json.ts'
import { present } from '../domain/present.ts'
import { driftIn } from './drift.ts'
import type { Drift } from './drifted-field.ts'
import { fieldAt, listOf, textOf } from './foreign-fields.ts'

/** An operator's contract (`openapi/operators`): its calls, replies and callbacks. */
export interface OperatorContract {
  /**
   * @param path without the base path
   * @returns the operationId; undefined for a call that the contract does not have
   */
  operationFor(method: string, path: string): string | undefined
  /** @returns the path with the names of its parameters instead of their values */
  pathTemplateOf(operationId: string): string
  /** Returns a fault only for an unusable reply: no declared status, or no JSON where JSON is declared. */
  readReply(operationId: string, reply: OperatorReply): ReplyRead
  readonly facts: readonly DatedFact[]
  /** Every code of an error that it lists. */
  readonly codes: ReadonlySet<string>
  /** @returns the fields of a reply that its contract does not name; a name that looks like a value is `*` */
  undeclaredIn(operationId: string, status: number, value: unknown): readonly string[]
  /** Whether an error in reply to a status query means that there is no result yet. */
  isNoResultYet(value: unknown): boolean
  /** @param name of the callback in the contract, whatever its HTTP method: `requestToPayCallback` */
  readCallback(name: string, callback: OperatorCallback): CallbackRead
}

export interface OperatorReply {
  readonly status: number
  /** The Content-Type header, if present. */
  readonly contentType?: string
  readonly body: Uint8Array
}

interface OperatorCallback {
  readonly method: string
  readonly body: string
}

/**
 * The received value, and where it differs from the contract. The value may have any shape: it is read field by field
 * (`foreign-fields.ts`), and the generated type only names the fields. A fault repeats no value.
 */
type CallbackRead = { readonly value: unknown; readonly drift: readonly Drift[] } | { readonly fault: string }

type ReplyRead =
  | {
      readonly value: unknown
      readonly drift: readonly Drift[]
      /** The original body, except that numbers with more digits than JavaScript can hold become strings. */
      readonly body: Uint8Array
    }
  | { readonly fault: string }

/**
 * Loads the contract on first use and compiles schemas when they are first needed: together they take 20 to 40 ms,
 * which a gateway without rail accounts does not spend at startup.
 * @param name of the operator, as in `generated/operators/<name>.json`
 */
export function operatorContract(name: string): OperatorContract {
  const known = contracts.get(name)
  if (known) return known
  const url = new URL(`../../generated/operators/${encodeURIComponent(name)}.json`, import.meta.url)
  const contract = parseOperatorContract(readFileSync(url, 'utf8'))
  contracts.set(name, contract)
  return contract
}

/** @returns the contract of a kind: its own, or that of its name in openapi/operators */
export const contractOf = (kind: { readonly name: string; readonly contract?: OperatorContract }): OperatorContract =>
  kind.contract ?? operatorContract(kind.name)

const contracts = new Map<string, OperatorContract>()

/** @param text a bundled OpenAPI 3.1 document */
export function parseOperatorContract(text: string): OperatorContract {
  const document = parseDocument(text)
  // Lint has validated the document itself.
  const compile = compilerOf(document, { validateSchema: false, allErrors: true, verbose: true })
  const declared = operationsOf(document)
  const operations = declared.filter(({ kind }) => kind === 'operation').toSorted(fixedPathsFirst)
  const operationById = new Map(operations.map((operation) => [operation.id, operation]))
  const callbacks = declared.filter(({ kind }) => kind !== 'operation')
  const fieldNames = namesOfFields(document)
  const codeRows = listOf(fieldAt(document, 'x-error-codes'))
  const codesOf = (rows: readonly unknown[]): ReadonlySet<string> =>
    new Set(rows.flatMap((row) => textOf(fieldAt(row, 'code')) ?? []))
  const codesOfNoResult = codesOf(codeRows.filter((row) => fieldAt(row, 'noResultYet') === true))

  function driftOf(media: Media, value: unknown): readonly Drift[] {
    const validate = compile(media.schema)
    return validate(value) ? [] : driftIn(value, validate.errors ?? [], fieldNames)
  }

  return {
    operationFor: (method, path) =>
      operations.find((each) => each.method === method && pathValues(each.path, path) !== undefined)?.id,

    pathTemplateOf: (operationId) => present(operationById.get(operationId), `the operation ${operationId}`).path,

    readReply(operationId, reply) {
      const operation = operationById.get(operationId)
      if (!operation) return { fault: `${operationId} is no call of the contract` }
      const response = responseFor(operation, reply.status)
      if (!response) return { fault: `${operationId} declares no status ${reply.status}` }
      return readBody(response.content, reply, driftOf)
    },

    facts: datedFacts(document as unknown as JsonObject),

    codes: codesOf(codeRows),

    undeclaredIn(operationId, status, value) {
      const operation = operationById.get(operationId)
      const response = operation && responseFor(operation, status)
      return response ? undeclaredNames(value, namesReached(document, response.content)) : []
    },

    isNoResultYet: (value) => codesOfNoResult.has(textOf(fieldAt(value, 'errorCode')) ?? ''),

    readCallback(name, { method, body }) {
      const callback = callbacks.find((each) => each.name === name && each.method === method)
      if (!callback) return { fault: `no ${method} of ${name} is declared` }
      const media = callback.request?.content.find(({ type }) => isJson(type))
      if (!media) return { fault: `${name} declares no JSON` }
      // A byte order mark carries no meaning, and JSON.parse refuses it.
      const read = readJson(body.replace(/^\uFEFF/, ''), (value) => driftOf(media, value))
      return 'fault' in read ? read : { value: read.value, drift: read.drift }
    },
  }
}

/** Reads what a response declares: no body, or a body of one of these types. */
function readBody(
  content: readonly Media[],
  { status, contentType, body }: OperatorReply,
  driftOf: (media: Media, value: unknown) => readonly Drift[],
): ReplyRead {
  if (isEmpty(body))
    return content.length === 0
      ? { value: undefined, drift: [], body: new Uint8Array() }
      : { fault: `no body with status ${status}` }
  const text = textIn(body)
  if (text === undefined) return { fault: 'the body is not UTF-8' }
  const type = mediaType(contentType)
  const media = content.find((each) => each.type === type)
  if (media) return isJson(type) ? readJson(text, (value) => driftOf(media, value)) : { value: text, drift: [], body }
  if (content.length > 0) return { fault: `a content type that status ${status} does not declare` }
  // The status is enough; a body that is not JSON comes from another server.
  return isJson(type)
    ? readJson(text, () => [UNDECLARED_BODY])
    : { fault: `a body with status ${status}, which declares none` }
}

function readJson(text: string, driftOf: (value: unknown) => readonly Drift[]): ReplyRead {
  const read = readForeignJson(text)
  if ('fault' in read) return read
  const { value, hasLongNumbers } = read
  if (!hasLongNumbers) return { value, drift: driftOf(value), body: Buffer.from(text) }
  // A number is drift where a string is documented, however long it is.
  return { value, drift: driftOf(JSON.parse(text)), body: Buffer.from(JSON.stringify(value)) }
}

const UNDECLARED_BODY: Drift = { field: 'body', shape: 'is not documented' }

/** Sorts fixed paths first: `/users/me` must not match `/users/{id}`. */
const fixedPathsFirst = (one: Operation, other: Operation): number =>
  one.path.split('{').length - other.path.split('{').length

const mediaType = (contentType = ''): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()
const isJson = (type: string): boolean => /^application\/(.+\+)?json$/.test(type)
const isEmpty = (body: Uint8Array): boolean => body.every((byte) => WHITE_SPACE.has(byte))
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

function textIn(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Each at its place, a list's items as one. */
function undeclaredNames(value: unknown, declared: ReadonlySet<string>, path = ''): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => undeclaredNames(item, declared, `${path}[]`)))]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, of]) => {
    const at = `${path && `${path}.`}${/^[A-Za-z_]{1,40}$/.test(name) ? name : '*'}`
    return declared.has(name) ? undeclaredNames(of, declared, at) : [at]
  })
}

/** The names of fields in a schema and in all that it refers to. */
function namesReached(document: unknown, node: unknown, seen = new Set<unknown>()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return new Set()
  seen.add(node)
  const ref = memberOf(node, '$ref')
  const target = typeof ref === 'string' ? [targetOf(document, ref)] : []
  return new Set([
    ...Object.keys(objectAt(node, 'properties')),
    ...[...(Object.values(node) as unknown[]), ...target].flatMap((each) => [...namesReached(document, each, seen)]),
  ])
}

const objectAt = (node: unknown, name: string): object => {
  const found = memberOf(node, name)
  return isObject(found) ? found : {}
}

function namesOfFields(node: unknown): ReadonlySet<string> {
  if (Array.isArray(node)) return new Set(node.flatMap((each) => [...namesOfFields(each)]))
  if (!isObject(node)) return new Set()
  const own = isObject(node['properties']) ? Object.keys(node['properties']) : []
  return new Set([...own, ...Object.values(node).flatMap((each) => [...namesOfFields(each)])])
}
