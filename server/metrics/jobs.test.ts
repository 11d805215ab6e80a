import { expect, test } from 'vitest'
import { CANARY, figures, given, item } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

test('counts jobs by kind when they are claimed and when they fail', async () => {
  const { metrics } = given()
  const queue = metrics.instrumentJobStore({
    claim: async (kind) => (kind === 'pollRail' ? [] : [item, item]),
    nextDue: async () => new Map(),
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
  const families = await figures(metrics)
  expect([
    valueOf(families, 'malipo_jobs_claimed_total', { kind: 'deliverCallback' }),
    valueOf(families, 'malipo_jobs_claimed_total', { kind: 'pollRail' }),
  ]).toEqual([2, 0])
  expect([
    valueOf(families, 'malipo_job_failures_total', { kind: 'deliverCallback' }),
    valueOf(families, 'malipo_job_failures_total', { kind: 'pollRail' }),
  ]).toEqual([0, 1])
})

test('shows what waits for an operator as long as it waits', async () => {
  const { metrics } = given({ waitingForOperator: async () => ({ paidNotBooked: 2, quarantinedJobs: 3 }) })
  const families = await figures(metrics)
  expect([valueOf(families, 'malipo_payments_paid_not_booked'), valueOf(families, 'malipo_jobs_quarantined')]).toEqual([
    2, 3,
  ])
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
  const well = await figures(metrics)
  expect([
    valueOf(well, 'malipo_jobs_backlog', { kind: 'pollRail' }),
    valueOf(well, 'malipo_jobs_oldest_due_seconds', { kind: 'pollRail' }),
    valueOf(well, 'malipo_jobs_oldest_due_seconds', { kind: 'submitToRail' }),
  ]).toEqual([3, 4, 0])
  expect(valueOf(well, 'malipo_scrape_errors_total')).toBe(0)
  isAway = true
  const away = await figures(metrics)
  expect(valueOf(away, 'malipo_scrape_errors_total')).toBe(1)
  expect([away.get('malipo_jobs_backlog')!.samples, away.get('malipo_jobs_oldest_due_seconds')!.samples]).toEqual([
    [],
    [],
  ])
  expect(valueOf(away, 'malipo_database_connection_waiters')).toBe(2)
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
  const [first] = await Promise.all([figures(metrics), figures(metrics), figures(metrics)])
  await figures(metrics)
  expect(requested).toBe(1)
  expect(valueOf(await figures(metrics), 'malipo_scrape_errors_total')).toBe(5)
  expect(first.get('malipo_jobs_backlog')!.samples).toEqual([])
})
