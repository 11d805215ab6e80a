import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres, type Connection } from '../../local/embedded-postgres/embedded-postgres.ts'
import { databaseUrl, superuserIn } from '../testing/database-url.ts'
import { freePort } from '../testing/free-port.ts'
import { start, untilAnswers, type Child } from './processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from './requests.ts'
import { TODAY, type Tree } from './tree.ts'

/** `all` is what `npm start` runs; `api` only accepts and answers requests, and leaves jobs to other processes. */
type GatewayRole = 'all' | 'api'

interface GatewayProcessOptions {
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly tree?: Tree
  /** Another process of the gateway, to share its keys and its database. Absent: a PostgreSQL of its own. */
  readonly beside?: GatewayProcess
}

export interface GatewayProcess extends Child {
  readonly port: number
  readonly dataDir: string
  readonly connection: Connection
  readonly tree: Tree
}

/** As in the start script of package.json and in the systemd unit of the API. */
const NODE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=45']
/** As in the systemd unit of the worker: it makes far more garbage, and less memory does not make it slower. */
const WORKER_NODE_OPTIONS = ['--max-semi-space-size=16']
const PRELOADED = './server/compile-cache.cjs'
const START_TIMEOUT_MS = 30_000

const serve = ({ root }: Tree): readonly string[] => [
  ...(existsSync(join(root, PRELOADED)) ? ['-r', PRELOADED] : []),
  'server/cli.ts',
  'serve',
]

/**
 * Starts the gateway as in production: every request logged to a file, embedded PostgreSQL with fsync, and a rate limit
 * that the load does not reach.
 */
export async function startGatewayProcess(
  role: GatewayRole,
  dataDir: string,
  { nodeOptions = [], env = {}, tree = TODAY, beside }: GatewayProcessOptions = {},
): Promise<GatewayProcess> {
  const port = await freePort()
  // Started here for every role and every tree: only then does each of them have the same one.
  const postgres = beside ? undefined : await startPostgres(dataDir)
  const connection = beside?.connection ?? postgres?.connection
  if (!connection) throw new Error('the gateway has no database')
  const args = [...NODE_OPTIONS, ...nodeOptions, ...serve(tree), '--role', role]
  const child = start(process.execPath, {
    args,
    cwd: tree.root,
    env: { ...gatewayEnvironment({ port, dataDir, connection, tree }), ...env },
    logFile: join(dataDir, 'gateway.log'),
  })
  try {
    await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, START_TIMEOUT_MS)
  } catch (error) {
    throw new Error(`the gateway did not start: ${join(dataDir, 'gateway.log')}`, { cause: error })
  }
  const stop = async () => {
    await child.stop()
    await postgres?.stop()
  }
  return { ...child, stop, port, dataDir, connection, tree }
}

/** The settings that it has in production, and a count of all statements, in a schema that no migration knows. */
export async function startPostgres(dataDir: string) {
  const postgres = await openEmbeddedPostgres({
    dataDir,
    role: 'owner',
    mayMakeDatabases: true,
    settings: { shared_preload_libraries: 'pg_stat_statements' },
  })
  const superuser = new pg.Client({ ...postgres.connection, ...(await superuserIn(dataDir)) })
  await superuser.connect()
  await superuser.query('create schema bench; create extension pg_stat_statements schema bench')
  await superuser.end()
  return postgres
}

/**
 * Starts a worker on the database of a running gateway, as on a second machine; its log is written next to the
 * gateway's.
 */
export async function startWorkerProcess(
  gateway: GatewayProcess,
  { nodeOptions = [], env = {} }: Pick<GatewayProcessOptions, 'nodeOptions' | 'env'> = {},
): Promise<Child> {
  const metricsPort = await freePort()
  const args = [...WORKER_NODE_OPTIONS, ...nodeOptions, ...serve(gateway.tree), '--role', 'worker']
  const child = start(process.execPath, {
    args,
    cwd: gateway.tree.root,
    env: { ...gatewayEnvironment({ ...gateway, port: 0 }), MALIPO_METRICS_PORT: String(metricsPort), ...env },
    logFile: join(gateway.dataDir, 'worker.log'),
  })
  await untilAnswers(`http://127.0.0.1:${metricsPort}/health/ready`, {}, child, START_TIMEOUT_MS)
  return child
}

type GatewayPlace = Pick<GatewayProcess, 'port' | 'dataDir' | 'tree'> & Partial<Pick<GatewayProcess, 'connection'>>

/** A sandbox on that port that keeps all its files in that folder. Without a connection it starts its own PostgreSQL. */
export const gatewayEnvironment = ({ port, dataDir, tree, connection }: GatewayPlace): Record<string, string> => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  MALIPO_MODE: 'sandbox',
  MALIPO_DATA_DIR: dataDir,
  DATABASE_URL: connection ? databaseUrl(connection) : '',
  MIGRATION_DATABASE_URL: '',
  PUBLIC_BASE_URL: '',
  LOG_LEVEL: 'info',
  MALIPO_RATE_LIMIT: '1000000',
  MALIPO_RATE_LIMIT_ADDRESS: '1000000',
  NODE_ENV: 'production',
  PATH: `${join(tree.root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
})
