import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exchange } from './exchange.ts'
import { createMalipo, MalipoError, type MalipoOptions } from './index.ts'
import { recordingServer, refusal, success, type AnswerRequest } from './testing/recording-server.ts'
import { collection, references } from './testing/requests.ts'
import { realWaiting } from './waiting.ts'
import { freePort } from '../server/verification/testing/free-port.ts'

const breakOff: AnswerRequest = (response) => void response.destroy()

/**
 * A gateway that returns its replies in order, and a client whose waits are recorded and take no time; random is
 * always 1.
 */
async function gateway(answers: readonly AnswerRequest[], options: Partial<MalipoOptions> = {}) {
  const left = [...answers]
  const { baseUrl, requests } = await recordingServer((response, request) =>
    (left.shift() ?? expect.fail('one request too many'))(response, request),
  )
  const waits: number[] = []
  let elapsed = 0
  const malipo = createMalipo({
    baseUrl,
    publicKey: 'pub_test',
    secretKey: 'sec_test',
    ...options,
    waiting: {
      random: () => 1,
      elapsedMs: () => elapsed,
      sleep: async (ms) => void (waits.push(ms), (elapsed += ms)),
      ...options.waiting,
    },
  })
  return { malipo, requests, waits, keys: () => requests.map(({ headers }) => headers['idempotency-key']) }
}

const down = refusal(503, 'back soon')

test.each<[string, AnswerRequest]>([
  ['HTTP 500', refusal(500, 'no')],
  ['HTTP 503', down],
  ['HTTP 502 of a proxy', (response) => void response.writeHead(502).end('<h1>')],
  ['HTTP 429', refusal(429, 'slow')],
  ['a broken connection', breakOff],
])('retries a read after %s, twice, with growing delays', async (_name, answer) => {
  const { malipo, requests, waits } = await gateway([answer, answer, success(200, { payout_banks: [] })])
  expect(await malipo.banks.list({ provider_code: 'bank_ng' })).toEqual([])
  expect(requests).toHaveLength(3)
  expect(waits).toEqual([500, 1000])
})

test('retries a POST under one generated key, with the same body', async () => {
  const { malipo, requests, keys } = await gateway([breakOff, down, success(202, references)])
  expect(await malipo.collections.initialize(collection)).toEqual(references)
  expect(requests.map(({ body }) => body)).toEqual(Array(3).fill(collection))
  expect(new Set(keys())).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]))
})

test('two calls have two keys', async () => {
  const { malipo, keys } = await gateway([success(202, references), success(202, references)])
  for (const _ of [1, 2]) await malipo.collections.initialize(collection)
  expect(new Set(keys()).size).toBe(2)
})

test("keeps the caller's key over retries", async () => {
  const { malipo, keys } = await gateway([down, down, success(202, references)])
  await malipo.collections.initialize(collection, { idempotencyKey: 'order-17' })
  expect(keys()).toEqual(['order-17', 'order-17', 'order-17'])
})

test('rejects with the last error and its key; repeatable only under a known key', async () => {
  const { malipo, keys } = await gateway([
    down,
    down,
    refusal(500, 'still no', { 'x-request-id': 'req-3' }),
    down,
    down,
    down,
  ])
  const error = await malipo.collections.initialize(collection).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'server',
    status: 500,
    message: 'still no',
    requestId: 'req-3',
    retryable: false,
    idempotencyKey: keys()[0],
  })
  await expect(malipo.collections.initialize(collection, { idempotencyKey: 'order-17' })).rejects.toMatchObject({
    retryable: true,
    idempotencyKey: 'order-17',
  })
})

test.each<[string, AnswerRequest, AnswerRequest, object]>([
  [
    'a lost reply, then 429',
    breakOff,
    refusal(429, 'slow', { 'retry-after': '60' }),
    { kind: 'network', status: undefined, retryAfterMs: 60_000 },
  ],
  [
    'a lost reply, then 401',
    breakOff,
    refusal(401, 'no key'),
    { kind: 'network', status: undefined, retryAfterMs: undefined },
  ],
  [
    '503, then 400',
    refusal(503, 'back soon', { 'x-request-id': 'req-1' }),
    refusal(400, 'too much'),
    { kind: 'server', status: 503, requestId: 'req-1' },
  ],
  [
    'a lost reply, then a page of a proxy',
    breakOff,
    (response) => void response.writeHead(403).end('<h1>'),
    { kind: 'network' },
  ],
])('does not report a POST that may have been accepted as rejected: %s', async (_name, first, second, known) => {
  const { malipo } = await gateway([first, second, first, second])
  const error = await malipo.collections.initialize(collection).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    ...known,
    retryable: false,
    message: expect.stringContaining('; then a retry was turned away: ') as string,
  })
  expect(error).toMatchObject({ cause: { errors: [expect.any(MalipoError), expect.any(MalipoError)] } })
  await expect(malipo.collections.initialize(collection, { idempotencyKey: 'order-17' })).rejects.toMatchObject({
    ...known,
    retryable: true,
    idempotencyKey: 'order-17',
  })
})

test('reports a used reference even after a lost reply; a read has nothing to lose', async () => {
  const { malipo } = await gateway([breakOff, refusal(409, 'used'), breakOff, refusal(401, 'no key')])
  await expect(malipo.collections.initialize(collection)).rejects.toMatchObject({ kind: 'duplicate' })
  await expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({ kind: 'authentication' })
})

test('retries a POST that only the rate limit rejected, and reports it as such', async () => {
  const slow = refusal(429, 'slow')
  const { malipo } = await gateway([slow, slow, slow])
  await expect(malipo.collections.initialize(collection)).rejects.toMatchObject({ kind: 'rate_limit', retryable: true })
})

test.each([400, 401, 404, 409, 501])('HTTP %i is final', async (status) => {
  const { malipo, requests } = await gateway([refusal(status, 'no')])
  await expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({ status })
  expect(requests).toHaveLength(1)
})

test('does not retry an unexpected reply', async () => {
  const { malipo, requests } = await gateway([(response) => void response.end('<h1>welcome</h1>')])
  await expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({ kind: 'unexpected_reply' })
  expect(requests).toHaveLength(1)
})

test('maxRetries is for all calls or for one, and 0 sends a POST once without a key', async () => {
  const { malipo, requests, keys } = await gateway([down, down, breakOff, down, down], { maxRetries: 1 })
  await expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({ status: 503 })
  expect(requests).toHaveLength(2)
  await expect(malipo.collections.initialize(collection, { maxRetries: 0 })).rejects.toMatchObject({
    kind: 'network',
    retryable: false,
    idempotencyKey: undefined,
  })
  expect(keys()[2]).toBeUndefined()
  await expect(malipo.transactions.verify('ORDER-2026-0001', { maxRetries: 1 })).rejects.toMatchObject({ status: 503 })
  for (const maxRetries of [-1, 1.5, 11, Number.NaN]) {
    expect(() => createMalipo({ baseUrl: 'http://127.0.0.1:1', publicKey: 'p', maxRetries })).toThrow(
      /^maxRetries must be/,
    )
    await expect(malipo.banks.list({ provider_code: 'bank_ng' }, { maxRetries })).rejects.toThrow(RangeError)
  }
})

test('never retries a POST without a key, not even after a rate limit', async () => {
  const { malipo, requests } = await gateway([refusal(429, 'slow', { 'retry-after': '0' })], { maxRetries: 0 })
  await expect(malipo.collections.initialize(collection, { maxRetries: 0 })).rejects.toMatchObject({
    kind: 'rate_limit',
    retryable: true,
  })
  expect(requests).toHaveLength(1)

  let sent = 0
  const post = exchange({
    method: 'POST',
    kinds: {},
    url: 'http://malipo.example/payout/send-funds',
    headers: {},
    body: '{}',
    idempotencyKey: undefined,
    repeatable: false,
    maxRetries: 5,
    timeoutMs: 1000,
    signal: new AbortController().signal,
    waiting: { random: () => 0, sleep: async () => {}, elapsedMs: () => 0 },
    fetch: async () => (sent++, new Response('slow', { status: 429 })),
  })
  await expect(post).rejects.toMatchObject({ kind: 'rate_limit' })
  expect(sent).toBe(1)
})

test('waits for Retry-After, and never less than its own backoff', async () => {
  const { malipo, waits } = await gateway([
    refusal(429, 'slow', { 'retry-after': '7' }),
    refusal(503, 'soon', { 'retry-after': '0' }),
    success(200, { payout_banks: [] }),
  ])
  await malipo.banks.list({ provider_code: 'bank_ng' })
  expect(waits).toEqual([7000, 1000])
})

test('rejects at once, with Retry-After, when the retry would exceed the time limit', async () => {
  const { malipo, requests, waits } = await gateway([refusal(429, 'slow', { 'retry-after': '30' })], {
    timeoutMs: 30_000,
  })
  await expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({
    kind: 'rate_limit',
    retryAfterMs: 30_000,
  })
  expect(requests).toHaveLength(1)
  expect(waits).toEqual([])
})

test('the time limit covers all attempts together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { baseUrl, requests } = await recordingServer((response, request) =>
    requests.length === 1 ? down(response, request) : undefined,
  )
  const malipo = createMalipo({
    baseUrl,
    publicKey: 'pub_test',
    timeoutMs: 500,
    waiting: { sleep: async () => void vi.advanceTimersByTime(300), elapsedMs: () => 0, random: () => 0 },
  })
  const refused = expect(malipo.transactions.verify('ORDER-2026-0001')).rejects.toMatchObject({
    kind: 'timeout',
    message: 'No complete reply within 500 ms',
  })
  await expect.poll(() => requests).toHaveLength(2)
  vi.advanceTimersByTime(200)
  await refused
})

test('jitter shortens a delay by up to a half, so that clients do not retry together', async () => {
  const { malipo, waits } = await gateway([down, down, success(200, { payout_banks: [] })], {
    waiting: { random: () => 0 },
  })
  await malipo.banks.list({ provider_code: 'bank_ng' })
  expect(waits).toEqual([250, 500])
})

test("the caller's signal ends a wait at once, with its own reason", async () => {
  const caller = new AbortController()
  const reason = new Error('the customer left')
  const { baseUrl, requests } = await recordingServer(refusal(429, 'slow', { 'retry-after': '20' }))
  const sleep: typeof realWaiting.sleep = (ms, signal) => {
    const waiting = realWaiting.sleep(ms, signal)
    caller.abort(reason)
    return waiting
  }
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', waiting: { sleep } })
  await expect(malipo.transactions.verify('ORDER-2026-0001', { signal: caller.signal })).rejects.toBe(reason)
  expect(requests).toHaveLength(1)
})

test('reaches a gateway again after its restart', async () => {
  const port = await freePort()
  const malipo = createMalipo({
    baseUrl: `http://127.0.0.1:${port}`,
    publicKey: 'pub_test',
    waiting: { sleep: () => recordingServerOn(port) },
  })
  expect(await malipo.banks.list({ provider_code: 'bank_ng' })).toEqual([])
})

async function recordingServerOn(port: number): Promise<void> {
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end('{"code":200,"status":"success","message":"done","data":{"payout_banks":[]}}'),
  ).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
}
