import { expect, expectTypeOf, test } from 'vitest'
import { createMalipo, type FinalTransaction, type Malipo, type WaitOptions } from './index.ts'
import { recordingServer, refusal, success, type AnswerRequest } from './testing/recording-server.ts'
import { sampleCallbacks } from './testing.ts'
import { realWaiting } from './waiting.ts'

const final = sampleCallbacks['collection.completed'].payload
const pending = success(200, { ...final, transaction_status: 'PENDING' })
const processing = success(200, { ...final, transaction_status: 'PROCESSING' })
const completed = success(200, final)

async function gateway(answers: readonly AnswerRequest[]) {
  const left = [...answers]
  // The last reply repeats for ever.
  const { baseUrl, requests } = await recordingServer((response, request) =>
    (left.length > 1 ? left.shift()! : left[0]!)(response, request),
  )
  const waits: number[] = []
  let elapsed = 0
  const malipo = createMalipo({
    baseUrl,
    publicKey: 'pub_test',
    waiting: { random: () => 1, elapsedMs: () => elapsed, sleep: async (ms) => void (waits.push(ms), (elapsed += ms)) },
  })
  const wait = (options?: WaitOptions) => malipo.transactions.waitUntilFinal('ORDER-2026-0001', options)
  return { malipo, requests, waits, wait }
}

test('polls until the transaction is final, and returns it', async () => {
  const { requests, wait, waits } = await gateway([pending, processing, processing, completed])
  expect(await wait()).toEqual(final)
  expect(requests.map(({ url }) => url)).toEqual(Array(4).fill('/data/transaction/verify/ORDER-2026-0001'))
  expect(waits).toEqual([1000, 1500, 2250])
})

test.each(['collection.failed', 'collection.cancelled', 'payout.completed', 'payout.failed'] as const)(
  '%s is final',
  async (kind) => {
    const { payload } = sampleCallbacks[kind]
    const { wait, requests } = await gateway([success(200, payload)])
    expect(await wait()).toEqual(payload)
    expect(requests).toHaveLength(1)
  },
)

test('the delays grow up to 15 seconds', async () => {
  const { wait, waits } = await gateway([...Array<AnswerRequest>(12).fill(pending), completed])
  await wait()
  expect(waits.slice(-4)).toEqual([15_000, 15_000, 15_000, 15_000])
})

test('survives temporary errors, and sends each poll once', async () => {
  const { wait, requests, waits } = await gateway([
    refusal(503, 'soon', { 'retry-after': '20' }),
    (response) => void response.destroy(),
    refusal(429, 'slow'),
    completed,
  ])
  expect(await wait()).toEqual(final)
  expect(requests).toHaveLength(4)
  expect(waits).toEqual([20_000, 1500, 2250])
})

test.each([
  [404, 'not_found'],
  [401, 'authentication'],
  [400, 'validation'],
])('stops at HTTP %i: no later attempt helps', async (status, kind) => {
  const { wait, requests } = await gateway([pending, refusal(status, 'no')])
  await expect(wait()).rejects.toMatchObject({ kind, status })
  expect(requests).toHaveLength(2)
})

test("rejects after the time limit with the transaction's status", async () => {
  const { wait, waits } = await gateway([pending, processing])
  await expect(wait({ timeoutMs: 10_000 })).rejects.toMatchObject({
    name: 'MalipoError',
    kind: 'timeout',
    retryable: true,
    message: 'Not final within 10000 ms (PROCESSING): it may still become so',
  })
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10_000)
  await expect(wait({ timeoutMs: 0 })).rejects.toThrow(RangeError)
})

test('waits five minutes without a time limit', async () => {
  const { wait, waits } = await gateway([processing])
  await expect(wait()).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('300000 ms') as string,
  })
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(285_000)
})

test("the caller's signal ends it with its own reason, also between two polls", async () => {
  const reason = new Error('enough')
  const caller = new AbortController()
  const { baseUrl } = await recordingServer(pending)
  const sleep: typeof realWaiting.sleep = (_ms, signal) => {
    const waiting = realWaiting.sleep(60_000, signal)
    caller.abort(reason)
    return waiting
  }
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', waiting: { sleep } })
  await expect(malipo.transactions.waitUntilFinal('ORDER-2026-0001', { signal: caller.signal })).rejects.toBe(reason)
  await expect(
    malipo.transactions.waitUntilFinal('ORDER-2026-0001', { signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason)
})

test('its type has no open status', () => {
  expectTypeOf<Malipo['transactions']['waitUntilFinal']>().returns.resolves.toEqualTypeOf<FinalTransaction>()
  expectTypeOf<FinalTransaction['transaction_status']>().toEqualTypeOf<'COMPLETED' | 'FAILED' | 'CANCELLED'>()
})
