import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startGateway } from '../main.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../verification/testing/database.ts'
import { MASTER_KEY } from '../verification/testing/gateway.ts'
import { pgbouncerVersion, startPgbouncer, type Pgbouncer } from '../verification/testing/pgbouncer.ts'
import { collect, verify } from '../verification/testing/requests.ts'
import { until } from '../verification/testing/served-gateway.ts'
import { connectionTo, type PoolingMode } from './database-hosts.ts'
import { openClient } from './open-client.ts'
import { SESSION_SETTINGS } from './pool.ts'
import { poolingOf } from './pooler.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'

const version = pgbouncerVersion()
if (!version) skipReason('no pgbouncer is installed', 'poolers')
const testBehind = test.skipIf(!version)
const testKeeping = test.skipIf(!version?.keepsStatements)
if (version && !version.keepsStatements)
  skipReason('pgbouncer keeps prepared statements since 1.21', `transaction mode of pgbouncer ${version.text}`)

let database: TestDatabase
const started: Pgbouncer[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const bouncer of started.splice(0)) await bouncer.close()
  await giveRole('reset')
})
afterAll(() => database.drop())

const IGNORE = {
  ignore_startup_parameters: 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
}
const TRANSACTION = { pool_mode: 'transaction' }
const KEEPING = { ...TRANSACTION, ...IGNORE, max_prepared_statements: '200' }

async function behind(settings: Readonly<Record<string, string>>): Promise<string> {
  const bouncer = await startPgbouncer(database.connection, settings)
  started.push(bouncer)
  return bouncer.databaseUrl
}
const poolingBehind = async (settings: Readonly<Record<string, string>>): Promise<PoolingMode> =>
  poolingOf(connectionTo(await behind(settings)))

async function onDatabase(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(database.connection)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Only in this database: other tests of the same run use the same role. */
async function giveRole(what: 'set' | 'reset'): Promise<void> {
  const role = `alter role ${database.connection.user} in database ${database.connection.database}`
  const statements = Object.entries(SESSION_SETTINGS).map(([setting, value]) =>
    what === 'set' ? `${role} set ${setting} = '${value}'` : `${role} reset ${setting}`,
  )
  await onDatabase(...statements)
}

const configured = async (settings: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
  readConfig({
    DATABASE_URL: await behind(settings),
    MALIPO_MASTER_KEY: MASTER_KEY,
    MALIPO_SANDBOX_DELAY_MS: '10',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...more,
  })

test('without a pooler there is nothing to refuse', async () => {
  expect(await poolingOf(connectionTo(databaseUrl(database.connection)))).toBe('none')
})

testBehind("explains what to set when a pooler refuses a session's settings", async () => {
  await expect(poolingBehind(TRANSACTION)).rejects.toMatchObject({
    name: 'UnfitPooler',
    lack: 'startup_parameters',
    message: expect.stringContaining(`Set ignore_startup_parameters = ${IGNORE.ignore_startup_parameters} in`),
  })
})

testBehind('refuses one that swallows the settings too, while the role lacks them', async () => {
  await expect(poolingBehind({ ...TRANSACTION, ...IGNORE })).rejects.toMatchObject({ lack: 'session_settings' })
})

testBehind('refuses a pooler that loses prepared statements at each start', async () => {
  await giveRole('set')
  const config = await configured({
    ...TRANSACTION,
    ...IGNORE,
    ...(version?.keepsStatements && { max_prepared_statements: '0' }),
  })
  for (const _start of ['first', 'next'])
    await expect(startGateway(config)).rejects.toMatchObject({
      name: 'UnfitPooler',
      lack: 'prepared_statements',
      message: expect.stringContaining('Use pgbouncer 1.21 or newer with max_prepared_statements = 200'),
    })
})

testBehind('accepts one that gives each session a connection of its own', async () => {
  await giveRole('set')
  expect(await poolingBehind({ pool_mode: 'session', ...IGNORE })).toBe('session')
})

testBehind('reports one that has a single connection to give', async () => {
  await giveRole('set')
  const single = { pool_mode: 'session', default_pool_size: '1', ...IGNORE }
  const queried = poolingOf(connectionTo(await behind(single)), 200)
  await expect(queried).rejects.toMatchObject({ lack: 'second_connection' })
})

testBehind('queries whether a server behind a pooler takes writes', async () => {
  const connection = connectionTo(await behind({ pool_mode: 'session' }))
  await openClient(connection).then((client) => client.end())
  const { database: name } = database.connection
  // The pooler must open new connections, as after a failover.
  const cut =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await onDatabase(`alter database ${name} set default_transaction_read_only = on`, cut)
  try {
    const queried = openClient({ ...connection, pooling: 'session' })
    await expect(queried).rejects.toMatchObject({ name: 'ReadOnlyDatabase' })
  } finally {
    await onDatabase('set default_transaction_read_only = off', `alter database ${name} reset all`)
  }
})

const fitMode = version?.keepsStatements ? 'transaction' : 'session'

testBehind(`accepts payments through a suitable pooler in ${fitMode} mode`, async () => {
  await giveRole('set')
  const fit = version?.keepsStatements ? { ...KEEPING, default_pool_size: '5' } : { pool_mode: 'session', ...IGNORE }
  const gateway = await startGateway(await configured(fit))
  try {
    const references = Array.from({ length: 40 }, (_, n) => `POOLED-${n}`)
    const accepted = await Promise.all(references.map((name) => collect(gateway.url, { merchant_reference: name })))
    expect(accepted.filter(({ status }) => status !== 202)).toEqual([])
    const completed = async () => {
      const found = await Promise.all(references.map((name) => verify(gateway.url, name)))
      return found.every(({ body }) => body.data['transaction_status'] === 'COMPLETED')
    }
    await until(completed, 60_000, 'all are completed')
  } finally {
    await gateway.stop()
  }
})

testKeeping('the operators of the sandbox depend on a session, and say so', async () => {
  await giveRole('set')
  const config = await configured(KEEPING, { MALIPO_SANDBOX_RAILS: 'wire' })
  await expect(startGateway(config)).rejects.toMatchObject({ name: 'UnfitPooler', lack: 'session_lock' })
})
