import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'
import type { WorkItem, WorkKind, WorkQueue } from '../actions/ports/work.ts'

/** Every kind, so that one without a backlog shows as 0. Whoever adds a kind is sent here by the compiler. */
export const WORK_KINDS = Object.keys({
  verifyPayout: true,
  holdFunds: true,
  submitToRail: true,
  askRail: true,
  findOrder: true,
  deliverCallback: true,
  expirePage: true,
  sendOtp: true,
  clearFunds: true,
  releaseReserve: true,
  readRailCallback: true,
} satisfies Record<WorkKind, true>) as readonly WorkKind[]

export interface WorkMetrics {
  instrumentWorkQueue(queue: WorkQueue): WorkQueue
  /** To be told of every run that failed; its work comes back when the lease ends. */
  readonly workFailed: (kind: WorkKind) => void
  /**
   * Reads the backlog anew. Rejects when the database does not answer in time; then the scrape shows no backlog instead
   * of an old one.
   */
  refreshBacklog(): Promise<void>
}

/** Work that runs, waits and failed, by its kind. */
export function workMetrics(registry: Registry, figures: Figures, clock: Clock): WorkMetrics {
  const registers = [registry]
  const claimed = new Counter({
    name: 'malipo_work_claimed_total',
    help: 'Items of work that this process claimed.',
    labelNames: ['kind'],
    registers,
  })
  const failures = new Counter({
    name: 'malipo_work_failures_total',
    help: 'Looks for work and runs that failed; what was claimed is done again when its lease ends.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of WORK_KINDS) {
    claimed.inc({ kind }, 0)
    failures.inc({ kind }, 0)
  }
  const readBacklog = backlogGauges(registers, figures, clock)
  let reading: Promise<void> | undefined
  return {
    instrumentWorkQueue(queue) {
      function counted(kind: WorkKind, items: readonly WorkItem[]): readonly WorkItem[] {
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
    // Scrapes at the same time share one query: however often somebody asks, the database gets one at a time.
    refreshBacklog: () =>
      (reading ??= readBacklog().finally(() => {
        reading = undefined
      })),
  }
}

const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/** @returns what reads them anew */
function backlogGauges(registers: Registry[], figures: Figures, clock: Clock): () => Promise<void> {
  const backlog = new Gauge({
    name: 'malipo_work_backlog_items',
    help: `Work that is due and that nobody has claimed; at most ${figures.backlogCountedMax} are counted. ${OF_DATABASE}`,
    labelNames: ['kind'],
    registers,
  })
  const oldest = new Gauge({
    name: 'malipo_work_oldest_due_seconds',
    help: `For how long the oldest unclaimed work has been due; 0 when nothing is due. ${OF_DATABASE}`,
    labelNames: ['kind'],
    registers,
  })
  const paidNotBooked = new Gauge({
    name: 'malipo_payments_paid_not_booked',
    help:
      'Payouts that the rail has paid, that are FAILED here and that nobody could book: an operator settles each. ' +
      OF_DATABASE,
    registers,
  })
  const putAside = new Gauge({
    name: 'malipo_work_put_aside_items',
    help: `Work whose last run failed and that waits for its next try. ${OF_DATABASE}`,
    registers,
  })
  return async () => {
    backlog.reset()
    oldest.reset()
    // An old number would say that nothing waits, or that something still does.
    paidNotBooked.remove()
    putAside.remove()
    const waiting = await figures.waitingForOperator()
    paidNotBooked.set(waiting.paidNotBooked)
    putAside.set(waiting.workPutAside)
    const now = clock.now()
    for (const { kind, items, oldestDueAt } of await figures.backlog(WORK_KINDS, now)) {
      backlog.set({ kind }, items)
      oldest.set({ kind }, oldestDueAt ? (now.getTime() - oldestDueAt.getTime()) / 1000 : 0)
    }
  }
}
