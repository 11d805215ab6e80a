import pg from 'pg'
import { expect, test } from 'vitest'
import { StorageBusy, StorageUnavailable } from '../actions/ports/store.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { forFile } from '../verification/testing/for-file.ts'
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

/** The same pool with a shorter wait for a connection than the two seconds of a gateway. */
const SHORT_WAIT_MS = 1_000
const impatient = new BoundedPool({
  ...pool.options,
  password: database.connection.password,
  connectionTimeoutMillis: SHORT_WAIT_MS,
})
await forFile(Promise.resolve({ end: () => impatient.end() }))
/** Holds a connection for longer than that. */
const LONGER = 'select pg_sleep(1.5)'

test('bounds the waiters for a connection, refuses more at once, serves those in turn', async () => {
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
  const held = await Promise.all([impatient.connect(), impatient.connect()])
  const waits = await Promise.allSettled([available(() => impatient.query('select')), impatient.connect()])
  for (const client of held) client.release()
  expect(waits).toMatchObject([
    { status: 'rejected', reason: { name: 'StorageBusy', cause: { message: expect.stringContaining('all 2') } } },
    { status: 'rejected', reason: { name: 'StorageBusy' } },
  ])
  expect(pool.options.connectionTimeoutMillis).toBe(CONNECT_MS_MAX)
  expect(impatient.exhaustedCount).toBeGreaterThanOrEqual(2)
})

test('reports a full pool as busy while one of its connections gets answers', async () => {
  const [prompt, slow] = await Promise.all([impatient.connect(), impatient.connect()])
  const sleeps = slow.query(LONGER)
  const wait = expect(impatient.connect()).rejects.toBeInstanceOf(StorageBusy)
  await prompt.query('select')
  const lastStatement = prompt.query(LONGER)
  await wait
  await Promise.all([sleeps, lastStatement])
  for (const client of [prompt, slow]) client.release()
})

test('reports a silent database when no connection of a full pool gets an answer', async () => {
  const held = await Promise.all([impatient.connect(), impatient.connect()])
  const sleeps = held.map((client) => client.query(LONGER))
  await expect(available(() => impatient.query('select'))).rejects.toMatchObject({
    name: 'StorageUnavailable',
    cause: { fault: 'silent' },
  })
  await Promise.all(sleeps)
  for (const client of held) client.release()
})

test('losing a pool connection during a statement counts as unavailable', async () => {
  const queried = available(() => pool.query('select pg_sleep(60), pg_backend_pid()'))
  const outcome = expect(queried).rejects.toBeInstanceOf(StorageUnavailable)
  await expect
    .poll(() =>
      pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'
      and pid <> pg_backend_pid()`),
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
