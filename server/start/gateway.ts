import { POLL_RAIL_AFTER_MS } from '../domain/transaction.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentSteps, type PaymentSteps } from '../actions/customer-steps.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { createRefusals, validateUnrequested } from '../actions/validate-unrequested.ts'
import { createLegacySigner } from '../callbacks/sign.ts'
import type { Config } from '../config.ts'
import type { ClockDesk } from '../local/sandbox/serve-clock.ts'
import type { Database } from '../local/embedded-postgres/database.ts'
import { findExpected } from '../storage/expected-payments.ts'
import type { Pool } from '../storage/pool.ts'
import type { RailCoverage } from '../storage/reference-data.ts'
import type { createClockDesk } from './advance-clock.ts'
import { plannedUrl } from './addresses.ts'
import { startConsoles, type AdminServer } from './admin-server.ts'
import { startBackground } from './background.ts'
import { createCore, type Core } from './core.ts'
import { layFoundation, type CleanUp, type Foundation } from './foundation.ts'
import { startHttp, type HttpParts } from './http-server.ts'
import { railAccountStates, type RailAccountState } from './rail-account-states.ts'
import { openMessageSpool } from './message-spool.ts'
import { startMetrics } from './metrics-server.ts'
import { createRailDesk } from './rail-desk.ts'
import type { ConnectedRails } from './rails.ts'
import { openSandboxOperators, connectAndRegister } from './sandbox-operators.ts'
import { seed, seedFirst } from './seed.ts'
import { surroundingsOf, type StartEnvironment } from './surroundings.ts'
import { createJobs, notifyingOthers, type JobRunner } from './jobs.ts'
import { systemTimers } from './timers.ts'

export interface Gateway {
  /** Where others reach it: PUBLIC_BASE_URL, else where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where it listens itself, behind any proxy at `url`; absent for a worker. */
  readonly listeningUrl: string | undefined
  /** The address that Prometheus scrapes; absent when metrics are off. */
  readonly metricsUrl: string | undefined
  /** Where staff sign in; absent when that is off. */
  readonly admin: Pick<AdminServer, 'url' | 'firstAdminLink'> | undefined
  /** The same for people of merchants. */
  readonly console: Pick<AdminServer, 'url'> | undefined
  /** As of the start. */
  readonly rails: RailCoverage
  /** The rail accounts as of the start. */
  readonly railAccounts: readonly RailAccountState[]
  /** The sandbox's operator simulators that this process runs. */
  readonly operators: readonly { readonly title: string; readonly url: string }[]
  readonly pool: Pool
  /** Runs all jobs that are due by the clock, including the reports of the simulated rails, until nothing is due. */
  runDue(): Promise<void>
  readonly paymentSteps: PaymentSteps
  /** Loads changes of merchants, keys and providers now instead of within a second. */
  refresh(): Promise<void>
  /** Operator messages that wait on the disk of this machine, also after a stop. */
  spooled(): { readonly messages: number; readonly folder: string }
  /**
   * Reports not ready from now on, so that proxies send new requests elsewhere. Serves for another `ms`, and closes
   * each connection with its reply.
   */
  drain(ms: number): Promise<void>
  /** Why it must not continue: the database was migrated while the process was suspended. */
  outlived(): Error | undefined
  /** Stops accepting, finishes what runs, closes the database. */
  stop(): Promise<void>
}

/** Starts everything above the database. On a failure, `cleanUp` contains what it has opened. */
export async function startOn(
  database: Database,
  config: Config,
  given: Pick<StartEnvironment, 'logger'> & Partial<StartEnvironment>,
  cleanUp: CleanUp,
): Promise<Gateway> {
  const foundation = await layFoundation(database, config, surroundingsOf(given), cleanUp)
  const { role, runJobs, railKinds } = foundation.surroundings
  // Providers and the demo merchant are created before they are first read; their callback URL needs the port, which is
  // known once we listen.
  const past = await seedFirst(foundation, plannedUrl(config))
  let work: JobRunner | undefined
  const wake: Wake =
    role === 'api' ? notifyingOthers(foundation) : { wake: (kind, dueAt) => work?.worker.wake(kind, dueAt) }
  const core = await createCore(foundation, wake)
  const paymentSteps = createPaymentSteps({ ...core, signer: createLegacySigner(core) })

  const messages = await openMessageSpool(foundation, core)
  // Rails are connected once we listen: their addresses contain the port.
  const late = lateRails(foundation, core)
  const parts = { foundation, core, paymentSteps, wake, messages, ...late.forHttp }
  const http = role === 'worker' ? undefined : await startHttp(parts, cleanUp)
  const url = await seededAt(http?.url, foundation, core.reference)
  if (past) await (await import('./sandbox-history.ts')).playHistory(foundation, past)
  const metricsServer = await startMetrics(foundation, cleanUp)
  const consoles = await startConsoles(foundation, { decide: core, rails: late.desk(core, foundation), url }, cleanUp)
  const operators = await openSandboxOperators(foundation, core, http, cleanUp)
  const rails = late.connected(await connectAndRegister(foundation, core, operators, http?.url))
  const { start: startWork, runDue, stop: stopWork } = (work = createJobs(foundation, core, rails))
  const works = runJobs && role !== 'api'
  if (works) startWork()
  late.clockConnected(await openClockDesk(foundation, work, rails))
  const endBackground = startBackground(foundation, { ...core, rails, spool: messages, works, jobs: work, http })

  return {
    url,
    listeningUrl: http?.listeningUrl,
    metricsUrl: metricsServer?.url,
    ...consoles.served,
    rails: core.reference.rails(),
    railAccounts: railAccountStates(railKinds, core.reference, rails.railAccounts),
    operators: operators?.addresses() ?? [],
    pool: foundation.pool,
    paymentSteps,
    refresh: async () => void (await core.reference.refresh()),
    runDue,
    spooled: messages.spooled,
    ...endsOf(foundation, database, http, [
      () => operators?.pause(),
      () => Promise.all([http?.close(), consoles.close()]),
      messages.stop,
      endBackground,
      stopWork,
      rails.railAccounts.close,
      // Running calls have received their replies by now.
      () => operators?.close(),
      () => metricsServer?.stop(),
    ]),
  }
}

/** Seeds again when the actual address differs from the planned one. @returns the actual address */
async function seededAt(
  url: string | undefined,
  foundation: Foundation,
  reference: Core['reference'],
): Promise<string> {
  const planned = plannedUrl(foundation.config)
  if (url === undefined || url === planned) return planned
  await seed(foundation, url)
  await reference.refresh()
  return url
}

/** Loaded in the sandbox only. */
async function openClockDesk(...parts: Parameters<typeof createClockDesk>): Promise<ClockDesk | undefined> {
  return parts[0].sandbox ? (await import('./advance-clock.ts')).createClockDesk(...parts) : undefined
}

const NOT_YET = { repeat: 'never', pollAfterMs: () => POLL_RAIL_AFTER_MS } as const

/** What others use before the rails are connected: until then no operator message can be read. */
function lateRails({ pool, clock }: Foundation, { accountMessages }: Pick<Core, 'accountMessages'>) {
  let rails: ConnectedRails | undefined
  let clockDesk: ClockDesk | undefined
  const readCallback: HttpParts['readCallback'] = (name, callback) => rails?.railAccounts.readCallback(name, callback)
  const answerQuestion: HttpParts['answerQuestion'] = async (name, message) => {
    const question = rails?.railAccounts.connection(name)?.adapter.readPaymentQuestion?.(message)
    const refusalOf = createRefusals({ accountMessages, clock, expectedAt: (...at) => findExpected(pool, ...at) })
    const deps = { timers: systemTimers, refusalOf }
    return question?.answer(await validateUnrequested(deps, name, question.payment))
  }
  const traitsOf: HttpParts['traitsOf'] = (route) => rails?.rail.traitsOf(route) ?? NOT_YET
  const holderQuery: HttpParts['holderQuery'] = (providerCode) => rails?.rail.holderQuery?.(providerCode)
  const desk = ({ reference }: Core, { pool }: Foundation) =>
    createRailDesk(pool, reference, () => rails?.railAccounts, traitsOf)
  return {
    forHttp: { readCallback, answerQuestion, traitsOf, holderQuery, clockDesk: () => clockDesk },
    desk,
    connected: (connected: ConnectedRails) => (rails = connected),
    clockConnected: (desk: ClockDesk | undefined) => void (clockDesk = desk),
  }
}

const endsOf = (
  { readiness, ownProcess, end }: Foundation,
  database: Database,
  http: unknown,
  inOrder: readonly (() => Promise<unknown> | undefined)[],
): Pick<Gateway, 'drain' | 'stop' | 'outlived'> => ({
  outlived: ownProcess.outlived,
  async drain(ms) {
    readiness.end()
    // A worker gets no requests from proxies.
    if (http) await pause(ms)
  },
  async stop() {
    readiness.end()
    for (const step of inOrder) await step()
    await end()
    await database.stop()
  },
})
