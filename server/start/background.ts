import { COUNT_DAYS_MS, countDays } from '../admin/queries/day-figures.ts'
import { LEDGER_CHECK_MS } from '../metrics/ledger.ts'
import type { VirtualClock } from '../local/sandbox/virtual-clock.ts'
import type { Admission } from '../http/admission.ts'
import { removeExpired } from '../storage/housekeeping.ts'
import { CHAIN_MS, createChaining } from '../storage/ledger-chain.ts'
import { createIndexing, INDEX_MS } from '../storage/search.ts'
import { NUMBERING_MS, numberEvents } from '../storage/merchant-events.ts'
import { readQueueDelay, SEEN_EVERY_MS } from '../storage/processes.ts'
import { SPOOL_POLL_MS } from '../message-spool/message-spool.ts'
import { REFRESH_MS, type LiveReferenceData } from '../storage/reference-data.ts'
import { repeat } from './repeat.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import type { OpenSpool } from './message-spool.ts'
import { watchBalances } from './rail-balances.ts'
import { createOutageWatch } from './outages.ts'
import type { JobRunner } from './jobs.ts'
import type { ConnectedRails } from './rails.ts'

/** Clocks drift by milliseconds a day; a machine that was suspended must not be wrong for long. */
const CLOCK_SYNC_MS = 1_000
const HOUSEKEEPING_MS = 10 * 60_000
const REPORT_POLL_MS = 50
const REPORT_PASSED_OVER_MAX = 10
/** Half of what the workers need to note a delay. */
const DELAY_POLL_MS = 250
const OUTAGE_POLL_MS = 1_000
/** Soon after a rail account is connected: the opening balance is what the operator holds before our first payment. */
const BALANCE_POLL_MS = 10_000

interface BackgroundParts extends Pick<Core, 'reference' | 'scenarios'> {
  readonly rails: ConnectedRails
  readonly spool: OpenSpool
  /** Whether this process runs jobs. */
  readonly works: boolean
  readonly jobs: Pick<JobRunner, 'pause' | 'resume' | 'isPaused'>
  /** Absent: a worker. */
  readonly http: { readonly admission: Admission } | undefined
}

/**
 * Starts the recurring tasks beside the jobs: some in every process, others only in processes that run jobs.
 * @returns a function that stops them
 */
export function startBackground(
  foundation: Foundation,
  { reference, scenarios, rails, spool, works, jobs, http }: BackgroundParts,
): () => Promise<void> {
  const { config, sandbox, pool, clock, digests, metrics, ownProcess, logError } = foundation
  const { virtualClock } = foundation
  const every = (ms: number, what: string, action: () => Promise<unknown>) =>
    repeat(ms, action, (error) => logError(error, what))
  const follow = pausing(jobs)
  const ends = [
    every(REFRESH_MS, 'refreshing reference data', () => reference.refresh()),
    every(SEEN_EVERY_MS, 'recording that this process runs', () => ownProcess.renew(pool)),
    every(SPOOL_POLL_MS, 'storing spooled messages', spool.poll),
    every(CLOCK_SYNC_MS, "reading the database's clock", async () => {
      await clock.sync()
      if (virtualClock) follow(virtualClock)
      await scenarios?.refresh()
    }),
  ]
  if (foundation.surroundings.runJobs) ends.push(every(HOUSEKEEPING_MS, 'making months', foundation.months.keep))
  if (works) ends.push(every(HOUSEKEEPING_MS, 'housekeeping', () => removeExpired(pool, clock.now())))
  if (works && config.metricsPort !== undefined)
    ends.push(every(LEDGER_CHECK_MS, 'checking the ledger', () => metrics.checkLedger()))
  if (http)
    ends.push(
      every(DELAY_POLL_MS, 'reading how long jobs wait', async () =>
        http.admission.observe(await readQueueDelay(pool)),
      ),
    )
  const chaining = createChaining(pool, () => clock.now())
  if (works) ends.push(every(CHAIN_MS, 'chaining transfers', chaining.run))
  const indexing = createIndexing(pool, digests, () => clock.now())
  if (works) ends.push(every(INDEX_MS, 'indexing payments for staff', indexing.run))
  if (works) ends.push(every(NUMBERING_MS, "numbering merchants' events", () => numberEvents(pool)))
  if (works) ends.push(every(COUNT_DAYS_MS, 'counting days that are over', () => countDays(pool)))
  const outages = watchOutages(foundation, reference, rails)
  if (works) ends.push(every(OUTAGE_POLL_MS, 'watching operators', outages.poll))
  if (works)
    ends.push(
      every(BALANCE_POLL_MS, "comparing operators' balances", () => compareBalances(foundation, reference, rails)),
    )
  if (works && sandbox) ends.push(every(REPORT_POLL_MS, 'reporting results', reportAll(rails, jobs.isPaused)))
  return async () => {
    metrics.stopChecks()
    chaining.stop()
    indexing.stop()
    outages.stop()
    await Promise.all(ends.map((end) => end()))
  }
}

/** While another process advances the sandbox's clock, it alone runs jobs. */
function pausing({ pause, resume }: Pick<JobRunner, 'pause' | 'resume'>) {
  let isElsewhere = false
  return (clock: Pick<VirtualClock, 'isMovedElsewhere'>): void => {
    if (clock.isMovedElsewhere() === isElsewhere) return
    isElsewhere = !isElsewhere
    if (isElsewhere) void pause()
    else resume()
  }
}

const watchOutages = (
  { pool, clock, ownProcess, logError }: Foundation,
  reference: LiveReferenceData,
  { railAccounts }: ConnectedRails,
) =>
  createOutageWatch({
    pool,
    clock,
    processId: ownProcess.id,
    railAccounts: () => reference.railAccounts(),
    connect: (name) => railAccounts.connection(name),
    onError: (error, railAccount) => logError(error, `recording that ${railAccount} is back`),
  })

const compareBalances = (
  { pool, clock, logError }: Foundation,
  reference: LiveReferenceData,
  { railAccounts }: ConnectedRails,
): Promise<void> =>
  watchBalances({
    pool,
    clock,
    railAccounts: () => reference.railAccounts(),
    connect: (name) => railAccounts.connection(name),
    onError: (error, railAccount) => logError(error, `comparing the balance of ${railAccount}`),
  })

/**
 * Reports at every poll while simulated orders are pending; otherwise less often, for orders that other processes
 * left.
 */
function reportAll(rails: ConnectedRails, isPaused: () => boolean): () => Promise<void> {
  let passedOver = 0
  return async () => {
    passedOver += 1
    if (isPaused()) return
    if (!rails.hasReportsAhead() && passedOver < REPORT_PASSED_OVER_MAX) return
    passedOver = 0
    while ((await rails.reportSimulated()) > 0) {
      /* there may be more than one batch */
    }
  }
}
