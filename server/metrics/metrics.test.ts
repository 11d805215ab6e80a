import { expect, test } from 'vitest'
import type { Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { Delivery } from '../actions/ports/delivery.ts'
import type { Rail, RailTraits } from '../actions/ports/rail.ts'
import { NO_METRICS } from './metrics.ts'
import { CANARY, figures, given, samples, store, order } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

const traitsOf = (): RailTraits => ({ repeat: 'safe', pollAfterMs: () => 1 })

test('requests count by operation and status, their time by operation', async () => {
  const { metrics } = given()
  metrics.answered('sendFunds', 202, 30)
  metrics.answered('sendFunds', 202, 600)
  metrics.answered('sendFunds', 503, 60_000)
  metrics.answered(undefined, 404, 1)
  const bucket = (operation: string, le: string) =>
    `malipo_http_request_duration_seconds_bucket{operation="${operation}",le="${le}"}`
  expect(await samples(metrics)).toMatchObject({
    'malipo_http_requests_total{operation="sendFunds",status="202"}': 2,
    'malipo_http_requests_total{operation="sendFunds",status="503"}': 1,
    'malipo_http_requests_total{operation="none",status="404"}': 1,
    [bucket('sendFunds', '0.025')]: 0,
    [bucket('sendFunds', '0.05')]: 1,
    [bucket('sendFunds', '1')]: 2,
    [bucket('sendFunds', '10')]: 2,
    [bucket('sendFunds', '+Inf')]: 3,
    [bucket('none', '0.001')]: 1, // a value equal to a bound belongs to that bucket
    'malipo_http_request_duration_seconds_sum{operation="sendFunds"}': expect.closeTo(60.63) as number,
  })
})

test('counts at most 101 operation names, whatever comes as a name', async () => {
  const { metrics } = given()
  for (let n = 0; n < 5_000; n += 1) metrics.answered(`/pay/${n}`, 200, 1)
  const families = await figures(metrics)
  expect(families.get('malipo_http_requests_total')!.samples).toHaveLength(101)
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'other', status: '200' })).toBe(4_900)
})

// It changes neither the result nor the error.
test('counts acceptances by result, even without a database; the wrapper changes none', async () => {
  const { metrics } = given()
  const answers: (() => Promise<'accepted' | 'duplicate_reference'>)[] = [
    async () => 'accepted',
    async () => 'duplicate_reference',
    async () => {
      throw new Error(CANARY)
    },
  ]
  const acceptance: Acceptance = metrics.instrumentAcceptance({ accept: () => answers.shift()!() })
  const transaction = { merchantReference: CANARY } as NewTransaction
  expect(await acceptance.accept(transaction)).toBe('accepted')
  expect(await acceptance.accept(transaction)).toBe('duplicate_reference')
  await expect(acceptance.accept(transaction)).rejects.toThrow(CANARY)
  metrics.acceptBatch(3)
  expect(await samples(metrics)).toMatchObject({
    'malipo_accepts_total{result="accepted"}': 1,
    'malipo_accepts_total{result="duplicate_reference"}': 1,
    'malipo_accepts_total{result="daily_limit_exceeded"}': 0,
    'malipo_accepts_total{result="error"}': 1,
    'malipo_accept_batch_size_bucket{le="2"}': 0,
    'malipo_accept_batch_size_bucket{le="4"}': 1,
    malipo_accept_batch_size_sum: 3,
  })
})

test("counts a rail's replies by result, and times each call", async () => {
  const { metrics } = given()
  const rail: Rail = metrics.instrumentRail({
    traitsOf,
    submit: async () => [{ answer: 'accepted' }, { answer: 'accepted' }, { answer: 'refused', reason: CANARY }],
    query: async () => {
      throw new Error(CANARY)
    },
  })
  expect(await rail.submit([order(1), order(2), order(3)])).toEqual([
    { answer: 'accepted' },
    { answer: 'accepted' },
    { answer: 'refused', reason: CANARY },
  ])
  await expect(rail.query([order(1), order(2)])).rejects.toThrow(CANARY)
  expect(await samples(metrics)).toMatchObject({
    'malipo_rail_answers_total{call="submit",answer="accepted"}': 2,
    'malipo_rail_answers_total{call="submit",answer="refused"}': 1,
    'malipo_rail_answers_total{call="submit",answer="unreachable"}': 0,
    'malipo_rail_answers_total{call="submit",answer="error"}': 0,
    'malipo_rail_answers_total{call="ask",answer="error"}': 2,
    'malipo_rail_call_duration_seconds_count{call="submit"}': 1,
    'malipo_rail_call_duration_seconds_count{call="ask"}': 1,
  })
})

test("counts handshakes by the merchant's reply", async () => {
  const { metrics } = given()
  for (const httpStatus of [200, 403, 500, 302, undefined]) {
    const delivery: Delivery = { durationMs: 40, replyExcerpt: CANARY, ...(httpStatus && { httpStatus }) }
    const handshakes = metrics.instrumentHandshakes({ request: async () => delivery })
    expect(
      await handshakes.request({
        transactionId: 1n,
        url: `https://${CANARY}.example`,
        webhookId: CANARY,
        merchantId: 1n,
        merchantReference: CANARY,
      }),
    ).toBe(delivery)
  }
  expect(await samples(metrics)).toMatchObject({
    'malipo_handshake_answers_total{answer="confirmed"}': 1,
    'malipo_handshake_answers_total{answer="refused"}': 1,
    'malipo_handshake_answers_total{answer="unanswered"}': 3,
    malipo_handshake_duration_seconds_count: 5,
  })
})

test('exports what runs and the use of the pool', async () => {
  const { metrics } = given()
  expect((await figures(metrics)).get('malipo_build_info')!.samples).toMatchObject([
    { labels: { role: 'all', mode: 'sandbox', node: process.version }, value: 1 },
  ])
  const { malipo_database_connections, malipo_database_connections_idle, ...others } = await samples(metrics)
  expect([malipo_database_connections, malipo_database_connections_idle]).toEqual([5, 3])
  expect(others['process_resident_memory_bytes']).toBeGreaterThan(1e6)
})

test('names follow the conventions, and each of our metrics has a description', async () => {
  for (const { name, type, help } of (await figures(given().metrics)).values()) {
    if (!name.startsWith('malipo_')) continue
    expect(name).toMatch(/^malipo_[a-z_]+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(help, name).toMatch(/^.{20,}\.$/)
  }
})

test('without metrics every port stays the same object', () => {
  const rail: Rail = { traitsOf, submit: async () => [], query: async () => [] }
  expect(NO_METRICS.instrumentRail(rail)).toBe(rail)
  expect(NO_METRICS.instrumentCallbacks(store)).toBe(store)
})
