import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDatabaseProxy, type DatabaseProxy } from '../verification/chaos/database-proxy.ts'
import { databaseUrl } from '../verification/testing/database.ts'
import { listening, type Listening } from '../verification/testing/listening.ts'
import { startOwnPostgres, type OwnPostgres } from '../verification/testing/own-postgres.ts'
import { startStandbyOf, type Standby } from '../verification/testing/standby.ts'
import { connectionTo, type DatabaseConnection } from './database-hosts.ts'
import { migrate } from './migrate.ts'
import { openClient } from './open-client.ts'
import { checkReachable } from '../admin/queries/database-state.ts'
import { createPool, isUnavailable, type Pool } from './pool.ts'
import { onJobNotice } from './job-notices.ts'

let primary: OwnPostgres
let standby: Standby
let proxy: DatabaseProxy
/** An unresponsive server: accepts connections and never answers. */
let hanging: Listening
let hung = 0
const pools: Pool[] = []
beforeAll(async () => {
  primary = await startOwnPostgres({ fsync: 'off' })
  standby = await startStandbyOf(primary)
  proxy = await startDatabaseProxy(primary.connection)
  hanging = await listening(createServer(() => void (hung += 1)))
}, 60_000)
afterEach(async () => {
  hung = 0
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
})
afterAll(async () => {
  await hanging?.close()
  await proxy?.close()
  await standby?.remove()
  await primary?.remove()
})

const portOf = ({ port }: Listening): string => `127.0.0.1:${port}`

/** A connection in the format of DATABASE_URL: unix sockets by their folder. */
function toHosts(...given: readonly string[]): DatabaseConnection {
  const { user, password, database } = primary.connection
  const [hosts, ports] = [0, 1].map((part) => given.map((host) => host.split(':')[part] ?? '5432').join(','))
  return connectionTo(
    `postgres://${user}:${password}@/${database}?host=${hosts}&port=${ports}&target_session_attrs=read-write`,
  )
}
const ofPrimary = () => primary.connection.host
const ofStandby = () => standby.connection.host

function poolTo(connection: DatabaseConnection, connectionsMax = 2): Pool {
  const pool = createPool({ connection, connectionsMax, onError: () => undefined })
  pools.push(pool)
  return pool
}

/** Which server answers: only the standby has a cluster name. */
const answering = async (pool: Pool): Promise<'primary' | 'standby'> => {
  const { rows } = await pool.query<{ cluster_name: string }>('show cluster_name')
  return rows[0]?.cluster_name === 'standby' ? 'standby' : 'primary'
}

// To the pool the database is away.
test('the start, migrations and a pool refuse a standby alone, by name', async () => {
  const connection = connectionTo(databaseUrl(standby.connection))
  const refused = { name: 'ReadOnlyDatabase', reason: 'in_recovery', message: 'it is a standby (in recovery)' }
  await expect(checkReachable(connection)).rejects.toMatchObject(refused)
  await expect(migrate(connection, 'sandbox')).rejects.toMatchObject(refused)
  const queried = poolTo(connection).query('select')
  await expect(queried).rejects.toMatchObject(refused)
  expect(await queried.catch(isUnavailable)).toBe(true)
})

test('refuses a primary that may not write, and accepts it when it may again', async () => {
  const { database } = primary.connection
  await primary.query(`alter database ${database} set default_transaction_read_only = on`)
  const pool = poolTo(connectionTo(primary.databaseUrl))
  await expect(pool.query('select')).rejects.toMatchObject({
    name: 'ReadOnlyDatabase',
    reason: 'read_only',
    message: 'it is read-only (default_transaction_read_only is on)',
  })
  const operator = await primary.connect()
  await operator.query('set default_transaction_read_only = off')
  await operator.query(`alter database ${database} reset all`)
  await operator.end()
  expect((await pool.query('select')).rowCount).toBe(1)
})

test('finds and remembers the writable host of several, even behind a hanging one', async () => {
  const connection = toHosts(portOf(hanging), ofStandby(), ofPrimary())
  const pool = poolTo(connection)
  expect(await answering(pool)).toBe('primary')
  expect(hung).toBe(1)
  const both = await Promise.all([pool.connect(), pool.connect()])
  for (const client of both) client.release()
  const beside = await openClient(connection)
  await beside.end()
  expect(hung).toBe(1)
})

test('reports each host when none takes writes, without a password', async () => {
  const connection = toHosts(ofStandby(), '/nowhere')
  for (const query of [checkReachable, (to: DatabaseConnection) => poolTo(to).query('select')]) {
    const error = await query(connection).then(
      () => undefined,
      (refused: unknown) => refused as Error,
    )
    expect(error).toMatchObject({ name: 'NoWritableHost' })
    expect(error?.message).toContain(`${ofStandby()}:5432: it is a standby (in recovery)`)
    expect(error?.message).toContain('/nowhere:5432: connect ENOENT')
    expect(error?.message).not.toContain(primary.connection.password)
  }
})

test('reports a wrong password as such', async () => {
  const { user, database } = primary.connection
  const connection = connectionTo(`postgres://${user}:wrong@/${database}?host=/nowhere,${ofPrimary()}`)
  await expect(checkReachable(connection)).rejects.toMatchObject({ code: '28P01' })
})

// The old primary hangs.
test('after a promotion pool and listener follow, and no caller waits for the old', async () => {
  const connection = toHosts(`127.0.0.1:${proxy.port}`, ofStandby())
  const pool = poolTo(connection)
  const notices = onJobNotice({ connection, pool, name: 'me', onNotice: () => undefined, onDeaf: () => undefined })
  try {
    await expect.poll(() => notices.isListening(), { timeout: 60_000 }).toBe(true)
    const held = await Promise.all([pool.connect(), pool.connect()])
    void proxy.stall(600_000)
    const waiting = Promise.allSettled(held.map((client) => client.query('select pg_sleep(0)')))
    await standby.promote()
    // All connections are in use, so only a connection outside of the pool can find the new primary.
    await expect(pool.query('select')).rejects.toMatchObject({ fault: 'silent' })
    const lost = { status: 'rejected', reason: expect.objectContaining({ name: 'ConnectionFailed', fault: 'lost' }) }
    expect(await waiting).toEqual([lost, lost])
    for (const client of held) client.release(true)
    await expect.poll(() => answering(pool).catch(() => undefined), { timeout: 60_000 }).toBe('standby')
  } finally {
    await notices.stop()
  }
})
