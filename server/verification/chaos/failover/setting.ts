import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createLoad, type Load } from '../load.ts'
import { leadTo, startMerchant, type Merchant } from '../merchant.ts'
import { createStaff, type Staff } from '../staff.ts'
import { until } from '../patience.ts'
import { DATABASE_PORT, PATRONI_PORT, startCluster, type Cluster } from './cluster.ts'
import { startGateways, type Gateways } from './gateways.ts'
import { exampleEnvironment, HAPROXY_FILE } from './node-files.ts'

/** Everything that a failover affects. */
export interface Setting {
  readonly cluster: Cluster
  readonly fleet: Gateways
  readonly merchant: Merchant
  readonly staff: Staff
  readonly load: Load
  /** Times of the 202s, in milliseconds of `performance.now()`. */
  readonly accepted: readonly number[]
  readonly pool: pg.Pool
  end(): Promise<void>
}

const MASTER_KEY = 'a master key of the failover drill, nothing real'
const PASSWORD = 'a-password-of-the-drill'
const SANDBOX_DELAY_MS = 400
const HAPROXY_PORT = 5000
// The drill makes its certificates on the spot; they are self-signed.
const LOGIN = `postgres://malipo:${PASSWORD}@`
const THROUGH_HAPROXY = `${LOGIN}127.0.0.1:${HAPROXY_PORT}/malipo?sslmode=no-verify`
const HAPROXY_MS_MAX = 20_000
/** More than all payouts of a drill need. */
const PAYOUT_WALLET = 500_000_000

/**
 * @param folder for all files
 * @param hosts as in FailoverOptions
 * @param log receives progress messages
 */
export async function setUp(folder: string, hosts: boolean, log: (line: string) => void): Promise<Setting> {
  const cluster = await startCluster(folder)
  log('three machines are up')
  const places = cluster.nodes.map(({ machine }) => `${machine.address}:${DATABASE_PORT}`)
  await createDatabase(places.join(','), cluster)
  await startHaproxy(cluster, join(folder, 'haproxy.log'))
  const shared = {
    MALIPO_MASTER_KEY: MASTER_KEY,
    MALIPO_DATA_DIR: join(folder, 'processes'),
    LOG_LEVEL: 'fatal',
    DATABASE_URL: hosts
      ? `${LOGIN}${places.join(',')}/malipo?target_session_attrs=read-write&sslmode=no-verify`
      : THROUGH_HAPROXY,
  }
  const env = { ...shared, MALIPO_SANDBOX_DELAY_MS: String(SANDBOX_DELAY_MS), MALIPO_DATABASE_CONNECTIONS: '8' }
  const fleet = await startGateways({ apis: 2, workers: 2, env })
  log('the gateway is up')
  const merchant = await startMerchant()
  const pool = new pg.Pool({
    connectionString: THROUGH_HAPROXY,
    max: 3,
    connectionTimeoutMillis: 3_000,
    query_timeout: 20_000,
  })
  pool.on('error', () => undefined)
  await leadTo(merchant, pool)
  const staff = createStaff(shared)
  await staff.deposit(PAYOUT_WALLET)
  const accepted: number[] = []
  const load = createLoad(fleet.urls, () => void accepted.push(performance.now()))
  const end = async () => {
    await fleet.stop()
    await merchant.close()
    await pool.end()
  }
  return { cluster, fleet, merchant, staff, load, accepted, pool, end }
}

/** As in the README of a deployment: a role of its own that owns its database. */
async function createDatabase(places: string, { roles }: Cluster): Promise<void> {
  const example = await exampleEnvironment()
  const leader = (await roles())?.leader.machine.address
  if (leader === undefined) throw new Error(`none of ${places} takes writes`)
  const client = new pg.Client({
    host: leader,
    port: DATABASE_PORT,
    user: example['PATRONI_SUPERUSER_USERNAME'],
    password: example['PATRONI_SUPERUSER_PASSWORD'],
    database: 'postgres',
    ssl: { rejectUnauthorized: false },
  })
  await client.connect()
  await client.query(`create role malipo login password '${PASSWORD}'`)
  await client.query('create database malipo owner malipo')
  await client.end()
}

/** Exits with this process: nothing of the drill's namespaces outlives it. */
async function startHaproxy({ nodes }: Cluster, logFile: string): Promise<void> {
  const env: Record<string, string> = { DATABASE_BIND: `127.0.0.1:${HAPROXY_PORT}` }
  for (const [index, { machine }] of nodes.entries()) {
    env[`DATABASE_${index + 1}`] = `${machine.address}:${DATABASE_PORT}`
    env[`PATRONI_${index + 1}`] = `${machine.address}:${PATRONI_PORT}`
  }
  const log = openSync(logFile, 'a')
  spawn('/usr/sbin/haproxy', ['-db', '-f', HAPROXY_FILE], { env, stdio: ['ignore', log, log] })
  closeSync(log)
  await until(leadsToLeader, HAPROXY_MS_MAX, 'HAProxy leads to a leader')
}

async function leadsToLeader(): Promise<boolean> {
  const client = new pg.Client({ connectionString: THROUGH_HAPROXY })
  client.on('error', () => undefined)
  const answered = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => undefined)
  return answered
}
