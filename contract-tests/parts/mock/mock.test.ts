import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMalipo, MalipoError, type Malipo } from '../../../client/index.ts'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { writtenOperations } from '../../../openapi/testing/written-operations.ts'
import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import { listen, type ListeningServer } from '../../harness/listen.ts'
import { operations, type MockAnswer, type ExampleRequest } from './answers.ts'
import { startPrism, type Prism } from '../../driver/prism.ts'

const REQUEST_MS_MAX = 60_000

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly 'x-client': { readonly call: string } }>>>>
type AnyCall = (...given: readonly unknown[]) => Promise<unknown>
const contract = readContract(bundleUrl)

let prism: Prism
// Prism calls a `redirect_url` itself. The contract's examples name a shop on the Internet; requests from here replace
// it by this local one.
let shop: ListeningServer

beforeAll(async () => {
  shop = await listen(createServer((_request, response) => void response.end()))
  prism = await startPrism(bundleUrl)
})

afterAll(async () => {
  await prism?.stop()
  await shop?.close()
})

const answers = operations.flatMap((operation) => operation.answers)
const successes = answers.filter(({ status }) => status < 300)
const errors = answers.filter(({ status }) => status >= 400)
const requestOf = (operationId: string): ExampleRequest =>
  operations.find((operation) => operation.operationId === operationId)!.requests[0]!
const prefer = ({ status, name }: MockAnswer) => ({ prefer: `code=${status}, example=${name}` })
const title = ({ operationId, status, name }: MockAnswer) => `${operationId} ${status} ${name}`

function sendRequest(
  { method, path, headers, body }: ExampleRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const local =
    typeof body === 'object' && body !== null && 'redirect_url' in body
      ? { ...body, redirect_url: `${shop.url}/paid` }
      : body
  return fetch(prism.baseUrl + path, {
    method,
    headers: { ...headers, ...more },
    ...(local !== undefined && { body: JSON.stringify(local) }),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
}

/** Faults of a reply to `answer`, as sentences; an empty list when there are none. */
async function faultsOf(answer: MockAnswer, response: Response): Promise<string[]> {
  const body: unknown = await response.json()
  const invalid = answer.faultIn(body)
  const found = [
    response.status !== answer.status && `status ${response.status}`,
    !response.headers.get('content-type')?.startsWith('application/json') &&
      `content type ${response.headers.get('content-type')}`,
    response.headers.has('sl-violations') && `violations ${response.headers.get('sl-violations')}`,
    ...answer.headers.filter((header) => !response.headers.has(header)).map((header) => `no header ${header}`),
    invalid !== undefined && `invalid: ${invalid}`,
    !isDeepStrictEqual(body, answer.value) && `not the example: ${JSON.stringify(body)}`,
  ]
  return found.filter((fault) => fault !== false).map((fault) => `${title(answer)}: ${fault}`)
}

/** Values of a reply below `data`, with the names of their fields. */
function leaves(value: unknown, field = ''): [string, unknown][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => leaves(each, Array.isArray(value) ? field : key))
    : [[field, value]]
}

/** Filler values of a generator without an example: the word "string", nothing, lorem ipsum, zeros. */
function fillersIn(body: unknown): string[] {
  // Around `data` are code, status and message, which are no examples.
  const all = leaves(typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined)
  const numbers = all.filter(([, value]) => typeof value === 'number')
  return [
    ...all.filter(
      ([, value]) => typeof value === 'string' && /^(|string|text|null|undefined|lorem.*|[a-z]{1,2})$/i.test(value),
    ),
    // Zero is a valid charge or balance; it is never an identifier, a limit or the amount of a payment.
    ...numbers.filter(
      ([field, value]) => value === 0 && /^(id|min_amount|max_.*|request_amount|transaction_amount)$/.test(field),
    ),
    ...(numbers.length > 1 && numbers.every(([, value]) => value === 0) ? numbers : []),
  ].map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
}

test('every example reply can be requested by name and is valid, with its headers', async () => {
  const faults: string[] = []
  for (const answer of answers)
    faults.push(...(await faultsOf(answer, await sendRequest(requestOf(answer.operationId), prefer(answer)))))
  expect(faults).toEqual([])
  const table = operations.map(({ operationId, answers }) => `${operationId} ${answers.length}`).join(', ')
  console.log(
    `Prism: ${answers.length} answers valid and as shown (${successes.length} successes, ${errors.length} errors): ${table}`,
  )
})

test('the examples cover every operation and every status', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(writtenOperations)
  for (const { operationId, answers } of operations) {
    const statuses = new Set(answers.map(({ status }) => status))
    expect(Math.min(...statuses), operationId).toBeLessThan(300)
    for (const status of [400, 401, 429, 500, 503]) expect(statuses, operationId).toContain(status)
  }
})

test('the checks notice an unknown field, a wrong code and a filler', () => {
  for (const answer of answers) {
    const value = answer.value as Readonly<Record<string, unknown>>
    expect(answer.faultIn({ ...value, surprise: 1 }), title(answer)).toContain('additional properties')
    expect(answer.faultIn({ ...value, code: '200' }), title(answer)).toContain('/code')
  }
  expect(fillersIn({ data: { id: 0, name: 'string', total: 5 } })).toEqual(['name: "string"', 'id: 0'])
  expect(fillersIn({ data: { reserve: 0, uncleared: 0 } })).toHaveLength(2)
})

test('every example request is accepted and gets a realistic default reply', async () => {
  const faults: string[] = []
  for (const { requests, answers } of operations) {
    for (const request of requests) {
      const response = await sendRequest(request)
      faults.push(...(await faultsOf(answers[0]!, response)))
    }
  }
  expect(faults).toEqual([])
})

test('no success contains a filler', async () => {
  const fillers: string[] = []
  for (const answer of successes) {
    const response = await sendRequest(requestOf(answer.operationId), prefer(answer))
    fillers.push(...fillersIn(await response.json()).map((filler) => `${title(answer)}: ${filler}`))
  }
  expect(fillers).toEqual([])
})

test('a request that breaks the contract gets a documented refusal in the envelope', async () => {
  const request = requestOf('initializeCollection')
  const { 'public-key': _key, ...withoutKey } = request.headers
  const { 'x-api-version': _version, ...withoutVersion } = request.headers
  const wrong: readonly [number, ExampleRequest][] = [
    [401, { ...request, headers: withoutKey }],
    [400, { ...request, headers: withoutVersion }],
    [400, { ...request, body: { ...(request.body as object), merchant_id: 7 } }],
    [400, { ...requestOf('listPaymentProviders'), path: '/data/payment-providers?currency=UGX' }],
  ]
  for (const [status, each] of wrong) {
    const response = await sendRequest(each)
    expect(response.status).toBe(status)
    const body = await response.json()
    expect(
      answers.filter((answer) => answer.status === status).some((answer) => isDeepStrictEqual(answer.value, body)),
      JSON.stringify(body),
    ).toBe(true)
  }
})

test("an invalid request gets a schema fault's example, or the one it prefers", async () => {
  for (const { id } of contract.operations.filter(({ kind, body }) => kind === 'operation' && body)) {
    const request = { ...requestOf(id), body: {} }
    const response = await sendRequest(request)
    expect(response.status).toBe(400)
    const { message } = (await response.json()) as { readonly message: string }
    expect(message).toMatch(/ is required$/)
    expect(isBusinessRefusal(message), message).toBe(false)
    const field = await sendRequest(request, { prefer: 'code=400, example=field_unknown' })
    expect(await field.json()).toMatchObject({ code: 400, message: 'merchant_id is not allowed' })
  }
})

test("an unknown path and an undeclared method get Prism's reply, as the page says", async () => {
  const request = requestOf('listWalletBalances')
  for (const [status, each] of [
    [404, { ...request, path: '/nowhere' }],
    [405, { ...request, method: 'DELETE' }],
  ] as const) {
    const response = await sendRequest(each)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  }
})

/**
 * Calls the client by the operation's `x-client` name, with the values of the contract's request example, and with an
 * idempotency key where the operation takes one.
 */
async function call(malipo: Malipo, operationId: string): Promise<unknown> {
  const { path, method, parameters, body } = contract.operations.find(({ id }) => id === operationId)!
  const given = (where: string) =>
    parameters.filter((parameter) => parameter.in === where).map(({ name, example }) => [name, example] as const)
  const { call: name } = (contract.document.paths as unknown as Paths)[path]![method.toLowerCase()]!['x-client']
  const [group = '', verb = ''] = name.split('.')
  const calls = malipo as unknown as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>
  return calls[group]![verb]!(
    ...given('path').map(([, example]) => example),
    ...(body ? [requestOf(operationId).body] : []),
    ...(given('query').length > 0 ? [Object.fromEntries(given('query'))] : []),
    given('header').some(([header]) => header === 'Idempotency-Key') ? { idempotencyKey: 'key-1' } : {},
  )
}

// Without retries: the mock would return the same error again.
const mocked = (headers: Readonly<Record<string, string>> = {}): Malipo =>
  createMalipo({
    baseUrl: prism.baseUrl,
    publicKey: 'pub_sandbox_demo',
    secretKey: 'sec_sandbox_demo',
    timeoutMs: REQUEST_MS_MAX,
    maxRetries: 0,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  })

test('our client gets the data of every operation from the mock', async () => {
  const malipo = mocked()
  const providers = await malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' })
  expect(providers.map(({ provider_code }) => provider_code)).toEqual(['airtel_ug', 'mtn_ug'])
  for (const { operationId, answers } of operations) {
    const { data } = answers[0]!.value as { readonly data: Record<string, unknown> }
    const list = Object.values(data).find((value) => Array.isArray(value))
    expect(await call(malipo, operationId), operationId).toEqual(list ?? data)
  }
})

test('our client maps every example error to a MalipoError with kind, text and id', async () => {
  for (const answer of errors) {
    const { message } = answer.value as { readonly message: string }
    const error: unknown = await call(mocked(prefer(answer)), answer.operationId).catch((reason: unknown) => reason)
    expect(error, title(answer)).toBeInstanceOf(MalipoError)
    expect(error, title(answer)).toMatchObject({
      message,
      status: answer.status,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((error as MalipoError).kind, title(answer)).not.toMatch(/unexpected_reply|network|timeout/)
    expect((error as MalipoError).retryAfterMs !== undefined, title(answer)).toBe([429, 503].includes(answer.status))
  }
})

test('the mock never crashed and called nobody but our shop', () => {
  expect(prism.output()).not.toMatch(/UnhandledPromise|TypeError|shop\.example/)
})
