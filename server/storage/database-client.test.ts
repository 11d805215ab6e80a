import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startDatabaseProxy, type DatabaseProxy } from '../verification/chaos/database-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../verification/testing/database.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { listening } from '../verification/testing/listening.ts'
import { DatabaseClient, type ClientBounds } from './database-client.ts'
import { ConnectionFailed } from './driver-errors.ts'

let database: TestDatabase
let proxy: DatabaseProxy
const open: DatabaseClient[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.connection)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end().catch(() => undefined)))
})
afterAll(async () => {
  await proxy.close()
  await database.drop()
})

function client(options: pg.ClientConfig & ClientBounds = {}): DatabaseClient {
  const made = new DatabaseClient({ ...database.connection, host: '127.0.0.1', port: proxy.port, ...options })
  made.on('error', () => undefined)
  open.push(made)
  return made
}

async function connected(bounds: ClientBounds = {}): Promise<DatabaseClient> {
  const made = client({ pipeline: true, ...bounds })
  await made.connect()
  return made
}

/**
 * A server that does not speak PostgreSQL's protocol.
 * @returns its port
 */
async function server(onConnection: (socket: Socket) => void): Promise<number> {
  const { port, close } = await listening(createServer(onConnection))
  onTestFinished(close)
  return port
}

const failed = (fault: ConnectionFailed['fault']): unknown =>
  expect.objectContaining({ name: 'ConnectionFailed', fault })

test('a server that accepts connections and never replies is silent', async () => {
  const port = await server(() => undefined)
  await expect(client({ port, connectMsMax: 50 }).connect()).rejects.toEqual(failed('silent'))
})

test('a pooler that ends in the check for writes fails that connection alone', async () => {
  const made = new DatabaseClient({ ...database.connection, pooling: 'session' })
  made.connection.once('readyForQuery', () => made.connection.stream.destroy())
  await expect(made.connect()).rejects.toEqual(failed('lost'))
})

test('PostgreSQL without a listener is unreachable, in the words of the system', async () => {
  const port = await freePort()
  const refused = client({ port }).connect()
  await expect(refused).rejects.toEqual(failed('unreachable'))
  await expect(refused).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message: `connect ECONNREFUSED 127.0.0.1:${port}`,
  })
})

test('a connection that ends before the login is complete is lost', async () => {
  const port = await server((socket) => socket.once('data', () => socket.end()))
  await expect(client({ port }).connect()).rejects.toEqual(failed('lost'))
})

test('reports a server that requires a password when none is set', async () => {
  // SASL with SCRAM and its second message, as PostgreSQL authenticates by default.
  const questions = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x16\0\0\0\x0br=a,s=YQ==,i=1']
  const port = await server((socket) => socket.on('data', () => void socket.write(questions.shift() ?? '', 'latin1')))
  const nobody = { port, user: 'nobody', password: undefined, host: '127.0.0.1' }
  await expect(client(nobody).connect()).rejects.toEqual(failed('no_password'))
})

test("a wrong database is PostgreSQL's own error", async () => {
  const refused = client({ database: 'no_such_database' }).connect()
  await expect(refused).rejects.toBeInstanceOf(pg.DatabaseError)
  await expect(refused).rejects.toMatchObject({ code: '3D000' })
})

test('statements on a cut connection are lost, and so are those after it', async () => {
  const cut = await connected()
  const queried = Promise.allSettled([cut.query('select pg_sleep(60)'), cut.query('select 1')])
  proxy.cut()
  expect(await queried).toEqual([
    { status: 'rejected', reason: failed('lost') },
    { status: 'rejected', reason: failed('lost') },
  ])
  await expect(cut.query('select 1')).rejects.toEqual(failed('lost'))
})

test('a listener for the end of a connection gets the same error', async () => {
  const cut = await connected()
  const received = new Promise((resolve) => void cut.once('error', resolve))
  proxy.cut()
  expect(await received).toEqual(failed('lost'))
})

test('a backend terminated by an administrator says so, then its connection is lost', async () => {
  const ended = await connected()
  await expect(ended.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({
    name: 'error',
    code: '57P01',
  })
  await expect(ended.query('select 1')).rejects.toEqual(failed('lost'))
})

test('a statement past its time fails as silent, with all behind it on its connection', async () => {
  const stalled = await connected({ answerMsMax: 60_000 })
  const bounded = { text: 'select pg_sleep(60)', answerMsMax: 50 }
  const queried = await Promise.allSettled([stalled.query(bounded), stalled.query('select 1')])
  expect(queried).toEqual([
    { status: 'rejected', reason: failed('silent') },
    { status: 'rejected', reason: failed('silent') },
  ])
})

test('the limit of a connection applies to statements without one of their own', async () => {
  const stalled = await connected({ answerMsMax: 50 })
  await expect(stalled.query('select pg_sleep(60)')).rejects.toEqual(failed('silent'))
})

test('a reply in time ends the wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const quick = await connected({ answerMsMax: 600 })
  for (let n = 0; n < 3; n += 1) {
    expect((await quick.query('select 1')).rowCount).toBe(1)
    vi.advanceTimersByTime(400)
  }
})

test('a client that we ended has lost its connection', async () => {
  const ended = await connected()
  const ending = ended.end()
  await expect(ended.query('select 1')).rejects.toEqual(failed('lost'))
  await ending
})

test('sends the queries of one turn in one write, and later ones in another', async () => {
  const made = await connected()
  const stream = made.connection.stream as Socket
  let pieces = 0
  for (const way of ['_write', '_writev'] as const) {
    const write = (stream[way] as (...given: unknown[]) => void).bind(stream)
    stream[way] = (...given: unknown[]) => {
      pieces += 1
      write(...given)
    }
  }
  const answers = await Promise.all([
    made.query('begin'),
    Promise.resolve().then(() => made.query('select $1::int as n', [1])),
    made.query('commit'),
  ])
  expect(answers.map(({ command }) => command)).toEqual(['BEGIN', 'SELECT', 'COMMIT'])
  expect(pieces).toBe(1)
  await made.query('select $1::int as n', [2])
  expect(pieces).toBe(2)
})

test('an unsendable value and an unreadable row are our faults, whatever their text', async () => {
  const well = await connected()
  const poison = {
    toPostgres: () => {
      throw new Error('Connection terminated unexpectedly')
    },
  }
  await expect(well.query('select $1::text', [poison])).rejects.not.toBeInstanceOf(ConnectionFailed)
  const types = {
    getTypeParser: () => () => {
      throw new Error('the reading timed out')
    },
  }
  const unreadable = { text: 'select 1', types } as unknown as pg.QueryConfig
  await expect(well.query(unreadable)).rejects.toMatchObject({ name: 'Error', message: 'the reading timed out' })
  expect((await well.query('select 1')).rowCount).toBe(1)
})
