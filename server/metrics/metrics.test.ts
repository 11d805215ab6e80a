import { expect, test } from 'vitest'
import type { Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { CallbackStore, DeliveryRecord, DueCallback } from '../actions/ports/callbacks.ts'
import type { CallbackSender, Delivery } from '../actions/ports/delivery.ts'
import type { Figures, LedgerFindings } from '../actions/ports/figures.ts'
import type { Rail, RailOrder } from '../actions/ports/rail.ts'
import type { WorkItem } from '../actions/ports/work.ts'
import { fixedClock } from '../testing/gateway.ts'
import { createMetrics, NO_METRICS, type Metrics } from './metrics.ts'
import { parseExposition, valueOf } from './testing/test-exposition.ts'

const CANARY = 'canary-7f3a'

const figures = async (metrics: Metrics) => parseExposition(await metrics.scrape())

const fakeFigures = (more: Partial<Figures> = {}): Figures => ({
  connections: () => ({ open: 5, idle: 3, waiting: 2 }),
  backlogCountedMax: 10_000,
  backlog: async () => [],
  waitingForOperator: async () => ({ paidNotBooked: 0, workPutAside: 0 }),
  sumLedger: async () => ({ accountsOff: 0, currenciesOff: 0 }),
  ...more,
})

function given(asked: Partial<Figures> = {}, more: { readonly backlogWaitMs?: number } = {}) {
  const clock = fixedClock()
  return {
    clock,
    metrics: createMetrics({ clock, figures: fakeFigures(asked), role: 'all', mode: 'sandbox', ...more }),
  }
}

const item: WorkItem = {
  id: 1n,
  kind: 'deliverCallback',
  subjectId: 7n,
  attempt: 1,
  token: '0'.repeat(32),
  failures: 0,
}
const due = (more: object = {}): DueCallback => ({
  id: 7n,
  webhookId: `msg_${CANARY}`,
  transactionId: 9n,
  merchantId: 1n,
  event: 'transaction.completed',
  url: `https://${CANARY}.example/`,
  body: CANARY,
  attempts: 0,
  attemptsBefore: 0,
  resends: 0,
  status: 'PENDING',
  hadUrl: true,
  signed: { merchantReference: CANARY, internalReference: CANARY, type: 'COLLECTION', status: 'COMPLETED' },
  account: CANARY,
  createdAt: new Date(0),
  ...more,
})
const record = (next: DeliveryRecord['next']): DeliveryRecord => ({
  item,
  callback: due(),
  attempt: { at: new Date(0), url: `https://${CANARY}.example/`, durationMs: 5, error: CANARY },
  next,
})
const store: CallbackStore = {
  load: async () => [due()],
  record: async () => undefined,
  postpone: async () => undefined,
  withhold: async () => undefined,
}
const sender = (delivery: Delivery): CallbackSender => ({ prepare: async () => async () => delivery })
const order = (n: number): RailOrder => ({
  internalReference: `${CANARY}-${n}`,
  type: 'COLLECTION',
  providerCode: CANARY,
  account: CANARY,
  amount: { amountMinor: 5n, currency: 'TZS' },
})

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
  expect(bucket('none', '0.001')).toBe(1) // a bound belongs to its bucket
  expect(valueOf(families, 'malipo_http_request_duration_seconds_sum', { operation: 'sendFunds' })).toBeCloseTo(60.63)
})

test('whatever comes as the name of an operation, there are at most 101 of them', async () => {
  const { metrics } = given()
  for (let n = 0; n < 5_000; n += 1) metrics.answered(`/pay/${n}`, 200, 1)
  const families = await figures(metrics)
  expect(families.get('malipo_http_requests_total')!.samples).toHaveLength(101)
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'other', status: '200' })).toBe(4_900)
})

test('acceptances count by result, a database that is away included, and the wrapper changes neither result nor error', async () => {
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

test('a rail counts by what it says of each order, and each call is timed', async () => {
  const { metrics } = given()
  const rail: Rail = metrics.instrumentRail({
    submit: async () => [{ answer: 'accepted' }, { answer: 'accepted' }, { answer: 'refused', reason: CANARY }],
    ask: async () => {
      throw new Error(CANARY)
    },
  })
  expect(await rail.submit([order(1), order(2), order(3)])).toEqual([
    { answer: 'accepted' },
    { answer: 'accepted' },
    { answer: 'refused', reason: CANARY },
  ])
  await expect(rail.ask([order(1), order(2)])).rejects.toThrow(CANARY)
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

test('callbacks count by outcome once that is stored', async () => {
  const { metrics } = given()
  const callbacks = metrics.instrumentCallbacks(store)
  await callbacks.record(record({ step: 'delivered' }))
  await callbacks.record(record({ step: 'retry', afterMs: 5_000 }))
  await callbacks.record(record({ step: 'retry', afterMs: 5_000 }))
  await callbacks.record(record({ step: 'stopped', why: CANARY }))
  await callbacks.postpone(item, new Date(0))
  await expect(
    metrics
      .instrumentCallbacks({
        ...store,
        record: async () => {
          throw new Error(CANARY)
        },
      })
      .record(record({ step: 'delivered' })),
  ).rejects.toThrow(CANARY)
  expect(await callbacks.load([item])).toHaveLength(1)
  const families = await figures(metrics)
  expect(
    ['delivered', 'retried', 'stopped', 'postponed'].map((outcome) =>
      valueOf(families, 'malipo_callbacks_total', { outcome }),
    ),
  ).toEqual([1, 2, 1, 1])
})

test('a callback that waits for its merchant to have a URL counts as nothing, and its delay is not ours', async () => {
  const { metrics, clock } = given()
  const createdAt = clock.now()
  await metrics.instrumentCallbacks(store).withhold(item, due({ createdAt, hadUrl: false, url: '' }), clock.now())
  clock.advance(7 * 24 * 60 * 60_000)
  await (
    await metrics
      .instrumentSender(sender({ durationMs: 80, httpStatus: 200 }))
      .prepare(due({ createdAt, hadUrl: false }))
  )()
  const families = await figures(metrics)
  expect(
    ['delivered', 'retried', 'stopped', 'postponed'].map((outcome) =>
      valueOf(families, 'malipo_callbacks_total', { outcome }),
    ),
  ).toEqual([0, 0, 0, 0])
  expect(valueOf(families, 'malipo_callback_delay_seconds_count')).toBe(0)
})

test('the delay of a callback is measured at its first attempt only, and is never negative', async () => {
  const { metrics, clock } = given()
  const instrumented = metrics.instrumentSender(sender({ durationMs: 80, httpStatus: 200 }))
  const send = async (callback: DueCallback) => (await instrumented.prepare(callback))()
  const createdAt = clock.now()
  clock.advance(2_000)
  expect(await send(due({ createdAt }))).toEqual({ durationMs: 80, httpStatus: 200 })
  await send(due({ createdAt, attempts: 1 }))
  await send(due({ createdAt: new Date(clock.now().getTime() + 50) }))
  const families = await figures(metrics)
  expect(valueOf(families, 'malipo_callback_delay_seconds_count')).toBe(2)
  expect(valueOf(families, 'malipo_callback_delay_seconds_sum')).toBe(2)
  expect(valueOf(families, 'malipo_callback_request_duration_seconds_count')).toBe(3)
})

test('handshakes count by what the merchant answered', async () => {
  const { metrics } = given()
  for (const httpStatus of [200, 403, 500, 302, undefined]) {
    const delivery: Delivery = { durationMs: 40, replyExcerpt: CANARY, ...(httpStatus && { httpStatus }) }
    const handshakes = metrics.instrumentHandshakes({ ask: async () => delivery })
    expect(
      await handshakes.ask({
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

test('work counts by kind when it is claimed and when it fails', async () => {
  const { metrics } = given()
  const queue = metrics.instrumentWorkQueue({
    claim: async (kind) => (kind === 'askRail' ? [] : [item, item]),
    release: async () => {},
    releaseClaim: async () => {},
    putAside: async () => {},
  })
  const claim = { token: '1'.repeat(32), now: new Date(0), leaseUntil: new Date(0) }
  expect(await queue.claim('deliverCallback', claim, 10)).toEqual([item, item])
  expect(await queue.claim('askRail', claim, 10)).toEqual([])
  metrics.workFailed('askRail')
  const families = await figures(metrics)
  expect([
    valueOf(families, 'malipo_work_claimed_total', { kind: 'deliverCallback' }),
    valueOf(families, 'malipo_work_claimed_total', { kind: 'askRail' }),
  ]).toEqual([2, 0])
  expect([
    valueOf(families, 'malipo_work_failures_total', { kind: 'deliverCallback' }),
    valueOf(families, 'malipo_work_failures_total', { kind: 'askRail' }),
  ]).toEqual([0, 1])
})

test('what waits for an operator shows as long as it waits', async () => {
  const { metrics } = given({ waitingForOperator: async () => ({ paidNotBooked: 2, workPutAside: 3 }) })
  const families = await figures(metrics)
  expect([
    valueOf(families, 'malipo_payments_paid_not_booked'),
    valueOf(families, 'malipo_work_put_aside_items'),
  ]).toEqual([2, 3])
})

test('a database that fails costs the backlog and nothing else, and is counted in the same scrape', async () => {
  let isAway = true
  const { metrics } = given({
    backlog: async (_kinds, now) => {
      if (isAway) throw new Error(CANARY)
      return [
        { kind: 'askRail', items: 3, oldestDueAt: new Date(now.getTime() - 4_000) },
        { kind: 'submitToRail', items: 0, oldestDueAt: null },
      ]
    },
  })
  isAway = false
  const well = await figures(metrics)
  expect([
    valueOf(well, 'malipo_work_backlog_items', { kind: 'askRail' }),
    valueOf(well, 'malipo_work_oldest_due_seconds', { kind: 'askRail' }),
    valueOf(well, 'malipo_work_oldest_due_seconds', { kind: 'submitToRail' }),
  ]).toEqual([3, 4, 0])
  expect(valueOf(well, 'malipo_scrape_errors_total')).toBe(0)
  isAway = true
  const away = await figures(metrics)
  expect(valueOf(away, 'malipo_scrape_errors_total')).toBe(1)
  expect([away.get('malipo_work_backlog_items')!.samples, away.get('malipo_work_oldest_due_seconds')!.samples]).toEqual(
    [[], []],
  )
  expect(valueOf(away, 'malipo_database_connection_waiters')).toBe(2)
})

test('a database that does not answer at all delays a scrape by a bounded time, and scrapes meanwhile do not ask again', async () => {
  let asked = 0
  const { metrics } = given(
    {
      backlog: () => {
        asked += 1
        return new Promise(() => undefined)
      },
    },
    { backlogWaitMs: 5 },
  )
  const [first] = await Promise.all([figures(metrics), figures(metrics), figures(metrics)])
  await figures(metrics)
  expect(asked).toBe(1)
  expect(valueOf(await figures(metrics), 'malipo_scrape_errors_total')).toBe(5)
  expect(first.get('malipo_work_backlog_items')!.samples).toEqual([])
})

test('the ledger is never summed by a scrape; before the first check there is no figure, a failed check keeps the last one', async () => {
  let sums = 0
  let findings: LedgerFindings | undefined = { accountsOff: 0, currenciesOff: 0 }
  const { metrics, clock } = given({
    sumLedger: async () => {
      sums += 1
      if (!findings) throw new Error(CANARY)
      return findings
    },
  })
  const before = await figures(metrics)
  expect(sums).toBe(0)
  expect(before.get('malipo_ledger_balanced')!.samples).toEqual([])
  await metrics.checkLedger()
  clock.advance(90_000)
  const good = await figures(metrics)
  expect([
    valueOf(good, 'malipo_ledger_balanced'),
    valueOf(good, 'malipo_ledger_check_age_seconds'),
    valueOf(good, 'malipo_ledger_accounts_off'),
  ]).toEqual([1, 90, 0])
  findings = undefined
  await expect(metrics.checkLedger()).rejects.toThrow(CANARY)
  const failed = await figures(metrics)
  expect([
    valueOf(failed, 'malipo_ledger_balanced'),
    valueOf(failed, 'malipo_ledger_check_age_seconds'),
    valueOf(failed, 'malipo_ledger_check_failures_total'),
  ]).toEqual([1, 90, 1])
  findings = { accountsOff: 2, currenciesOff: 1 }
  await metrics.checkLedger()
  const wrong = await figures(metrics)
  expect(
    ['balanced', 'check_age_seconds', 'accounts_off', 'currencies_off'].map((name) =>
      valueOf(wrong, `malipo_ledger_${name}`),
    ),
  ).toEqual([0, 0, 2, 1])
})

test('what runs and the use of the pool are told', async () => {
  const families = await figures(given().metrics)
  expect(families.get('malipo_build_info')!.samples).toMatchObject([
    { labels: { role: 'all', mode: 'sandbox', node: process.version }, value: 1 },
  ])
  expect(['', '_idle'].map((name) => valueOf(families, `malipo_database_connections${name}`))).toEqual([5, 3])
  expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('names follow the conventions, and every metric of ours explains itself', async () => {
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
    sumLedger: async () => {
      throw new Error(CANARY)
    },
  })
  const rail = metrics.instrumentRail({
    submit: async () => [
      { answer: 'refused', reason: CANARY },
      { answer: 'unreachable', error: CANARY },
    ],
    ask: async () => [{ knows: 'unreachable', error: CANARY }],
  })
  await rail.submit([order(1), order(2)])
  await rail.ask([order(1)])
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

test('without metrics every port stays the very same object', () => {
  const rail: Rail = { submit: async () => [], ask: async () => [] }
  expect(NO_METRICS.instrumentRail(rail)).toBe(rail)
  expect(NO_METRICS.instrumentCallbacks(store)).toBe(store)
})
