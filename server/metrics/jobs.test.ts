import { expect, test } from 'vitest'
import { CANARY, given, item, samples } from './testing/sample-metrics.ts'

test('counts jobs by kind when they are claimed and when they fail', async () => {
  const { metrics } = given()
  const queue = metrics.instrumentJobStore({
    claim: async (kind) => (kind === 'pollRail' ? [] : [item, item]),
    nextDue: async () => new Map(),
    nextDueFor: async () => undefined,
    claimFairly: async () => [item],
    renew: async () => {},
    release: async () => {},
    releaseClaim: async () => {},
    quarantine: async () => {},
  })
  const claim = { token: '1'.repeat(32), now: new Date(0), leaseUntil: new Date(0) }
  expect(await queue.claim('deliverCallback', claim, 10)).toEqual([item, item])
  expect(await queue.claim('pollRail', claim, 10)).toEqual([])
  metrics.workFailed('pollRail')
  expect(await samples(metrics)).toMatchObject({
    'malipo_jobs_claimed_total{kind="deliverCallback"}': 2,
    'malipo_jobs_claimed_total{kind="pollRail"}': 0,
    'malipo_job_failures_total{kind="deliverCallback"}': 0,
    'malipo_job_failures_total{kind="pollRail"}': 1,
  })
})

test('shows what waits for an operator as long as it waits', async () => {
  const { metrics } = given({ waitingForOperator: async () => ({ paidNotBooked: 2, quarantinedJobs: 3 }) })
  expect(await samples(metrics)).toMatchObject({ malipo_payments_paid_not_booked: 2, malipo_jobs_quarantined: 3 })
})

test('a failing database costs only the backlog, and the same scrape counts it', async () => {
  let isAway = true
  const { metrics } = given({
    backlog: async (_kinds, now) => {
      if (isAway) throw new Error(CANARY)
      return [
        { kind: 'pollRail', items: 3, oldestDueAt: new Date(now.getTime() - 4_000) },
        { kind: 'submitToRail', items: 0, oldestDueAt: null },
      ]
    },
  })
  isAway = false
  expect(await samples(metrics)).toMatchObject({
    'malipo_jobs_backlog{kind="pollRail"}': 3,
    'malipo_jobs_oldest_due_seconds{kind="pollRail"}': 4,
    'malipo_jobs_oldest_due_seconds{kind="submitToRail"}': 0,
    malipo_scrape_errors_total: 0,
  })
  isAway = true
  const away = await samples(metrics)
  expect(away).toMatchObject({ malipo_scrape_errors_total: 1, malipo_database_connection_waiters: 2 })
  expect(Object.keys(away).filter((name) => /^malipo_jobs_(backlog|oldest)/.test(name))).toEqual([])
})

test('an unresponsive database delays a scrape briefly; other scrapes do not query it', async () => {
  let requested = 0
  const { metrics } = given(
    {
      backlog: () => {
        requested += 1
        return new Promise(() => undefined)
      },
    },
    { backlogWaitMs: 5 },
  )
  const [first] = await Promise.all([samples(metrics), samples(metrics), samples(metrics)])
  await samples(metrics)
  expect(requested).toBe(1)
  expect(await samples(metrics)).toMatchObject({ malipo_scrape_errors_total: 5 })
  expect(first).not.toHaveProperty(['malipo_jobs_backlog{kind="pollRail"}'])
})
