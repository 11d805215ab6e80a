import type { Config, Role } from '../config.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { sandboxMasterKey, type Database } from '../local/embedded-postgres/database.ts'
import { createMetrics, NO_METRICS, type Metrics } from '../metrics/metrics.ts'
import { openDigests, type Digests } from '../storage/digests.ts'
import { monthsAhead } from '../storage/months.ts'
import { createFigures } from '../admin/queries/figures.ts'
import { ensureRsaKey } from '../admin/queries/merchants.ts'
import { createPool, type Pool } from '../storage/pool.ts'
import { poolingOf } from '../storage/pooler.ts'
import { makesMonths } from '../storage/owned-months.ts'
import { ownerOf } from '../storage/runtime-rights.ts'
import { createSecretBox, type SecretBox } from '../storage/secret-box.ts'
import type { SharedClock } from '../storage/shared-clock.ts'
import { errorLog } from './repeat.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { VirtualClock } from '../local/sandbox/virtual-clock.ts'
import { openClocks } from './clock.ts'
import { ignoreMissing, keepsMonths, type Months } from './months.ts'
import { bringUpToDate, type OwnProcess } from './own-process.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import type { StartEnvironment } from './surroundings.ts'
import { tracesOf } from './traces.ts'

/** Run in reverse order when the start fails. */
export type CleanUp = (() => Promise<unknown>)[]

/** The base of everything else: a migrated database, the clock, the keys. */
export interface Foundation {
  readonly config: Config
  readonly surroundings: StartEnvironment
  readonly sandbox: boolean
  readonly pool: Pool
  /** The address of the database, for a connection outside the pool. */
  readonly connection: Database['connection']
  readonly clock: SharedClock
  /** For what meets the world's clocks: signatures, leases of URLs, one-time codes. Only in the sandbox another one. */
  readonly realClock: SharedClock
  /** The same as `clock`, where developers can advance it: in the sandbox. */
  readonly virtualClock: VirtualClock | undefined
  readonly box: SecretBox
  readonly digests: Digests
  readonly metrics: Metrics
  /** What other processes know about this one. */
  readonly ownProcess: OwnProcess
  readonly readiness: Readiness
  readonly months: Months
  readonly tracing: Tracing
  readonly logError: (error: unknown, what: string) => void
  /** Reports to other processes that this one has ended, and closes the database. */
  readonly end: () => Promise<void>
}

/** Opens the base of everything else: the migrated database, its pool, the secrets, the clock. */
export async function layFoundation(
  database: Database,
  config: Config,
  surroundings: StartEnvironment,
  cleanUp: CleanUp,
): Promise<Foundation> {
  const { random, logger, role } = surroundings
  const owner = await ownerOf(database)
  const pooling = config.databaseUrl === undefined ? 'none' : await poolingOf(database.connection)
  const connection = { ...database.connection, pooling }
  const ownProcess = await bringUpToDate(
    database.owner === undefined ? { ...owner, connection } : owner,
    config.mode,
    surroundings,
  )
  const logError = errorLog(logger)
  // A database restart ends all connections at once: that is one log line, not one per connection.
  const pool = createPool({
    connection,
    connectionsMax: config.databaseConnectionsMax,
    onError: (error) => logError(new StorageUnavailable(error), 'a connection'),
  })
  cleanUp.push(() => pool.end())
  cleanUp.push(() => ownProcess.deregister(pool))
  const clocks = await openClocks(pool, config, surroundings, ownProcess.id)
  const { clock } = clocks
  const months = keepsMonths({ pool, clock, logger, make: makesMonths(pool, owner) })
  await months.make(monthsAhead(clock.now(), 1), clock.now()).catch(ignoreMissing)
  const metrics = metricsOf(config, pool, clock, role)
  const tracing = await tracesOf(config, surroundings)
  cleanUp.push(() => tracing.stop())
  const box = createSecretBox(config.masterKey ?? (await sandboxMasterKey(config.dataDir)), random)
  const digests = await openDigests(pool, box, random, clock.now())
  await ensureRsaKey(pool, box, clock.now())
  const readiness = createReadiness(pool, clock, ownProcess)
  readiness.watch(months.fault)
  return {
    config,
    surroundings,
    sandbox: config.mode === 'sandbox',
    connection,
    pool,
    ...clocks,
    box,
    digests,
    metrics,
    ownProcess,
    readiness,
    months,
    tracing,
    logError,
    async end() {
      await ownProcess.deregister(pool)
      await tracing.stop()
      await pool.end()
    },
  }
}

const metricsOf = ({ metricsPort, mode }: Config, pool: Pool, clock: SharedClock, role: Role): Metrics =>
  metricsPort === undefined ? NO_METRICS : createMetrics({ clock, figures: createFigures(pool), role, mode })
