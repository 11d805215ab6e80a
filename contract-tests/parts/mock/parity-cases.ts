import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { isObject, textOf, type JsonObject } from '../../../openapi/reading/json.ts'
import type { ContractTarget } from '../../driver/contract-target.ts'
import { exampleDraft, ourRequest } from '../../driver/our-account.ts'
import { fieldsOf, without, type Fields } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** One request, the same to the mock and to the server. */
export interface ParityCase {
  /** Explanations refer to it. */
  readonly topic: string
  readonly name: string
  /** An unknown path has none. */
  readonly operationId?: string
  readonly request: WireRequest
}

/** What the contract's examples are made into requests with. */
export interface ExampleSource {
  readonly contract: Contract
  readonly account: ContractTarget
  /** A number that no reference has had. */
  readonly next: () => number
  /** The `redirect_url` to send: the mock calls it. */
  readonly redirectUrl: string
  /** The merchant reference of a collection that the server has accepted. */
  readonly knownReference?: string
}

/** A request with the keys of the account and a reference of its own. @param example absent: the first */
export function exampleRequest(source: ExampleSource, operation: Operation, example?: string): WireRequest {
  const { contract, account, next, redirectUrl, knownReference } = source
  // Optional parameters as well, but for the key that makes a request a replay.
  const shown = operation.parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const parameters = {
    ...Object.fromEntries(shown.map(({ name, example }) => [name, example])),
    ...(knownReference !== undefined && { merchant_reference: knownReference }),
  }
  const draft = exampleDraft(contract, operation, { next, example, parameters })
  const { body } = draft
  const atHome = isObject(body) && 'redirect_url' in body ? { ...body, redirect_url: redirectUrl } : body
  return ourRequest(account, operation, { ...draft, body: atHome })
}

/** The names of its body's examples; one without a name for an operation without a body. */
export const examplesOf = ({ body }: Operation): readonly (string | undefined)[] =>
  body?.examples.map(({ name }) => name) ?? [undefined]

/** Makes the first example request anew, and cases from it. */
interface Maker {
  readonly operation: Operation
  readonly fresh: () => WireRequest
  readonly make: (topic: string, name: string, change: (request: WireRequest) => WireRequest) => ParityCase
}

/** Each example request, and each way to break it; later cases rely on what earlier ones created. */
export function parityCases(operations: readonly Operation[], source: ExampleSource): ParityCase[] {
  return [
    ...operations.flatMap((operation) =>
      examplesOf(operation).map((example, index) => ({
        topic: 'example',
        name: `example ${index + 1}`,
        operationId: operation.id,
        request: exampleRequest(source, operation, example),
      })),
    ),
    ...operations.flatMap((operation) => {
      const fresh = () => exampleRequest(source, operation)
      const make: Maker['make'] = (topic, name, change) => ({
        topic,
        name,
        operationId: operation.id,
        request: change(fresh()),
      })
      const maker = { operation, fresh, make }
      return [
        ...spoiledHeaders(maker),
        ...spoiledQueries(maker),
        ...(operation.body ? [...spoiledBodies(maker), ...repeated(maker)] : []),
        ...ruled(maker),
        ...elsewhereCases(maker),
      ]
    }),
    ...operations.slice(0, 1).map((operation) => ({
      topic: 'path unknown',
      name: 'unknown path',
      request: { ...exampleRequest(source, operation), path: '/nowhere' },
    })),
  ]
}

const withHeader = (request: WireRequest, name: string, value: string | undefined): WireRequest => ({
  ...request,
  headers: { ...without(request.headers, name), ...(value !== undefined && { [name]: [value] }) },
})
const withBody = (request: WireRequest, body: unknown): WireRequest => ({
  ...request,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const bodyOf = (request: WireRequest): Fields => fieldsOf(JSON.parse(request.body.toString('utf8')))
const withFields = (request: WireRequest, fields: JsonObject): WireRequest =>
  withBody(request, { ...bodyOf(request), ...fields })

/** Headers of every request, and what is wrong with them. */
const HEADERS: readonly (readonly [topic: string, name: string, value?: string])[] = [
  ['header wrong', 'x-api-version'],
  ['header wrong', 'x-api-version', '2'],
  ['header wrong', 'x-api-version', 'one'],
  ['language', 'accept-language', 'fr-FR,fr;q=0.9'],
  ['accept', 'accept', 'text/html'],
  ['reply chosen', 'prefer', 'code=503'],
]

function spoiledHeaders({ operation, make }: Maker): ParityCase[] {
  const keys = operation.keys.map(({ header }) => header)
  return [
    ...keys.map((name) => ['key missing', name] as const),
    ...keys.map((name) => ['key wrong', name, 'nobody'] as const),
    ...HEADERS,
    ...(operation.method === 'POST' ? [['header wrong', 'idempotency-key', 'k'.repeat(256)] as const] : []),
  ].map(([topic, name, value]) =>
    make(topic, value === undefined ? `without ${name}` : `${name}: ${value}`, (request) =>
      withHeader(request, name, value),
    ),
  )
}

function spoiledQueries({ operation, fresh, make }: Maker): ParityCase[] {
  const [path = '', query = ''] = fresh().path.split('?')
  const parameters = new URLSearchParams(query)
  const requested = (topic: string, name: string, ...pairs: readonly string[]) => {
    const changed = pairs.filter(Boolean).join('&')
    return make(topic, name, (request) => ({ ...request, path: changed === '' ? path : `${path}?${changed}` }))
  }
  return [
    // Requests with a body have no query to break.
    ...(operation.body ? [] : [requested('query unknown', 'unknown query parameter', query, 'surprise=1')]),
    ...[...parameters].flatMap(([name, value]) => {
      const others = new URLSearchParams([...parameters].filter(([key]) => key !== name)).toString()
      return [
        requested('query wrong', `without ${name}`, others),
        requested('query wrong', `${name} empty`, others, `${name}=`),
        requested('query wrong', `${name} twice`, query, `${name}=${value}`),
        requested('query wrong', `${name} malformed`, others, `${name}=%21%21`),
      ]
    }),
  ]
}

/** Over the limit, but small enough to be sent completely before a refusing server closes the connection. */
const LARGE_BYTES = 100_000

function spoiledBodies({ fresh, make }: Maker): ParityCase[] {
  const typed = (type: string) => (request: WireRequest) => withHeader(request, 'content-type', type)
  const sent = (topic: string, name: string, body: unknown) => make(topic, name, (request) => withBody(request, body))
  return [
    make('field unknown', 'unknown field', (request) => withFields(request, { surprise: 1 })),
    ...Object.keys(bodyOf(fresh())).flatMap((name) => [
      make('field missing', `without ${name}`, (request) => withBody(request, without(bodyOf(request), name))),
      make('field wrong', `${name} is an object`, (request) => withFields(request, { [name]: { wrong: true } })),
    ]),
    sent('body no JSON', 'half a JSON text', '{"amount":'),
    sent('body no JSON', 'no body', ''),
    sent('body no object', 'a list', []),
    sent('body no object', 'null', null),
    make('media type wrong', 'text/plain', typed('text/plain')),
    make('media type wrong', 'a form', (request) =>
      typed('application/x-www-form-urlencoded')(withBody(request, 'amount=5000')),
    ),
    make('example', 'JSON with a charset', typed('application/json; charset=utf-8')),
    make('body too large', '100 kB', (request) => withFields(request, { description: 'x'.repeat(LARGE_BYTES) })),
  ]
}

/** Requests that only a server with state can judge. */
function repeated({ fresh, make }: Maker): ParityCase[] {
  const first = fresh()
  const { merchant_reference: reference } = bodyOf(first)
  if (typeof reference !== 'string') return []
  const keyed = (request: WireRequest) => withHeader(request, 'idempotency-key', `key-${reference}`)
  return [
    make('example', 'with an Idempotency-Key', () => keyed(first)),
    make('idempotency replayed', 'the same key and body again', () => keyed(first)),
    make('idempotency key used', 'the same key with another body', keyed),
    make('reference used', 'the same reference again', () => first),
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
function ruled({ operation, fresh, make }: Maker): ParityCase[] {
  const { path, body } = fresh()
  if (!operation.body) {
    const other = path.replace(/provider_code=\w+/, 'provider_code=nobody_xx')
    return other === path
      ? []
      : [make('business rule', 'provider_code nobody_xx', (request) => ({ ...request, path: other }))]
  }
  const names = Object.keys(JSON.parse(body.toString('utf8')) as object)
  return RULED.filter((rule) => Object.keys(rule).every((name) => names.includes(name))).map((rule) => {
    const [[name, value] = ['', '']] = Object.entries(rule)
    return make('business rule', `${name} ${textOf(value)}`, (request) => withFields(request, rule))
  })
}

function elsewhereCases({ operation, make }: Maker): ParityCase[] {
  const bare = (method: string) => (request: WireRequest) => ({ ...request, method, body: Buffer.alloc(0) })
  return [
    make('method wrong', 'DELETE', bare('DELETE')),
    make('method wrong', 'OPTIONS', bare('OPTIONS')),
    make('path unknown', 'with a slash at the end', (request) => ({
      ...request,
      path: request.path.replace(/(\?|$)/, '/$1'),
    })),
    ...(operation.method === 'GET' ? [make('method HEAD', 'HEAD', bare('HEAD'))] : []),
  ]
}
