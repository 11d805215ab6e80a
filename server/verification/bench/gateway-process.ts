import { databaseUrl } from '../testing/database-url.ts'
import { freePort } from '../testing/free-port.ts'
import { join } from 'node:path'
import type pg from 'pg'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { PROJECT_ROOT, start, untilAnswers, type Child } from './processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from './requests.ts'

/** `all` is what `npm start` runs; `api` only accepts and answers requests, and leaves jobs to other processes. */
type GatewayRole = 'all' | 'api'

interface GatewayProcessOptions {
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The data folder of another process, to share its keys. Absent: a folder of its own. */
  readonly database?: pg.PoolConfig
}

export interface GatewayProcess extends Child {
  readonly port: number
  readonly dataDir: string
  /** Absent: the embedded PostgreSQL of the data folder, which the process started itself. */
  readonly databaseUrl?: string
}

/** As in the start script of package.json and in the systemd unit of the API. */
const NODE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=45']
/** As in the systemd unit of the worker: it makes far more garbage, and less memory does not make it slower. */
const WORKER_NODE_OPTIONS = ['--max-semi-space-size=16']
const START_TIMEOUT_MS = 30_000

/**
 * Starts the gateway as in production: every request logged to a file, embedded PostgreSQL with fsync, and a rate limit
 * that the load does not reach.
 */
export async function startGatewayProcess(
  role: GatewayRole,
  dataDir: string,
  { nodeOptions = [], env = {}, database }: GatewayProcessOptions = {},
): Promise<GatewayProcess> {
  const port = await freePort()
  // Separate roles do not start an embedded PostgreSQL. Start it here, with the settings that it would have there.
  const postgres =
    role === 'all' || database
      ? undefined
      : await openEmbeddedPostgres({ dataDir, role: 'owner', mayMakeDatabases: true })
  const connection = database ?? postgres?.connection
  const args = [...NODE_OPTIONS, ...nodeOptions, 'server/cli.ts', 'serve', '--role', role]
  const child = start(process.execPath, {
    args,
    env: {
      ...gatewayEnvironment(port, dataDir),
      ...(connection && { DATABASE_URL: databaseUrl(connection) }),
      ...env,
    },
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
  return { ...child, stop, port, dataDir, ...(connection && { databaseUrl: databaseUrl(connection) }) }
}

/**
 * Starts a worker on the database of a running gateway, as on a second machine; its log is written next to the
 * gateway's.
 */
export async function startWorkerProcess(
  { dataDir }: GatewayProcess,
  connection: pg.PoolConfig,
  { nodeOptions = [], env = {} }: GatewayProcessOptions = {},
): Promise<Child> {
  const metricsPort = await freePort()
  const args = [...WORKER_NODE_OPTIONS, ...nodeOptions, 'server/cli.ts', 'serve', '--role', 'worker']
  const child = start(process.execPath, {
    args,
    env: {
      ...gatewayEnvironment(0, dataDir),
      DATABASE_URL: databaseUrl(connection),
      MALIPO_METRICS_PORT: String(metricsPort),
      ...env,
    },
    logFile: join(dataDir, 'worker.log'),
  })
  await untilAnswers(`http://127.0.0.1:${metricsPort}/health/ready`, {}, child, START_TIMEOUT_MS)
  return child
}

/** Starts a sandbox on that port that keeps all its files in that folder. */
export const gatewayEnvironment = (port: number, dataDir: string): Record<string, string> => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  MALIPO_MODE: 'sandbox',
  MALIPO_DATA_DIR: dataDir,
  DATABASE_URL: '',
  MIGRATION_DATABASE_URL: '',
  PUBLIC_BASE_URL: '',
  LOG_LEVEL: 'info',
  MALIPO_RATE_LIMIT: '1000000',
  MALIPO_RATE_LIMIT_ADDRESS: '1000000',
  NODE_ENV: 'production',
  PATH: `${join(PROJECT_ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
})
