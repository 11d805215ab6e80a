import { expect, test } from 'vitest'
import type { Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { Delivery } from '../actions/ports/delivery.ts'
import type { Rail, RailTraits } from '../actions/ports/rail.ts'
import { NO_METRICS } from './metrics.ts'
import { CANARY, figures, given, due, record, store, sender, order } from './testing/sample-metrics.ts'
import { parseExposition, valueOf } from './testing/test-exposition.ts'

const traitsOf = (): RailTraits => ({ repeat: 'safe', pollAfterMs: () => 1 })

test('requests count by operation and status, their time by operation', async () => {
  const { metrics } = given()
  metrics.answered('sendFunds', 202, 30)
  metrics.answered('sendFunds', 202, 600)
  metrics.answered('sendFunds', 503, 60_000)
  metrics.answered(undefined, 404, 1)
  const families = await figures(metrics)
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'sendFunds', status: '202' })).toBe(2)
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'sendFunds', status: '503' })).toBe(1)
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'none', status: '404' })).toBe(1)
  const bucket = (operation: string, le: string) =>
    valueOf(families, 'malipo_http_request_duration_seconds_bucket', { operation, le })
  expect([
    bucket('sendFunds', '0.025'),
    bucket('sendFunds', '0.05'),
    bucket('sendFunds', '1'),
    bucket('sendFunds', '10'),
    bucket('sendFunds', '+Inf'),
  ]).toEqual([0, 1, 2, 2, 3])
  expect(bucket('none', '0.001')).toBe(1) // a value equal to a bound belongs to that bucket
  expect(valueOf(families, 'malipo_http_request_duration_seconds_sum', { operation: 'sendFunds' })).toBeCloseTo(60.63)
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
  const families = await figures(metrics)
  const total = (result: string) => valueOf(families, 'malipo_accepts_total', { result })
  expect([total('accepted'), total('duplicate_reference'), total('daily_limit_exceeded'), total('error')]).toEqual([
    1, 1, 0, 1,
  ])
  expect([
    valueOf(families, 'malipo_accept_batch_size_bucket', { le: '2' }),
    valueOf(families, 'malipo_accept_batch_size_bucket', { le: '4' }),
    valueOf(families, 'malipo_accept_batch_size_sum'),
  ]).toEqual([0, 1, 3])
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
  const families = await figures(metrics)
  const answers = (call: string, answer: string) => valueOf(families, 'malipo_rail_answers_total', { call, answer })
  expect([
    answers('submit', 'accepted'),
    answers('submit', 'refused'),
    answers('submit', 'unreachable'),
    answers('submit', 'error'),
    answers('ask', 'error'),
  ]).toEqual([2, 1, 0, 0, 2])
  expect(valueOf(families, 'malipo_rail_call_duration_seconds_count', { call: 'submit' })).toBe(1)
  expect(valueOf(families, 'malipo_rail_call_duration_seconds_count', { call: 'ask' })).toBe(1)
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
  const text = await metrics.scrape()
  const families = parseExposition(text)
  expect(
    ['confirmed', 'refused', 'unanswered'].map((answer) =>
      valueOf(families, 'malipo_handshake_answers_total', { answer }),
    ),
  ).toEqual([1, 1, 3])
  expect(valueOf(families, 'malipo_handshake_duration_seconds_count')).toBe(5)
  expect(text).not.toContain(CANARY)
})

test('exports what runs and the use of the pool', async () => {
  const families = await figures(given().metrics)
  expect(families.get('malipo_build_info')!.samples).toMatchObject([
    { labels: { role: 'all', mode: 'sandbox', node: process.version }, value: 1 },
  ])
  expect(['', '_idle'].map((name) => valueOf(families, `malipo_database_connections${name}`))).toEqual([5, 3])
  expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('names follow the conventions, and each of our metrics has a description', async () => {
  for (const { name, type, help } of (await figures(given().metrics)).values()) {
    if (!name.startsWith('malipo_')) continue
    expect(name).toMatch(/^malipo_[a-z_]+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(help, name).toMatch(/^.{20,}\.$/)
  }
})

test('no text of an order, a callback or an error comes into the metrics', async () => {
  const { metrics } = given({
    backlog: async () => {
      throw new Error(CANARY)
    },
    checkLedger: async () => {
      throw new Error(CANARY)
    },
  })
  const rail = metrics.instrumentRail({
    traitsOf,
    submit: async () => [
      { answer: 'refused', reason: CANARY },
      { answer: 'unreachable', error: CANARY },
    ],
    query: async () => [{ knows: 'unreachable', error: CANARY }],
  })
  await rail.submit([order(1), order(2)])
  await rail.query([order(1)])
  await (
    await metrics
      .instrumentSender(sender({ durationMs: 5, error: CANARY, replyExcerpt: CANARY }))
      .prepare(due({ createdAt: new Date(0) }))
  )()
  await metrics.instrumentCallbacks(store).record(record({ step: 'stopped', why: CANARY }))
  await metrics
    .instrumentAcceptance({ accept: async () => 'accepted' })
    .accept({ merchantReference: CANARY, internalReference: CANARY, account: CANARY } as NewTransaction)
  await metrics.checkLedger().catch(() => undefined)
  const text = await metrics.scrape()
  expect(text).toContain('malipo_rail_answers_total{call="submit",answer="unreachable"} 1')
  expect(text).not.toContain(CANARY)
})

test('without metrics every port stays the same object', () => {
  const rail: Rail = { traitsOf, submit: async () => [], query: async () => [] }
  expect(NO_METRICS.instrumentRail(rail)).toBe(rail)
  expect(NO_METRICS.instrumentCallbacks(store)).toBe(store)
})

test('the oldest transfer outside the hash chain has age 0 when all are in it', async () => {
  const { clock, metrics } = given({ oldestUnchained: async () => new Date(clock.now().getTime() - 90_000) })
  expect(valueOf(await figures(metrics), 'malipo_ledger_unchained_seconds')).toBe(90)
  expect(valueOf(await figures(given().metrics), 'malipo_ledger_unchained_seconds')).toBe(0)
})
