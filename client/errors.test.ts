import { expect, test } from 'vitest'
import { createMalipo, MalipoError, type Malipo, type MalipoErrorKind } from './index.ts'
import { json, recordingServer, refusal, success, type AnswerRequest } from './testing/recording-server.ts'
import { collection, payout } from './testing/requests.ts'
import { freePort } from '../server/verification/testing/free-port.ts'

const read = (malipo: Malipo) => malipo.transactions.verify('ORDER-2026-0003')
const post = (malipo: Malipo) => malipo.collections.initialize(collection)
const safePost = (malipo: Malipo) => malipo.collections.initialize(collection, { idempotencyKey: 'key-1' })
const authorize = (malipo: Malipo) => malipo.collections.authorize({ internal_reference: 'MLP1', otp: 123456 })
const send = (malipo: Malipo) => malipo.payouts.send(payout)

// The result of a single attempt; retries.test.ts has the rest.
const clientOf = (baseUrl: string) =>
  createMalipo({ baseUrl, publicKey: 'pub_test', secretKey: 'sec_test', maxRetries: 0 })

async function errorOf(promise: Promise<unknown>): Promise<MalipoError> {
  const error = await promise.then(
    (value) => expect.fail(`resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MalipoError)
  return error as MalipoError
}

const errorFor = async (answer: AnswerRequest, call: (malipo: Malipo) => Promise<unknown>) =>
  errorOf(call(clientOf((await recordingServer(answer)).baseUrl)))

const refusals: readonly [number, string, (malipo: Malipo) => Promise<unknown>, MalipoErrorKind, boolean][] = [
  [400, 'read', read, 'validation', false],
  [400, 'safe post', safePost, 'validation', false],
  [401, 'read', read, 'authentication', false],
  [401, 'payout', send, 'authentication', false],
  [404, 'read', read, 'not_found', false],
  [404, 'authorize', authorize, 'not_found', false],
  [409, 'post', post, 'duplicate', false],
  [409, 'payout', send, 'duplicate', false],
  [409, 'authorize', authorize, 'conflict', false],
  [413, 'post', post, 'validation', false],
  [415, 'post', post, 'validation', false],
  [429, 'read', read, 'rate_limit', true],
  [429, 'post', post, 'rate_limit', true],
  [500, 'read', read, 'server', true],
  [500, 'post', post, 'server', false],
  [500, 'payout', send, 'server', false],
  [500, 'safe post', safePost, 'server', true],
  [501, 'safe post', safePost, 'server', false],
  [503, 'read', read, 'server', true],
  [503, 'post', post, 'server', false],
  [503, 'safe post', safePost, 'server', true],
]

test.each(refusals)(
  '%i to a %s rejects with its kind, message and request id',
  async (status, _call, call, kind, retryable) => {
    const error = await errorFor(refusal(status, `reason ${status}`, { 'x-request-id': 'req-1' }), call)
    expect(error).toMatchObject({
      name: 'MalipoError',
      message: `reason ${status}`,
      kind,
      status,
      requestId: 'req-1',
      retryable,
      retryAfterMs: undefined,
    })
  },
)

test('returns Retry-After in milliseconds, from seconds and from a date', async () => {
  expect((await errorFor(refusal(429, 'slow down', { 'retry-after': '7' }), read)).retryAfterMs).toBe(7000)
  expect(
    (await errorFor(refusal(503, 'back soon', { 'retry-after': 'Fri, 20 Nov 1998 10:00:00 GMT' }), read)).retryAfterMs,
  ).toBe(0)
  const inOneHour = new Date(Date.now() + 3_600_000).toUTCString()
  expect((await errorFor(refusal(503, 'back soon', { 'retry-after': inOneHour }), read)).retryAfterMs).toBeGreaterThan(
    3_500_000,
  )
  expect((await errorFor(refusal(503, 'back soon', { 'retry-after': 'soon' }), read)).retryAfterMs).toBeUndefined()
})

const page =
  (status: number): AnswerRequest =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>proxy</h1>')

test.each<[string, AnswerRequest, MalipoErrorKind, boolean]>([
  ['a web page with status 200', page(200), 'unexpected_reply', false],
  ["a proxy's 404 page is not an unknown transaction", page(404), 'unexpected_reply', false],
  ["a proxy's 401 page", page(401), 'unexpected_reply', false],
  ["a proxy's 502 page", page(502), 'server', true],
  ["a proxy's 429 page", page(429), 'rate_limit', true],
  ['nothing at all', (response) => void response.writeHead(204).end(), 'unexpected_reply', false],
  ['JSON that is not the envelope', json(200, [{ id: 1 }]), 'unexpected_reply', false],
  ['the JSON value null', json(200, null), 'unexpected_reply', false],
  ['an envelope without data', json(200, { code: 200, status: 'success', message: 'done' }), 'unexpected_reply', false],
  [
    'a refusal under a success status',
    json(200, { code: 400, status: 'error', message: 'no', data: {} }),
    'unexpected_reply',
    false,
  ],
  ['a status that the contract does not declare', refusal(418, 'teapot'), 'unexpected_reply', false],
])('%s', async (_name, answer, kind, retryable) => {
  expect(await errorFor(answer, read)).toMatchObject({ kind, retryable })
})

test('rejects data without the requested list as an unexpected reply', async () => {
  const answer = json(200, { code: 200, status: 'success', message: 'done', data: {} })
  expect(await errorFor(answer, (malipo) => malipo.wallets.list())).toMatchObject({
    kind: 'unexpected_reply',
    retryable: false,
  })
})

test('a wrong path is never "no such transaction", although both are 404', async () => {
  const nowhere = refusal(404, 'There is nothing at /api/data/transaction/verify/ORDER-2026-0003')
  for (const call of [read, post])
    expect(await errorFor(nowhere, call)).toMatchObject({
      kind: 'unexpected_reply',
      status: 404,
      retryable: false,
      message: expect.stringMatching(/There is nothing at \/api.*baseUrl/) as string,
    })
  expect(await errorFor(refusal(404, 'Transaction (ORDER-2026-0003) was not found'), read)).toMatchObject({
    kind: 'not_found',
  })
})

test('does not follow a redirect, so that the keys stay with the base URL', async () => {
  const elsewhere = await recordingServer(success(200, {}))
  for (const status of [301, 307, 308]) {
    const error = await errorFor(
      (response) => void response.writeHead(status, { location: `${elsewhere.baseUrl}/stolen` }).end(),
      send,
    )
    expect(error).toMatchObject({
      kind: 'unexpected_reply',
      status,
      message: expect.stringContaining('/stolen') as string,
    })
  }
  expect(elsewhere.requests).toEqual([])
})

test('a refused connection is a network error that names its cause', async () => {
  const malipo = clientOf(`http://127.0.0.1:${await freePort()}`)
  expect(await errorOf(read(malipo))).toMatchObject({
    kind: 'network',
    status: undefined,
    retryable: true,
    message: expect.stringContaining('ECONNREFUSED') as string,
    cause: expect.any(TypeError) as TypeError,
  })
  expect(await errorOf(post(malipo))).toMatchObject({ kind: 'network', retryable: false })
  expect(await errorOf(safePost(malipo))).toMatchObject({ kind: 'network', retryable: true })
})

test('a truncated reply is a network error, whatever its status', async () => {
  const answer: AnswerRequest = (response) => {
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"code":202,', () => response.destroy())
  }
  expect(await errorFor(answer, post)).toMatchObject({ kind: 'network', retryable: false })
})

test.each<[string, AnswerRequest]>([
  ['no reply', () => {}],
  [
    'a reply that never ends',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  ],
])('%s within timeoutMs is a time-out', async (_name, answer) => {
  const { baseUrl } = await recordingServer(answer)
  const impatient = createMalipo({ baseUrl, publicKey: 'pub_test', timeoutMs: 50, maxRetries: 0 })
  expect(await errorOf(read(impatient))).toMatchObject({
    kind: 'timeout',
    status: undefined,
    retryable: true,
    message: 'No complete reply within 50 ms',
  })
  expect(await errorOf(post(impatient))).toMatchObject({ kind: 'timeout', retryable: false })
  const patient = createMalipo({ baseUrl, publicKey: 'pub_test', maxRetries: 0 })
  expect(await errorOf(patient.transactions.verify('ORDER-2026-0003', { timeoutMs: 40 }))).toMatchObject({
    kind: 'timeout',
    message: 'No complete reply within 40 ms',
  })
})

test("the caller's signal ends a call with its own reason", async () => {
  const caller = new AbortController()
  const abort = new DOMException('the customer closed the page', 'AbortError')
  const { baseUrl, requests } = await recordingServer(() => caller.abort(abort))
  const malipo = clientOf(baseUrl)
  await expect(malipo.collections.initialize(collection, { signal: caller.signal })).rejects.toBe(abort)
  await expect(malipo.collections.initialize(collection, { signal: caller.signal })).rejects.toBe(abort)
  expect(requests).toHaveLength(1)
  const reason = new Error('the user left')
  await expect(malipo.transactions.verify('ORDER-2026-0003', { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
})

test('no error contains a key, however it is printed', async () => {
  const malipo = createMalipo({
    baseUrl: 'http://127.0.0.1:1',
    publicKey: 'pub_visible',
    secretKey: 'sec_hidden',
    maxRetries: 0,
  })
  const { inspect } = await import('node:util')
  expect(inspect(await errorOf(send(malipo)), { depth: 10, showHidden: true })).not.toMatch(/pub_visible|sec_hidden/)
  expect(inspect(malipo, { depth: 10, showHidden: true })).not.toMatch(/pub_visible|sec_hidden/)
})
