import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'
import type { Job, JobKind, JobStore } from '../actions/ports/jobs.ts'
import { OF_DATABASE } from './database-figures.ts'

/** Every kind, so that one without a backlog is reported as 0. The compiler requires an entry for each new kind. */
export const WORK_KINDS = Object.keys({
  verifyPayout: true,
  holdFunds: true,
  submitToRail: true,
  pollRail: true,
  resolveUnknownOutcome: true,
  deliverCallback: true,
  expirePage: true,
  expireExpected: true,
  expireApproval: true,
  verifyBatch: true,
  finishBatch: true,
  sendOtp: true,
  clearFunds: true,
  releaseReserve: true,
  readRailCallback: true,
  readAccountMessage: true,
  holdRefund: true,
  submitRefund: true,
  pollRefund: true,
  resolveRefund: true,
} satisfies Record<JobKind, true>) as readonly JobKind[]

export interface JobMetrics {
  instrumentJobStore(queue: JobStore): JobStore
  /** Called for every failed run; its jobs become due again when the lease ends. */
  readonly workFailed: (kind: JobKind) => void
  /**
   * Refreshes the backlog. Rejects when the database does not answer in time; then the scrape omits the backlog
   * instead of reporting an old one.
   */
  refreshBacklog(): Promise<void>
}

/** Running, waiting and failed jobs, by kind. */
export function jobMetrics(registry: Registry, figures: Figures, clock: Clock): JobMetrics {
  const registers = [registry]
  const claimed = new Counter({
    name: 'malipo_jobs_claimed_total',
    help: 'Jobs that this process claimed.',
    labelNames: ['kind'],
    registers,
  })
  const failures = new Counter({
    name: 'malipo_job_failures_total',
    help: 'Failed polls and runs of jobs; claimed jobs are run again when their lease ends.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of WORK_KINDS) {
    claimed.inc({ kind }, 0)
    failures.inc({ kind }, 0)
  }
  return {
    instrumentJobStore(queue) {
      function counted(kind: JobKind, items: readonly Job[]): readonly Job[] {
        if (items.length > 0) claimed.inc({ kind }, items.length)
        return items
      }
      return {
        ...queue,
        claim: async (kind, ...how) => counted(kind, await queue.claim(kind, ...how)),
        claimFairly: async (kind, ...how) => counted(kind, await queue.claimFairly(kind, ...how)),
      }
    },
    workFailed: (kind) => failures.inc({ kind }),
    refreshBacklog: backlogGauges(registers, figures, clock),
  }
}

/** @returns a function that refreshes the gauges */
function backlogGauges(registers: Registry[], figures: Figures, clock: Clock): () => Promise<void> {
  const backlog = new Gauge({
    name: 'malipo_jobs_backlog',
    help: `Work that is due and that nobody has claimed; at most ${figures.backlogCountedMax} are counted. ${OF_DATABASE}`,
    labelNames: ['kind'],
    registers,
  })
  const oldest = new Gauge({
    name: 'malipo_jobs_oldest_due_seconds',
    help: `For how long the oldest unclaimed work has been due; 0 when nothing is due. ${OF_DATABASE}`,
    labelNames: ['kind'],
    registers,
  })
  const paidNotBooked = new Gauge({
    name: 'malipo_payments_paid_not_booked',
    help:
      'Payouts that the rail has paid, that are FAILED here and that nobody could book: staff settle each. ' +
      OF_DATABASE,
    registers,
  })
  const quarantined = new Gauge({
    name: 'malipo_jobs_quarantined',
    help: `Work whose last run failed and that waits for its next try. ${OF_DATABASE}`,
    registers,
  })
  return async () => {
    backlog.reset()
    oldest.reset()
    // A stale number would claim that nothing waits, or that something still does.
    paidNotBooked.remove()
    quarantined.remove()
    const waiting = await figures.waitingForOperator()
    paidNotBooked.set(waiting.paidNotBooked)
    quarantined.set(waiting.quarantinedJobs)
    const now = clock.now()
    for (const { kind, items, oldestDueAt } of await figures.backlog(WORK_KINDS, now)) {
      backlog.set({ kind }, items)
      oldest.set({ kind }, oldestDueAt ? (now.getTime() - oldestDueAt.getTime()) / 1000 : 0)
    }
  }
}
