import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StorageBusy, StorageUnavailable } from '../actions/ports/store.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import {
  BoundedPool,
  CONNECT_MS_MAX,
  WAITING_MAX,
  available,
  createPool,
  inTransaction,
  isUnavailable,
} from './pool.ts'
import { ConnectionFailed } from './driver-errors.ts'

const { pool, ...database } = await databaseTest({ connectionsMax: 2 })

/** The time passes only where the test says so: how fast the machine answers decides nothing. */
function timersByHand(): { readonly waitPasses: () => Promise<unknown> } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return { waitPasses: () => vi.advanceTimersByTimeAsync(CONNECT_MS_MAX) }
}

const LONG = 'select pg_sleep(14)'
/** A statement that gets no answer until it is canceled. */
const sleeps = (client: pg.PoolClient): Promise<unknown> => client.query(LONG).catch(() => undefined)

async function canceled(statements: readonly Promise<unknown>[]): Promise<void> {
  let areOver = false
  void Promise.all(statements).then(() => (areOver = true))
  const client = new pg.Client(database.connection)
  await client.connect()
  await expect
    .poll(async () => {
      await client.query(
        'select pg_cancel_backend(pid) from pg_stat_activity where query = $1 and datname = current_database()',
        [LONG],
      )
      return areOver
    })
    .toBe(true)
  await client.end()
}

test('bounds the waiters for a connection, refuses more at once, serves those in turn', async () => {
  timersByHand()
  const held = await Promise.all([pool.connect(), pool.connect()])
  const waiting = Array.from({ length: WAITING_MAX }, () => pool.query('select'))
  const refused = await Promise.allSettled([pool.query('select'), pool.connect()])
  expect(refused.map((one) => one.status === 'rejected' && isUnavailable(one.reason))).toEqual([true, true])
  for (const client of held) client.release()
  expect(await Promise.all(waiting)).toHaveLength(WAITING_MAX)
})

test('a lock or an idle transaction that takes too long counts as unavailable', async () => {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout') order by 1`,
  )
  expect(rows).toEqual([
    { name: 'lock_timeout', setting: '3000' },
    { name: 'statement_timeout', setting: '15000' },
  ])
  for (const code of ['55P03', '25P03', '53300', '25006', '57P01', '57P03', '08006'])
    expect(isUnavailable(answer(code))).toBe(true)
  for (const code of ['23505', '42P01', '25P02']) expect(isUnavailable(answer(code))).toBe(false)
})

/** An error of PostgreSQL with this SQLSTATE. */
const answer = (code: string): pg.DatabaseError => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code })

test('PostgreSQL without a listener counts as an unavailable database', async () => {
  const nowhere = createPool({
    connection: { ...database.connection, host: '/nowhere' },
    connectionsMax: 1,
    onError: () => undefined,
  })
  const queried = available(() => nowhere.query('select'))
  await expect(queried).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(queried).rejects.toMatchObject({
    cause: { name: 'ConnectionFailed', fault: 'unreachable', code: 'ENOENT' },
  })
  await nowhere.end()
})

test('reports a full pool as busy and not as an unavailable database', async () => {
  const { waitPasses } = timersByHand()
  const held = await Promise.all([pool.connect(), pool.connect()])
  const waits = Promise.allSettled([available(() => pool.query('select')), pool.connect()])
  await waitPasses()
  expect(await waits).toMatchObject([
    { status: 'rejected', reason: { name: 'StorageBusy', cause: { message: expect.stringContaining('all 2') } } },
    { status: 'rejected', reason: { name: 'StorageBusy' } },
  ])
  for (const client of held) client.release()
  expect(pool).toBeInstanceOf(BoundedPool)
  expect(pool).toMatchObject({ exhaustedCount: 4 }) // with the two of the first test
})

test('reports a full pool as busy while one of its connections gets answers', async () => {
  const { waitPasses } = timersByHand()
  const [prompt, slow] = await Promise.all([pool.connect(), pool.connect()])
  const slowStatement = sleeps(slow)
  const wait = expect(pool.connect()).rejects.toBeInstanceOf(StorageBusy)
  await prompt.query('select')
  const lastStatement = sleeps(prompt)
  await waitPasses()
  await wait
  await canceled([slowStatement, lastStatement])
  for (const client of [prompt, slow]) client.release()
})

test('reports a silent database when no connection of a full pool gets an answer', async () => {
  const { waitPasses } = timersByHand()
  const held = await Promise.all([pool.connect(), pool.connect()])
  const statements = held.map(sleeps)
  const refused = expect(available(() => pool.query('select'))).rejects.toMatchObject({
    name: 'StorageUnavailable',
    cause: { fault: 'silent' },
  })
  await waitPasses()
  await refused
  await canceled(statements)
  for (const client of held) client.release()
})

test('losing a pool connection during a statement counts as unavailable', async () => {
  const queried = available(() => pool.query('select pg_sleep(60), pg_backend_pid()'))
  const outcome = expect(queried).rejects.toBeInstanceOf(StorageUnavailable)
  await expect
    .poll(() =>
      pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'
      and datname = current_database() and pid <> pg_backend_pid()`),
    )
    .toMatchObject({ rowCount: 1 })
  await outcome
})

test('an error of other code is no lost database, whatever its text and code say', async () => {
  const errors = [
    new Error('something timed out'),
    new Error('the account was closed'),
    new Error('Query read timeout'),
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating'), { code: '57P01' }),
  ]
  for (const error of errors) {
    const failing = async () => Promise.reject(error)
    await expect(inTransaction(pool, failing)).rejects.toBe(error)
    await expect(available(failing)).rejects.toBe(error)
    expect(isUnavailable(new ConnectionFailed('lost', error))).toBe(true)
  }
})

test('stores nothing when a statement beside the commit fails, and says which', async () => {
  await pool.query('create table stored (id int primary key)')
  const insert = (id: number) => ({ text: 'insert into stored values ($1)', values: [id] })
  const last = async () => [insert(1), insert(1), insert(2)]
  await expect(inTransaction(pool, async () => undefined, last)).rejects.toMatchObject({ code: '23505' })
  expect((await pool.query('select from stored')).rowCount).toBe(0)
})

test('a pool ends after its connections close: a stopping PostgreSQL cuts none', async () => {
  const errors: Error[] = []
  const leaving = createPool({
    connection: database.connection,
    connectionsMax: 3,
    onError: (error) => errors.push(error),
  })
  const clients = await Promise.all([leaving.connect(), leaving.connect(), leaving.connect()])
  const streams = clients.map((client) => (client as unknown as pg.Client).connection.stream)
  for (const client of clients) client.release()
  await leaving.end()
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
  expect(errors).toEqual([])
})
