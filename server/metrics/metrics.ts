import { Counter, Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import type { Rail } from '../actions/ports/rail.ts'
import { acceptanceMetrics, type AcceptanceMetrics } from './acceptance.ts'
import { callbackMetrics, type CallbackMetrics } from './callbacks.ts'
import { databaseFigures } from './database-figures.ts'
import { countRequests, type RequestObserver } from './http-requests.ts'
import { handshakeMetrics } from './handshakes.ts'
import { ledgerMetrics, type LedgerMetrics } from './ledger.ts'
import { messageSpoolMetrics, type MessageSpoolMetrics } from './message-spool.ts'
import { operatorMessageMetrics, type OperatorMessageMetrics } from './operator-messages.ts'
import { operatorCallMetrics, type OperatorCallMetrics } from './operator-calls.ts'
import { buildInfo, connectionMetrics, processRegistry } from './process.ts'
import { railMetrics } from './rail.ts'
import { jobMetrics, type JobMetrics } from './jobs.ts'

interface MetricsOptions {
  readonly clock: Clock
  readonly figures: Figures
  readonly role: string
  readonly mode: string
  /** How long a scrape waits for the job backlog. */
  readonly backlogWaitMs?: number
}

/** Decorators of ports, and listeners for what no port shows: no other module knows how metrics are kept. */
export interface Metrics
  extends
    AcceptanceMetrics,
    CallbackMetrics,
    LedgerMetrics,
    MessageSpoolMetrics,
    OperatorCallMetrics,
    OperatorMessageMetrics,
    Omit<JobMetrics, 'refreshBacklog'> {
  readonly answered: RequestObserver
  instrumentRail(rail: Rail): Rail
  instrumentHandshakes(handshakes: HandshakeSender): HandshakeSender
  /** Everything in Prometheus's text format. Omits the backlog when the database does not answer. */
  scrape(): Promise<string>
}

/** Prometheus times out after 10 s; this includes waiting for a connection of an exhausted pool. */
const BACKLOG_WAIT_MS = 1_500

/** A registry with every metric of a process. */
export function createMetrics({
  clock,
  figures,
  role,
  mode,
  backlogWaitMs = BACKLOG_WAIT_MS,
}: MetricsOptions): Metrics {
  const registry = new Registry()
  const ofProcess = processRegistry()
  const scrapeErrors = new Counter({
    name: 'malipo_scrape_errors_total',
    help: 'Scrapes without the job backlog: the database did not answer in time.',
    registers: [registry],
  })
  buildInfo(registry, { role, mode })
  connectionMetrics(registry, figures)
  const { refreshBacklog, ...work } = jobMetrics(registry, figures, clock)
  const refreshes = [refreshBacklog, ...databaseFigures(registry, figures, clock)]
  let refreshing: Promise<void> | undefined
  // Concurrent scrapes share one reading: however many there are, the database gets one at a time, and none of them
  // empties the gauges of another.
  const refreshed = () =>
    (refreshing ??= allOf(refreshes).finally(() => {
      refreshing = undefined
    }))
  return {
    ...acceptanceMetrics(registry),
    ...callbackMetrics(registry, clock),
    ...ledgerMetrics(registry, figures, clock),
    ...messageSpoolMetrics(registry, clock),
    ...operatorMessageMetrics(registry),
    ...operatorCallMetrics(registry),
    ...work,
    answered: countRequests(registry),
    instrumentRail: railMetrics(registry),
    instrumentHandshakes: handshakeMetrics(registry),
    async scrape() {
      await within(backlogWaitMs, refreshed()).catch(() => scrapeErrors.inc())
      return (await registry.metrics()) + (await ofProcess.metrics())
    },
  }
}

/** Waits for all of them, also where one fails: the others have their values. */
async function allOf(refreshes: readonly (() => Promise<void>)[]): Promise<void> {
  const done = await Promise.allSettled(refreshes.map((refresh) => refresh()))
  for (const one of done) if (one.status === 'rejected') throw one.reason
}

async function within(ms: number, action: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  await Promise.race([action, late]).finally(() => clearTimeout(timer))
}

/** Metrics are off: ports stay unchanged, and nothing is counted. */
export const NO_METRICS: Metrics = {
  answered: () => undefined,
  acceptBatch: () => undefined,
  workFailed: () => undefined,
  operatorMessage: () => undefined,
  unmappedResult: () => undefined,
  watchMessageSpool: () => undefined,
  instrumentAcceptance: (acceptance) => acceptance,
  instrumentRail: (rail) => rail,
  instrumentHandshakes: (handshakes) => handshakes,
  instrumentCallbacks: (store) => store,
  instrumentSender: (sender) => sender,
  instrumentJobStore: (queue) => queue,
  watchRailAccount: () => ({ exchanged: () => undefined, drifted: () => undefined, end: () => undefined }),
  checkLedger: async () => undefined,
  stopChecks: () => undefined,
  scrape: async () => '',
}
