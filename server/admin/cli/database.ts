import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import { readProcessConfig, type Config } from '../../config.ts'
import type { Random } from '../../domain/references.ts'
import { openDatabase, sandboxMasterKey, type Database } from '../../local/embedded-postgres/database.ts'
import { refuseOtherMode } from '../../storage/database-mode.ts'
import { checkMasterKey, hasEmbeddedDatabase, schemaState, type SchemaState } from '../queries/database-state.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { OperatorAccess } from '../operations/operator-access.ts'
import { createPool, type Pool } from '../../storage/pool.ts'
import { createSecretBox, type SecretBox } from '../../storage/secret-box.ts'
import { createSharedClock, type SharedClock } from '../../storage/shared-clock.ts'
import { plannedSignIn } from '../../start/addresses.ts'
import { openVirtualClock } from '../../start/clock.ts'
import { linkMaker } from '../sign-in/links.ts'
import { MALIPO } from './called-as.ts'
import { currentActor } from './current-actor.ts'
import { CliError } from './errors.ts'
import { ownerOf, type Owner } from '../../storage/runtime-rights.ts'
import type { SettleDeps } from '../../actions/settle-results.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'

/** What a command works with; its actor is who runs it, and its clock the one that the servers share. */
export interface Context extends OperationContext {
  readonly config: Config
  readonly database: Database
  readonly clock: SharedClock
}

const CONNECTIONS_MAX = 4

/**
 * Opens the database whether the server runs or not, and leaves it in the state that it found. Checks the schema but
 * never migrates it.
 */
export async function withDatabase<Result>(run: (context: Context) => Promise<Result>): Promise<Result> {
  const config = readProcessConfig()
  if (config.databaseUrl === undefined && !(await hasEmbeddedDatabase(config.dataDir))) {
    throw new CliError(
      `malipo: there is no database in ${config.dataDir} yet.\nStart the server first (npm start) or run ${MALIPO} migrate; for another folder set MALIPO_DATA_DIR.`,
    )
  }
  const database = await openDatabase({ ...config, role: 'guest' })
  const pool = createPool({
    connection: database.connection,
    connectionsMax: CONNECTIONS_MAX,
    onError: () => undefined,
  })
  const close = async () => {
    await pool.end()
    await database.stop()
  }
  const release = closeOnSignal(close)
  try {
    refuseUnlessCurrent(await schemaState(pool))
    await refuseOtherMode(pool, config.mode)
    const realClock = await createSharedClock(pool)
    const clock = (await openVirtualClock(pool, realClock, config.mode === 'sandbox')) ?? realClock
    const actor = await currentActor({ config, database, pool }, clock.now())
    const random = { bytes: (size: number) => randomBytes(size) }
    const resealing = () => secretBoxes(config, random)
    // Seals with the server's key: the server could not open what another key seals.
    const secretBox = async () => {
      const { box } = await resealing()
      await checkMasterKey(pool, box)
      return box
    }
    const { mode } = config
    const settling = () => settlingOf({ mode, pool, clock, random, secretBox })
    const signInLink = linkMaker({ random, clock, baseUrl: (audience) => plannedSignIn(config, audience) })
    const context = { config, database, pool, clock, actor, mode, random }
    return await run({
      ...context,
      secretBox,
      resealing,
      settling,
      dailyLimitShare: config.dailyLimitShare,
      signInLink,
      rails: railsOf({ ...context, secretBox }),
    })
  } finally {
    release()
    await close()
  }
}

/** The rails load only for an operation that needs them. */
function railsOf(context: Pick<Context, 'config' | 'pool' | 'clock' | 'secretBox'>): OperatorAccess {
  const access = async () => (await import('./rail-connected.ts')).operatorsFrom(context)
  return {
    refundTraits: async (...about) => (await access()).refundTraits(...about),
    faultOf: async (...about) => (await access()).faultOf(...about),
    statement: async (...about) => (await access()).statement(...about),
  }
}

function refuseUnlessCurrent(state: SchemaState): void {
  if (state === 'shut')
    throw new CliError(
      `malipo: this role cannot read the tables of Malipo yet.\nRun ${MALIPO} migrate, which gives it its rights, or start the server of this version (npm start).`,
    )
  if (state === 'missing')
    throw new CliError(`malipo: the database is empty.\nRun ${MALIPO} migrate, or start the server first (npm start).`)
  if (state === 'older')
    throw new CliError(
      `malipo: the database was made by an older version.\nRun ${MALIPO} migrate, or start the server of this version (npm start).`,
    )
  if (state === 'newer')
    throw new CliError(
      'malipo: the database was migrated by a newer version of Malipo.\nUpdate Malipo, or use another database.',
    )
}

/**
 * Stops a PostgreSQL that we started before this process ends on a signal. @returns a function that removes the signal
 * handlers
 */
function closeOnSignal(close: () => Promise<void>): () => void {
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    const exit = () => process.exit(128 + constants.signals[signal])
    close().then(exit, exit)
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  return () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
}

/**
 * The boxes of the current master key and of the previous one, if it is set. Does not check whether the database was
 * written with either.
 */
async function secretBoxes(
  { masterKey, formerMasterKey: former, dataDir }: Config,
  random: Random,
): Promise<{ readonly box: SecretBox; readonly former: SecretBox | undefined }> {
  return {
    box: createSecretBox(masterKey ?? (await sandboxMasterKey(dataDir)), random),
    former: former === undefined ? undefined : createSecretBox(former, random),
  }
}

interface OwnerContext extends Context {
  /** Connected as the owner, who may change the tables themselves. */
  readonly pool: Pool
  readonly owner: Owner
}

/** Like `withDatabase`, for what only the owner may do: uses MIGRATION_DATABASE_URL where it is set. */
export const withOwner = <Result>(run: (context: OwnerContext) => Promise<Result>): Promise<Result> =>
  withDatabase(async (context) => {
    const owner = await ownerOf(context.database)
    const pool = createPool({ connection: owner.connection, connectionsMax: 2, onError: () => undefined })
    try {
      return await run({ ...context, pool, owner })
    } finally {
      await pool.end()
    }
  })

/** What the command line needs to settle as the server does. */
export const settlingOf = async ({
  pool,
  clock,
  random,
  mode,
  secretBox,
}: Pick<OperationContext, 'pool' | 'clock' | 'random' | 'mode' | 'secretBox'>): Promise<Omit<SettleDeps, 'store'>> => ({
  reference: await loadReferenceData({ pool, box: await secretBox(), clock, sandbox: mode === 'sandbox' }),
  clock,
  random,
  // The command already prints the result to the person who runs it.
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody,
})
