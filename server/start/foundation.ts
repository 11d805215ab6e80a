import type { Config, Role } from '../config.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { sandboxMasterKey, type Database } from '../embedded-postgres/database.ts'
import { createMetrics, NO_METRICS, type Metrics } from '../metrics/metrics.ts'
import { openDigests, type Digests } from '../storage/digests.ts'
import { monthsAhead } from '../storage/months.ts'
import { createFigures } from '../storage/operators/figures.ts'
import { ensureRsaKey } from '../storage/operators/merchants.ts'
import { createPool, type Pool } from '../storage/pool.ts'
import { poolingOf } from '../storage/pooler.ts'
import { ensureCallbackKeys } from '../storage/rail-installations.ts'
import { makesMonths } from '../storage/owned-months.ts'
import { ownerOf } from '../storage/runtime-rights.ts'
import { resealFormer } from '../storage/reseal.ts'
import { createSecretBox, type SecretBox } from '../storage/secret-box.ts'
import type { SharedClock } from '../storage/shared-clock.ts'
import { errorLog } from '../work/repeat.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openClock } from './clock.ts'
import { ignoreMissing, keepsMonths, type Months } from './months.ts'
import { bringUpToDate, type OwnProcess } from './own-process.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import type { Surroundings } from './surroundings.ts'
import { tracesOf } from './traces.ts'

/** Undone in reverse order when the start fails. */
export type CleanUp = (() => Promise<unknown>)[]

/** What everything else stands on: a migrated database, the time, the keys. */
export interface Foundation {
  readonly config: Config
  readonly surroundings: Surroundings
  readonly sandbox: boolean
  readonly pool: Pool
  /** Where the database is, for a connection beside the pool's. */
  readonly connection: Database['connection']
  readonly clock: SharedClock
  readonly box: SecretBox
  readonly digests: Digests
  readonly metrics: Metrics
  /** What other processes hear of this one. */
  readonly ownProcess: OwnProcess
  readonly readiness: Readiness
  readonly months: Months
  readonly tracing: Tracing
  readonly logError: (error: unknown, what: string) => void
  /** Says to others that this process has ended, and closes the database. */
  readonly end: () => Promise<void>
}

/** What everything else stands on: the migrated database, its pool, the secrets, the clock. */
export async function layFoundation(
  database: Database,
  config: Config,
  surroundings: Surroundings,
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
  // A restart ends all connections in one moment: that is one line, not one per connection.
  const pool = createPool({
    connection,
    connectionsMax: config.databaseConnectionsMax,
    onError: (error) => logError(new StorageUnavailable(error), 'a connection'),
  })
  cleanUp.push(() => pool.end())
  cleanUp.push(() => ownProcess.leave(pool))
  const clock = await openClock(pool, surroundings.clock, logger)
  const months = keepsMonths({ pool, clock, logger, make: makesMonths(pool, owner) })
  await months.make(monthsAhead(clock.now(), 1), clock.now()).catch(ignoreMissing)
  const metrics = metricsOf(config, pool, clock, role)
  const tracing = await tracesOf(config, surroundings)
  cleanUp.push(() => tracing.stop())
  const box = createSecretBox(config.masterKey ?? (await sandboxMasterKey(config.dataDir)), random)
  const resealed = await resealFormer(pool, box)
  if (resealed) logger.info(resealed, 'what an older version sealed is sealed anew, each secret for its place')
  const digests = await openDigests(pool, box, random, clock.now())
  await ensureRsaKey(pool, box, clock.now())
  await ensureCallbackKeys(pool, box, random)
  const readiness = createReadiness(pool, clock, ownProcess)
  readiness.watch(months.fault)
  return {
    config,
    surroundings,
    sandbox: config.mode === 'sandbox',
    connection,
    pool,
    clock,
    box,
    digests,
    metrics,
    ownProcess,
    readiness,
    months,
    tracing,
    logError,
    async end() {
      await ownProcess.leave(pool)
      await tracing.stop()
      await pool.end()
    },
  }
}

const metricsOf = ({ metricsPort, mode }: Config, pool: Pool, clock: SharedClock, role: Role): Metrics =>
  metricsPort === undefined ? NO_METRICS : createMetrics({ clock, figures: createFigures(pool), role, mode })
