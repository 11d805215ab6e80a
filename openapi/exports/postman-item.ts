import { STATUS_CODES } from 'node:http'
import { isObject } from '../reading/json.ts'
import type { Operation } from '../reading/operations.ts'
import { linksOf, type VariableLink } from './postman-links.ts'

/** What a request of the collection is made of. */
export interface ItemSource {
  readonly operation: Operation
  readonly name: string
  readonly body?: unknown
  /** What links offer to this operation. */
  readonly linked: readonly VariableLink[]
  /** Whether the replies that the contract shows are saved beside it: once per operation is enough. */
  readonly showReplies: boolean
}

/** Postman makes a new one for every request. Its 36 characters are a valid merchant reference. */
const FRESH = '{{$guid}}'
const FRESH_NAMES = ['merchant_reference', 'batch_reference', 'Idempotency-Key']

/**
 * A request as Postman stores it (Collection Format v2.1.0), with what it expects and what it keeps for later requests.
 */
export function itemOf(source: ItemSource): object {
  const { operation, name, showReplies } = source
  const { summary, description } = operation
  const request = requestOf(source)
  return {
    name: name ? `${summary}: ${name}` : summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(operation) } }],
    request: { ...request, description },
    response: showReplies ? repliesOf(operation, request) : [],
  }
}

function requestOf({ operation: { method, path, keys, parameters }, body, linked }: ItemSource): object {
  const given = (where: string) =>
    parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, example, required }) => ({
        key: name,
        value: valueOf(name, String(example), linked),
        ...(required !== true && { disabled: true }),
      }))
  const query = given('query')
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
  const requested = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  return {
    method,
    header: [
      // Postman's own `auth` knows one key per request only.
      ...keys.map(({ header, scheme }) => ({ key: header, value: `{{${scheme}}}` })),
      ...given('header'),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${requested.length > 0 ? `?${requested.join('&')}` : ''}`,
      host: ['{{baseUrl}}'],
      path: segments,
      query,
      variable: given('path'),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(withVariables(body, linked), null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  }
}

const withVariables = (body: unknown, linked: readonly VariableLink[]): unknown =>
  isObject(body)
    ? Object.fromEntries(Object.entries(body).map(([field, value]) => [field, variableIn(field, value, linked)]))
    : body

function variableIn(field: string, value: unknown, linked: readonly VariableLink[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withVariables(item, []))
  return typeof value === 'string' ? valueOf(field, value, linked) : value
}

function valueOf(name: string, example: string, linked: readonly VariableLink[]): string {
  const link = linked.find(({ field }) => field === name)
  if (link) return `{{${link.variable}}}`
  return FRESH_NAMES.includes(name) && example !== 'auto' ? FRESH : example
}

/** The status of a success, and the values that the contract's links hand on. */
function scriptOf(operation: Operation): string[] {
  const status = operation.responses.find((response) => response.status.startsWith('2'))?.status
  const kept = new Map(linksOf(operation).map(({ variable, keys }) => [variable, keys]))
  return [
    `pm.test('${status} ${STATUS_CODES[Number(status)]}', () => pm.response.to.have.status(${status}));`,
    ...[...kept].map(
      ([variable, keys]) => `pm.collectionVariables.set('${variable}', pm.response.json().${keys.join('.')});`,
    ),
  ]
}

/** The replies that the contract shows; Postman calls them examples of a request. */
const repliesOf = ({ responses }: Operation, originalRequest: object): object[] =>
  responses.flatMap(({ status, examples }) =>
    examples.map(({ name, summary = name, value }) => ({
      name: `${status} ${summary}`,
      originalRequest,
      status: STATUS_CODES[Number(status)] ?? '',
      code: Number(status),
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      body: JSON.stringify(value, null, 2),
    })),
  )
