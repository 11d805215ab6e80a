import { without } from '../../harness/json.ts'
import { objectOf, textOf, type Json, type JsonObject } from '../../../openapi/reading/json.ts'
import type { ExampleRequest, Operation } from './answers.ts'

/** Subject of a case; explanations refer to it. */
export type Topic =
  | 'example'
  | 'key missing'
  | 'key wrong'
  | 'header wrong'
  | 'query wrong'
  | 'query unknown'
  | 'field unknown'
  | 'field missing'
  | 'field wrong'
  | 'body no JSON'
  | 'body no object'
  | 'media type wrong'
  | 'body too large'
  | 'business rule'
  | 'reference used'
  | 'idempotency replayed'
  | 'idempotency key used'
  | 'path unknown'
  | 'method wrong'
  | 'method HEAD'
  | 'reply chosen'
  | 'language'
  | 'accept'

/** One request, the same to the mock and to the server. */
export interface ParityCase {
  readonly topic: Topic
  readonly name: string
  readonly operationId?: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Keys {
  readonly publicKey: string
  readonly secretKey: string
}

export interface Setting extends Keys {
  /** A merchant reference that no request has used. */
  readonly newReference: () => string
  /** The merchant reference of a collection that the server has accepted. */
  readonly knownReference: string
  /** The `redirect_url` to send: the mock calls it. */
  readonly redirectUrl: string
}

/** Over the limit, but small enough to be sent completely before a refusing server closes the connection. */
const LARGE_BYTES = 100_000

/** Each example request, and each way to break it; later cases rely on what earlier ones created. */
export function parityCases(operations: readonly Operation[], setting: Setting): ParityCase[] {
  const ready = operations.map(({ operationId, requests }) => ({
    requests,
    make: (request: ExampleRequest): NamedExample => ({ ...readied(operationId, request, setting), operationId }),
  }))
  const first = ready.flatMap(({ requests, make }) => requests.slice(0, 1).map(make))
  return [
    ...ready.flatMap(({ requests, make }) =>
      requests.map((request, index) => named('example', `example ${index + 1}`, make(request))),
    ),
    ...first.flatMap((request) => [
      ...spoiledHeaders(request, setting),
      ...spoiledQueries(request),
      ...(request.body === undefined ? [] : [...spoiledBodies(request, setting), ...repeated(request, setting)]),
      ...ruled(request, setting),
      ...elsewhere(request),
    ]),
    ...first
      .slice(0, 1)
      .map(({ operationId: _id, ...request }) =>
        named('path unknown', 'unknown path', { ...request, path: '/nowhere' }),
      ),
  ]
}

/** With its operation; an unknown path has none. */
type NamedExample = ExampleRequest & { readonly operationId?: string }

/** With real keys, a reference of its own, and a `redirect_url` of this machine. */
function readied(
  operationId: string,
  request: ExampleRequest,
  { publicKey, secretKey, newReference, knownReference, redirectUrl }: Setting,
): ExampleRequest {
  const body = objectOf(request.body)
  const keys = {
    ...('public-key' in request.headers && { 'public-key': publicKey }),
    ...('secret-key' in request.headers && { 'secret-key': secretKey }),
  }
  const { 'Idempotency-Key': _key, ...headers } = request.headers
  return {
    ...request,
    path: operationId === 'verifyTransaction' ? request.path.replace(/[^/]+$/, knownReference) : request.path,
    headers: { ...headers, ...keys },
    body:
      request.body === undefined
        ? undefined
        : {
            ...body,
            ...(typeof body.merchant_reference === 'string' &&
              body.merchant_reference !== 'auto' && { merchant_reference: newReference() }),
            ...('redirect_url' in body && { redirect_url: redirectUrl }),
          },
  }
}

const named = (topic: Topic, name: string, { body, ...request }: NamedExample): ParityCase => ({
  topic,
  name,
  ...request,
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** The same request with a reference that was not used yet. */
function renewed(request: NamedExample, { newReference }: Setting): NamedExample {
  const body = objectOf(request.body)
  return 'merchant_reference' in body ? { ...request, body: { ...body, merchant_reference: newReference() } } : request
}

function spoiledHeaders(request: NamedExample, setting: Setting): ParityCase[] {
  const { headers } = request
  const keys = ['public-key', 'secret-key'].filter((name) => name in headers)
  const withHeader = (topic: Topic, name: string, value: string) =>
    named(topic, `${name}: ${value}`, {
      ...renewed(request, setting),
      headers: { ...headers, [name]: value },
    })
  return [
    ...keys.map((name) => named('key missing', `without ${name}`, { ...request, headers: without(headers, name) })),
    ...keys.map((name) => withHeader('key wrong', name, 'nobody')),
    named('header wrong', 'without x-api-version', {
      ...request,
      headers: without(headers, 'x-api-version'),
    }),
    withHeader('header wrong', 'x-api-version', '2'),
    withHeader('header wrong', 'x-api-version', 'one'),
    withHeader('language', 'Accept-Language', 'fr-FR,fr;q=0.9'),
    withHeader('accept', 'Accept', 'text/html'),
    withHeader('reply chosen', 'Prefer', 'code=503'),
    ...(request.method === 'POST' ? [withHeader('header wrong', 'Idempotency-Key', 'k'.repeat(256))] : []),
  ]
}

function spoiledQueries(request: NamedExample): ParityCase[] {
  const [path = '', query = ''] = request.path.split('?')
  const parameters = new URLSearchParams(query)
  const requested = (topic: Topic, name: string, changed: string) =>
    named(topic, name, { ...request, path: changed === '' ? path : `${path}?${changed}` })
  return [
    // Requests with a body have no query to break, and an unknown parameter there would need one more reference.
    ...(request.body === undefined
      ? [requested('query unknown', 'unknown query parameter', [query, 'surprise=1'].filter(Boolean).join('&'))]
      : []),
    ...[...parameters.keys()].flatMap((name) => {
      const others = new URLSearchParams([...parameters].filter(([key]) => key !== name)).toString()
      return [
        requested('query wrong', `without ${name}`, others),
        requested('query wrong', `${name} empty`, [others, `${name}=`].filter(Boolean).join('&')),
        requested('query wrong', `${name} twice`, [query, `${name}=${parameters.get(name)}`].join('&')),
        requested('query wrong', `${name} malformed`, [others, `${name}=%21%21`].filter(Boolean).join('&')),
      ]
    }),
  ]
}

function spoiledBodies(request: NamedExample, setting: Setting): ParityCase[] {
  const fresh = (): JsonObject => objectOf(renewed(request, setting).body)
  const raw = (topic: Topic, name: string, body: string, headers = request.headers): ParityCase => ({
    ...named(topic, name, request),
    headers,
    body,
  })
  const json = (topic: Topic, name: string, body: Json) => raw(topic, name, JSON.stringify(body))
  const typed = (type: string) => ({ ...request.headers, 'content-type': type })
  return [
    json('field unknown', 'unknown field', { ...fresh(), surprise: 1 }),
    ...Object.keys(objectOf(request.body)).flatMap((name) => {
      const { [name]: _left, ...others } = fresh()
      return [
        json('field missing', `without ${name}`, others),
        json('field wrong', `${name} is an object`, { ...fresh(), [name]: { wrong: true } }),
      ]
    }),
    raw('body no JSON', 'half a JSON text', '{"amount":'),
    raw('body no JSON', 'no body', ''),
    json('body no object', 'a list', []),
    json('body no object', 'null', null),
    raw('media type wrong', 'text/plain', JSON.stringify(fresh()), typed('text/plain')),
    raw('media type wrong', 'a form', 'amount=5000', typed('application/x-www-form-urlencoded')),
    raw('example', 'JSON with a charset', JSON.stringify(fresh()), typed('application/json; charset=utf-8')),
    json('body too large', '100 kB', { ...fresh(), description: 'x'.repeat(LARGE_BYTES) }),
  ]
}

/** Requests that only a server with state can judge. */
function repeated(request: NamedExample, { newReference }: Setting): ParityCase[] {
  const body = objectOf(request.body)
  if (!('merchant_reference' in body)) return []
  const reference = newReference()
  const again = {
    ...request,
    body: { ...body, merchant_reference: reference },
    headers: { ...request.headers, 'Idempotency-Key': `key-${reference}` },
  }
  return [
    named('example', 'with an Idempotency-Key', again),
    named('idempotency replayed', 'the same key and body again', again),
    named('idempotency key used', 'the same key with another body', {
      ...again,
      body: { ...again.body, merchant_reference: newReference() },
    }),
    named('reference used', 'the same reference again', { ...again, headers: request.headers }),
  ]
}

const RULED: readonly JsonObject[] = [
  { provider_code: 'nobody_xx' },
  { currency: 'ZZZ' },
  { amount: 1 },
  { amount: 10.5 },
  { msisdn: '1234' },
  { account_number: '1234' },
]

/** Well-formed requests that a business rule refuses. */
function ruled(request: NamedExample, setting: Setting): ParityCase[] {
  const { body } = request
  if (body === undefined)
    return request.path.includes('provider_code=')
      ? [
          named('business rule', 'provider_code nobody_xx', {
            ...request,
            path: request.path.replace(/provider_code=\w+/, 'provider_code=nobody_xx'),
          }),
        ]
      : []
  return RULED.filter((rule) => Object.keys(rule).every((name) => name in objectOf(body))).map((rule) =>
    named(
      'business rule',
      Object.entries(rule)
        .map(([name, value]) => `${name} ${textOf(value)}`)
        .join(),
      { ...request, body: { ...objectOf(renewed(request, setting).body), ...rule } },
    ),
  )
}

function elsewhere(request: NamedExample): ParityCase[] {
  const { body: _body, ...bare } = request
  return [
    named('method wrong', 'DELETE', { ...bare, method: 'DELETE', body: undefined }),
    named('method wrong', 'OPTIONS', { ...bare, method: 'OPTIONS', body: undefined }),
    named('path unknown', 'with a slash at the end', {
      ...request,
      path: request.path.replace(/(\?|$)/, '/$1'),
    }),
    ...(request.method === 'GET' ? [named('method HEAD', 'HEAD', { ...request, method: 'HEAD' })] : []),
  ]
}
