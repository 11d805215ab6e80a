import { readFileSync } from 'node:fs'
import { parseDocument } from '../../openapi/reading/contract.ts'
import { isObject } from '../../openapi/reading/json.ts'
import { operationsOf, type Media, type Operation } from '../../openapi/reading/operations.ts'
import { compilerOf, type ErrorObject } from '../../openapi/reading/validators.ts'
import { pathValues, responseFor } from '../../openapi/reading/wire.ts'
import { present } from '../domain/present.ts'

/** What an operator's contract (`openapi/operators`) says of what goes to and fro. */
export interface OperatorContract {
  /** @param path without the base of the address. @returns the operationId, undefined for what is no call of the contract */
  operationFor(method: string, path: string): string | undefined
  /** @returns with the names of its parameters in the place of what stands there */
  pathTemplateOf(operationId: string): string
  /**
   * What is wrong with a reply, as a text that names fields and rules and repeats no value; undefined when it is one of
   * those that the contract declares. What is wrong says nothing about money.
   */
  faultInReply(operationId: string, reply: OperatorReply): string | undefined
  /** @param name as the contract names the callback, whichever method it comes by: `requestToPayCallback` */
  readCallback(name: string, callback: OperatorCallback): CallbackRead
}

export interface OperatorReply {
  readonly status: number
  /** The header, where there is one. */
  readonly contentType?: string
  readonly body: Uint8Array
}

export interface OperatorCallback {
  readonly method: string
  readonly body: string
}

/** The value is what the contract declares, so that its generated type may be given to it. */
export type CallbackRead = { readonly value: unknown } | { readonly fault: string }

/**
 * Read when it is first asked for, and schemas are compiled when they are first needed: 20 to 40 ms of a start, together,
 * that a gateway without installations does not spend.
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

const contracts = new Map<string, OperatorContract>()

/** @param text a bundled OpenAPI 3.1 document */
export function parseOperatorContract(text: string): OperatorContract {
  const document = parseDocument(text)
  // Lint has seen to the document itself.
  const compile = compilerOf(document, { validateSchema: false })
  const declared = operationsOf(document)
  const operations = declared.filter(({ kind }) => kind === 'operation').toSorted(fixedPathsFirst)
  const operationById = new Map(operations.map((operation) => [operation.id, operation]))
  const callbacks = declared.filter(({ kind }) => kind !== 'operation')
  const fieldNames = namesOfFields(document)

  function faultInValue(media: Media, value: unknown): string | undefined {
    const validate = compile(media.schema)
    return validate(value) ? undefined : textOf(validate.errors ?? [], fieldNames)
  }

  return {
    operationFor: (method, path) =>
      operations.find((each) => each.method === method && pathValues(each.path, path) !== undefined)?.id,

    pathTemplateOf: (operationId) => present(operationById.get(operationId), `the operation ${operationId}`).path,

    faultInReply(operationId, { status, contentType, body }) {
      const operation = operationById.get(operationId)
      if (!operation) return `${operationId} is no call of the contract`
      const response = responseFor(operation, status)
      if (!response) return `${operationId} declares no status ${status}`
      if (response.content.length === 0)
        return isEmpty(body) ? undefined : `a body with status ${status}, which declares none`
      if (isEmpty(body)) return `no body with status ${status}`
      const media = response.content.find(({ type }) => type === mediaType(contentType))
      if (!media) return `a content type that status ${status} does not declare`
      const read = isJson(media.type) ? jsonIn(body) : textIn(body)
      return 'fault' in read ? read.fault : faultInValue(media, read.value)
    },

    readCallback(name, { method, body }) {
      const callback = callbacks.find((each) => each.name === name && each.method === method)
      if (!callback) return { fault: `no ${method} of ${name} is declared` }
      const media = callback.request?.content.find(({ type }) => isJson(type))
      if (!media) return { fault: `${name} declares no JSON` }
      const read = jsonIn(Buffer.from(body))
      if ('fault' in read) return read
      const fault = faultInValue(media, read.value)
      return fault === undefined ? read : { fault }
    },
  }
}

/** `/users/me` is not `/users/{id}`. */
const fixedPathsFirst = (one: Operation, other: Operation): number =>
  one.path.split('{').length - other.path.split('{').length

const mediaType = (contentType = ''): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()
const isJson = (type: string): boolean => /^application\/(.+\+)?json$/.test(type)
const isEmpty = (body: Uint8Array): boolean => body.every((byte) => WHITE_SPACE.has(byte))
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

function jsonIn(body: Uint8Array): CallbackRead {
  const read = textIn(body)
  if ('fault' in read) return read
  try {
    return { value: JSON.parse(read.value) as unknown }
  } catch {
    // The parser's own message quotes the text.
    return { fault: 'the body is no JSON' }
  }
}

function textIn(body: Uint8Array): { readonly value: string } | { readonly fault: string } {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(body) }
  } catch {
    return { fault: 'the body is not UTF-8' }
  }
}

const FAULTS_MAX = 3

/** The first few faults; of a union there are many. */
const textOf = (errors: readonly ErrorObject[], fieldNames: ReadonlySet<string>): string =>
  [...new Set(errors.map(({ instancePath, message }) => `body${shown(instancePath, fieldNames)} ${message}`))]
    .slice(0, FAULTS_MAX)
    .join(', ')

/** Names that the sender made up are values too: they could be somebody's number. */
const shown = (instancePath: string, fieldNames: ReadonlySet<string>): string =>
  instancePath
    .split('/')
    .map((step) => (step === '' || fieldNames.has(step) || /^\d{1,4}$/.test(step) ? step : '*'))
    .join('/')

function namesOfFields(node: unknown): ReadonlySet<string> {
  if (Array.isArray(node)) return new Set(node.flatMap((each) => [...namesOfFields(each)]))
  if (!isObject(node)) return new Set()
  const own = isObject(node['properties']) ? Object.keys(node['properties']) : []
  return new Set([...own, ...Object.values(node).flatMap((each) => [...namesOfFields(each)])])
}
