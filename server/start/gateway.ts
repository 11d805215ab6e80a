import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentSteps, type PaymentSteps } from '../actions/customer-steps.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { createLegacySigner } from '../callbacks/sign.ts'
import type { Config } from '../config.ts'
import type { Database } from '../embedded-postgres/database.ts'
import type { Pool } from '../storage/pool.ts'
import type { RailCoverage } from '../storage/reference-data.ts'
import { plannedUrl } from './addresses.ts'
import { startBackground } from './background.ts'
import { createCore, type Core } from './core.ts'
import { layFoundation, type CleanUp, type Foundation } from './foundation.ts'
import { startHttp, type HttpParts } from './http-server.ts'
import { installationStates, type InstallationState } from './installation-states.ts'
import { openMessageSpool } from './message-spool.ts'
import { startMetrics } from './metrics-server.ts'
import { connectRails, type ConnectedRails } from './rails.ts'
import { openSandboxOperators } from './sandbox-operators.ts'
import { seed } from './seed.ts'
import { surroundingsOf, type Surroundings } from './surroundings.ts'
import { createWork, tellingOthers, type Work } from './work.ts'

export interface Gateway {
  /** Where others reach it: PUBLIC_BASE_URL, else where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where it listens itself, behind whatever stands at `url`; absent for a worker. */
  readonly listeningUrl: string | undefined
  /** Where Prometheus asks; absent when metrics are off. */
  readonly metricsUrl: string | undefined
  /** As it was at the start. */
  readonly rails: RailCoverage
  /** The same of its connections to operators. */
  readonly installations: readonly InstallationState[]
  /** The operators of the sandbox that this process runs. */
  readonly operators: readonly { readonly title: string; readonly url: string }[]
  readonly pool: Pool
  /** Does all work that is due by the clock, the simulated rails' reports included, until nothing is due. */
  runDue(): Promise<void>
  readonly paymentSteps: PaymentSteps
  /** Hears of changes of merchants, keys and providers now instead of within a second. */
  refresh(): Promise<void>
  /** Messages of operators that wait on the disk of this machine, after a stop too. */
  spooled(): { readonly messages: number; readonly folder: string }
  /**
   * Not ready from now on: proxies send what comes next to others. Serves meanwhile, for `ms`, and ends each connection
   * with its reply.
   */
  drain(ms: number): Promise<void>
  /** What it must not go on for: the database was changed under it while it stood still. */
  outlived(): Error | undefined
  /** Stops accepting, finishes what runs, closes the database. */
  stop(): Promise<void>
}

/** Everything above the database. What it opened before it fails is in `cleanUp`. */
export async function startOn(
  database: Database,
  config: Config,
  given: Pick<Surroundings, 'logger'> & Partial<Surroundings>,
  cleanUp: CleanUp,
): Promise<Gateway> {
  const foundation = await layFoundation(database, config, surroundingsOf(given), cleanUp)
  const { role, runWork, railKinds } = foundation.surroundings
  // Providers and the demo merchant come before the first look at them; their callback URL needs the port, which is
  // known once we listen.
  await seed(foundation, plannedUrl(config))
  let work: Work | undefined
  const wake: Wake =
    role === 'api' ? tellingOthers(foundation) : { wake: (kind, dueAt) => work?.loop.wake(kind, dueAt) }
  const core = await createCore(foundation, wake)
  const { reference } = core
  const paymentSteps = createPaymentSteps({ ...core, signer: createLegacySigner(core) })

  const messages = await openMessageSpool(foundation, core)
  // Rails are connected once we listen: their addresses name the port.
  const late = lateRails()
  const parts = { foundation, core, paymentSteps, wake, messages, readCallback: late.readCallback }
  const http = role === 'worker' ? undefined : await startHttp(parts, cleanUp)
  const url = await seededAt(http?.url, foundation, reference)
  const metricsServer = await startMetrics(foundation, cleanUp)

  const operators = await openSandboxOperators(foundation, core, http, cleanUp)
  const rails = late.connected(connectRails(foundation, core, http?.url, operators))
  const { start: startWork, runDue, stop: stopWork } = (work = createWork(foundation, core, rails))
  const works = runWork && role !== 'api'
  if (works) startWork()
  const endBackground = startBackground(foundation, reference, rails, messages, works)

  return {
    url,
    listeningUrl: http?.listeningUrl,
    metricsUrl: metricsServer?.url,
    rails: reference.rails(),
    installations: installationStates(railKinds, reference, rails.installations),
    operators: operators?.addresses() ?? [],
    pool: foundation.pool,
    paymentSteps,
    refresh: async () => void (await reference.refresh()),
    runDue,
    spooled: messages.spooled,
    ...endsOf(foundation, database, http, [
      () => operators?.pause(),
      () => http?.close(),
      messages.stop,
      endBackground,
      stopWork,
      rails.installations.close,
      // Calls that were under way have their answer.
      () => operators?.close(),
      () => metricsServer?.stop(),
    ]),
  }
}

/** @returns where the gateway is: seeded again when that is not where it was planned */
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

/** What reads operators' messages before the rails are connected: nothing can be read then. */
function lateRails() {
  let rails: ConnectedRails | undefined
  const readCallback: HttpParts['readCallback'] = (name, callback) => rails?.installations.readCallback(name, callback)
  return { readCallback, connected: (connected: ConnectedRails) => (rails = connected) }
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
    // A worker takes nothing from proxies.
    if (http) await pause(ms)
  },
  async stop() {
    readiness.end()
    for (const step of inOrder) await step()
    await end()
    await database.stop()
  },
})
