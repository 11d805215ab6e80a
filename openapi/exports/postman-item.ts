import { STATUS_CODES } from 'node:http'
import { isObject, objectOf, textOf, type Json, type JsonObject } from '../reading/json.ts'
import { child, children, descendant, rootOf, type Place } from '../reading/places.ts'
import { linksOf, type Linked } from './postman-links.ts'

export interface ItemSource {
  readonly method: string
  readonly path: string
  readonly operation: Place
  readonly name: string
  readonly body?: Json
  /** What links offer to this operation. */
  readonly linked: readonly Linked[]
  /** Whether the replies that the contract shows are saved beside it: once per operation is enough. */
  readonly showReplies: boolean
}

/** Postman makes a new one for every request. Its 36 characters are a valid merchant reference. */
const FRESH = '{{$guid}}'
const FRESH_NAMES = ['merchant_reference', 'Idempotency-Key']

/**
 * A request as Postman stores it (Collection Format v2.1.0), with what it expects and what it keeps for later requests.
 */
export function itemOf(source: ItemSource): JsonObject {
  const { operation, name, showReplies } = source
  const { summary, description } = objectOf(operation.node)
  const request = requestOf(source)
  return {
    name: name ? `${textOf(summary)}: ${name}` : textOf(summary),
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(operation) } }],
    request: { ...request, description: textOf(description) },
    response: showReplies ? repliesOf(operation, request) : [],
  }
}

function requestOf({ method, path, operation, body, linked }: ItemSource): JsonObject {
  const parameters = children(child(operation, 'parameters')).map(([, { node }]) => objectOf(node))
  const given = (where: string): JsonObject[] =>
    parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, example, required }) => ({
        key: textOf(name),
        value: valueOf(textOf(name), textOf(example), linked),
        ...(required !== true && { disabled: true }),
      }))
  const query = given('query')
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
  const asked = query
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => `${textOf(key)}=${textOf(value)}`)
  return {
    method,
    header: [
      ...keysOf(operation),
      ...given('header'),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
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

/** The keys that an operation needs; Postman's own `auth` knows one key per request only. */
const keysOf = ({ contract, node }: Place): JsonObject[] =>
  children(child({ contract, pointer: '', node }, 'security')).flatMap(([, { node: schemes }]) =>
    Object.keys(objectOf(schemes)).map((scheme) => ({
      key: textOf(objectOf(descendant(rootOf(contract), 'components', 'securitySchemes', scheme).node).name),
      value: `{{${scheme}}}`,
    })),
  )

const withVariables = (body: Json, linked: readonly Linked[]): Json =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([field, value]) => [
          field,
          typeof value === 'string' ? valueOf(field, value, linked) : value,
        ]),
      )
    : body

function valueOf(name: string, example: string, linked: readonly Linked[]): string {
  const link = linked.find(({ field }) => field === name)
  if (link) return `{{${link.variable}}}`
  return FRESH_NAMES.includes(name) && example !== 'auto' ? FRESH : example
}

/** The status of a success, and the values that the contract's links hand on. */
function scriptOf(operation: Place): string[] {
  const status = Number(Object.keys(objectOf(child(operation, 'responses').node)).find((each) => each.startsWith('2')))
  const kept = new Map(linksOf(operation).map(({ variable, keys }) => [variable, keys]))
  return [
    `pm.test('${status} ${STATUS_CODES[status]}', () => pm.response.to.have.status(${status}));`,
    ...[...kept].map(
      ([variable, keys]) => `pm.collectionVariables.set('${variable}', pm.response.json().${keys.join('.')});`,
    ),
  ]
}

/** The replies that the contract shows; Postman calls them examples of a request. */
const repliesOf = (operation: Place, originalRequest: JsonObject): JsonObject[] =>
  children(child(operation, 'responses')).flatMap(([status, response]) =>
    children(descendant(response, 'content', 'application/json', 'examples')).map(([, { node }]) => ({
      name: `${status} ${textOf(objectOf(node).summary)}`,
      originalRequest,
      status: STATUS_CODES[Number(status)] ?? '',
      code: Number(status),
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      body: JSON.stringify(objectOf(node).value, null, 2),
    })),
  )
