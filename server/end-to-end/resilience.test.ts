import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Gateway } from '../main.ts'
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { startCuttingProxy, type CuttingProxy } from '../testing/cutting-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { DEMO_KEYS, startTestGateway } from '../testing/gateway.ts'
import { startOwnPostgres, type OwnPostgres } from '../testing/own-postgres.ts'
import { startLoad, type PaymentLoad } from '../testing/payment-load.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { collect, mobileMoneyCollection, postJson, send, verify } from '../testing/requests.ts'
import { freePort, runCli, serve, until, type ServedGateway } from '../testing/served-gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'

// The database goes away in every way we know, under load on real processes. Whoever was acknowledged is paid once,
// told, and nobody saw more than a 503.

/**
 * The product's promise, not a guess about this machine: so long after the database is back everything that waited has
 * ended.
 */
const RESUMED_MS_MAX = 10_000
const CLIENTS = 16
/** One line per process in so much time, however much fails. */
const LOG_LINE_MS = 5_000
const MASTER_KEY = 'a master key for tests only, nothing real'

let receiver: Receiver
let dataDir: string
beforeAll(async () => {
  receiver = await startReceiver()
  dataDir = await mkdtemp(join(tmpdir(), 'malipo-resilience-'))
})
afterAll(async () => {
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

const told = () => new Set(receiver.received.map(({ json }) => String(json.payload.merchant_reference)))

interface Outcome {
  readonly connection: pg.PoolConfig
  readonly load: PaymentLoad
  readonly readyAt: number
}

/**
 * Stops the load; everything acknowledged ends, is told, and is there once, within the product's ten seconds. @returns
 * how long it took
 */
async function expectResumed({ connection, load, readyAt }: Outcome): Promise<number> {
  await load.stop()
  expect(load.faults).toEqual([])
  const pool = new pg.Pool(connection)
  try {
    const endedAt = await expectAllEnded(pool, load, readyAt)
    await expectEachOnce(pool, load)
    await expectBalancedBooks({ pool })
    return Math.round(endedAt - readyAt)
  } finally {
    await pool.end()
  }
}

async function expectAllEnded(pool: pg.Pool, load: PaymentLoad, readyAt: number): Promise<number> {
  const left = () => RESUMED_MS_MAX - (performance.now() - readyAt)
  const missing = () => [...load.acknowledged.keys()].filter((reference) => !told().has(reference))
  await until(() => missing().length === 0, left(), `all ${load.acknowledged.size} callbacks have come`).catch(
    async (error: Error) => {
      const { rows: work } = await pool.query(
        'select kind, attempt, count(*)::int as n, min(due_at - now())::text as due_in from work group by 1, 2 order by 1, 2',
      )
      throw new Error(`${error.message}; missing ${missing().length}; work: ${JSON.stringify(work)}`)
    },
  )
  await until(async () => (await pool.query('select from work')).rowCount === 0, left(), 'no work is left')
  return performance.now()
}

async function expectEachOnce(pool: pg.Pool, load: PaymentLoad): Promise<void> {
  const { rows: stored } = await pool.query<{ merchant_reference: string; internal_reference: string; status: string }>(
    `select merchant_reference, internal_reference, status from transactions where merchant_reference = any($1)`,
    [[...load.acknowledged.keys()]],
  )
  expect(stored).toHaveLength(load.acknowledged.size)
  expect(stored.filter(({ status }) => status !== 'COMPLETED')).toEqual([])
  expect(
    stored.filter(
      (row) => row.internal_reference !== (load.acknowledged.get(row.merchant_reference) ?? row.internal_reference),
    ),
  ).toEqual([])
  for (const doubled of [
    'select merchant_reference from transactions group by merchant_id, merchant_reference having count(*) > 1',
    'select reference from sandbox.orders where transfers <> 1',
    'select transaction_id from callbacks group by transaction_id having count(*) > 1',
  ])
    expect((await pool.query(doubled)).rows).toEqual([])
  const {
    rows: [counted],
  } = await pool.query<{ completed: bigint; credited: bigint }>(
    `select (select count(*) from transactions where status = 'COMPLETED') as completed, (select count(*) from transfers where kind = 'collection') as credited`,
  )
  expect(counted!.credited).toBe(counted!.completed)
}

const isReady = async (url: string) => (await send(url, 'GET', '/health/ready')).status === 200

function report(what: string, { figures, acknowledged }: PaymentLoad, resumedMs: number, more = ''): void {
  console.log(
    `${what}: ${acknowledged.size} collections, ${figures.requests} requests, ${figures.unavailable} × 503, ${figures.replayed} replayed, slowest reply ${figures.slowestReplyMs} ms, all ended ${resumedMs} ms after the return${more}`,
  )
}

/** The process ran through it all, said so little, and still stops in good order. */
async function expectQuietAndWell({ child, output, exited }: ServedGateway, startedAt: number): Promise<void> {
  expect(child.exitCode).toBeNull()
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; cause?: string })
    .filter(({ msg }) => !msg.startsWith('started as root'))
  expect(lines.filter(({ level }) => level >= 50)).toEqual([])
  const allowed = 1 + Math.ceil((performance.now() - startedAt) / LOG_LINE_MS)
  expect({ lines: lines.map(({ msg, cause }) => `${msg} (${cause})`), allowed }).toSatisfy(
    ({ lines: said, allowed: most }: { lines: string[]; allowed: number }) => said.length <= most,
  )
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}

describe('with the database of DATABASE_URL, an api and a worker process', () => {
  let postgres: OwnPostgres
  let env: Readonly<Record<string, string>>
  let api: ServedGateway
  let worker: ServedGateway
  let startedAt: number

  beforeAll(async () => {
    postgres = await startOwnPostgres({ max_connections: '26' })
    env = {
      DATABASE_URL: postgres.databaseUrl,
      MALIPO_MASTER_KEY: MASTER_KEY,
      MALIPO_SANDBOX_DELAY_MS: '200',
      MALIPO_DATABASE_CONNECTIONS: '8',
    }
    startedAt = performance.now()
    api = await serve({ dataDir, port: await freePort(), role: 'api', env })
    worker = await serve({ dataDir, port: 0, role: 'worker', env })
    await postgres.query('update merchants set collection_callback_url = $1', [receiver.url])
    await delay(1_000) // what an operator changes is seen within a second
  })
  afterAll(async () => {
    for (const { child, exited } of [api, worker]) {
      child.kill('SIGKILL')
      await exited
    }
    await postgres.remove()
  })

  /** Disturbs the database in the middle of a load that goes on before, meanwhile and after. */
  async function underLoad(what: string, disturb: () => Promise<string | void>): Promise<void> {
    const load = startLoad({ url: api.url, clients: CLIENTS })
    await delay(500)
    const more = await disturb().catch(async (error: Error) => {
      await load.stop()
      throw error
    })
    const readyAt = performance.now()
    await until(() => isReady(api.url), RESUMED_MS_MAX, '/health/ready says so')
    await delay(300)
    report(
      what,
      load,
      await expectResumed({ connection: { connectionString: postgres.databaseUrl }, load, readyAt }),
      more ? `; ${more}` : '',
    )
    for (const { child } of [api, worker]) expect(child.exitCode).toBeNull()
  }

  test('a restart (fast shutdown, away for a while): requests get 503, everything accepted ends within 10 s of the return', () =>
    underLoad('fast restart', async () => {
      await postgres.stop()
      await delay(1_500)
      expect((await send(api.url, 'GET', '/health/live')).status).toBe(200)
      expect(await isReady(api.url)).toBe(false)
      await postgres.start()
    }))

  test('an immediate shutdown: the same', () => underLoad('immediate shutdown', () => postgres.kill('SIGQUIT')))

  test('kill -9 of the postmaster: the same', () => underLoad('kill -9', () => postgres.kill('SIGKILL')))

  test('every connection killed 20 times, in the middle of transactions too: the same', () =>
    underLoad('killed connections', async () => {
      let [killed, inside] = [0, 0]
      for (let round = 0; round < 20; round++) {
        await delay(120)
        const ended = await postgres.terminateGateways()
        killed += ended.killed
        inside += ended.inTransaction
      }
      expect(inside).toBeGreaterThan(0)
      return `${killed} connections killed, ${inside} in a transaction`
    }))

  test('a table that somebody has locked, and with it a full pool: requests wait briefly, then 503; live stays 200, ready says 503', () =>
    underLoad('full pool', async () => {
      const blocker = await postgres.connect()
      await blocker.query('begin')
      // Verify asks for many references by one statement and needs two connections at most; each look at wallets takes
      // one of its own.
      await blocker.query('lock table transactions, accounts in access exclusive mode')
      const walletBalances = async () =>
        (await send(api.url, 'GET', '/data/wallet-balances', { headers: { 'secret-key': DEMO_KEYS['secret-key'] } }))
          .status
      const lookUps = Promise.all(
        Array.from({ length: 200 }, async (_, n) =>
          n % 2 === 0 ? walletBalances() : (await verify(api.url, 'LOAD-1-000001')).status,
        ),
      )
      try {
        await until(async () => !(await isReady(api.url)), RESUMED_MS_MAX, '/health/ready says 503')
        expect((await send(api.url, 'GET', '/health/live')).status).toBe(200)
        expect(new Set(await lookUps)).toEqual(new Set([503]))
        await delay(2_000)
      } finally {
        await blocker.end()
      }
    }))

  test('no connection left in the server (max_connections): the same', () =>
    underLoad('max_connections', async () => {
      const operator = await postgres.connect()
      const others: pg.Client[] = []
      // Whatever connection a gateway loses, one of ours tries to be there first.
      const takeOne = () =>
        postgres.connect().then(
          (client) => void others.push(client),
          ({ code }: { code?: string }) => expect(code).toBe('53300'),
        )
      const take = async (): Promise<void> =>
        void (await Promise.all(
          Array.from({ length: 8 }, async () => {
            for (let tries = 0; tries < 3; tries++) await takeOne()
          }),
        ))
      const terminate = async () =>
        (
          await operator.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'malipo'`,
          )
        ).rowCount
      await take()
      await until(
        async () => {
          const ended = await terminate()
          await take()
          return ended === 0
        },
        RESUMED_MS_MAX,
        'no gateway has a connection',
      )
      await delay(500)
      await expect(runCli(['serve'], dataDir, { ...env, PORT: '0' })).rejects.toThrow(
        /ended with 1: malipo: PostgreSQL at .* has no connection left for us\.\nRaise its max_connections, or lower MALIPO_DATABASE_CONNECTIONS\.\n$/,
      )
      await Promise.all([operator, ...others].map((client) => client.end()))
    }))

  test('a database that has become read-only: 503, and it goes on when it can write again', () =>
    underLoad('read-only', async () => {
      const operator = await postgres.connect()
      await operator.query('set default_transaction_read_only = off')
      await operator.query('alter system set default_transaction_read_only = on')
      await operator.query('select pg_reload_conf()')
      await delay(2_000)
      await operator.query('alter system reset default_transaction_read_only')
      await operator.query('select pg_reload_conf()')
      await operator.end()
    }))

  test('after all that both processes run, have logged at most a line in 5 s, and stop in good order', async () => {
    await expectQuietAndWell(api, startedAt)
    await expectQuietAndWell(worker, startedAt)
  })

  test('a start while the database is away ends with one clear message', async () => {
    await postgres.stop()
    await expect(runCli(['serve'], dataDir, { ...env, PORT: '0' })).rejects.toThrow(
      /ended with 1: malipo: PostgreSQL at .* cannot be reached \(.*\)\.\nStart it, or correct DATABASE_URL; without DATABASE_URL Malipo runs a PostgreSQL of its own\.\n$/,
    )
    await postgres.start()
  })
})

test('a start while the database is still starting ends with one clear message', async () => {
  const text = 'the database system is starting up'
  const fields = Buffer.from(`SFATAL\0C57P03\0M${text}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4])
  const starting = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, fields]))))
  await new Promise<void>((resolve) => starting.listen(0, '127.0.0.1', resolve))
  const { port } = starting.address() as AddressInfo
  const env = {
    DATABASE_URL: `postgres://malipo:secret@127.0.0.1:${port}/malipo`,
    MALIPO_MASTER_KEY: MASTER_KEY,
    PORT: '0',
  }
  await expect(runCli(['serve'], dataDir, env)).rejects.toThrow(
    `ended with 1: malipo: PostgreSQL at 127.0.0.1:${port} cannot be reached (${text}).\n`,
  )
  await new Promise((resolve) => starting.close(resolve))
})

describe('a connection that ends in the moment of the commit', () => {
  let database: TestDatabase
  let proxy: CuttingProxy
  let gateway: Gateway
  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startCuttingProxy(database.connection)
    gateway = await startTestGateway({ connection: { ...database.connection, host: '127.0.0.1', port: proxy.port } })
  })
  afterAll(async () => {
    await gateway.stop()
    await proxy.close()
    await database.drop()
  })

  /**
   * Of forty payments at once those that share the first commit lose their connection; then these are sent again.
   * @returns how they were answered the second time
   */
  async function sendTwice(
    cut: 'reply' | 'commit',
    withKey: boolean,
  ): Promise<{ readonly answers: Set<string>; readonly transactions: number }> {
    const payments = Array.from({ length: 40 }, () => mobileMoneyCollection())
    const sendAll = (bodies = payments) =>
      Promise.all(
        bodies.map((body) =>
          postJson(
            gateway.url,
            '/collections/initialize',
            body,
            withKey ? { 'idempotency-key': `key-${String(body.merchant_reference)}` } : {},
          ),
        ),
      )
    const cutsBefore = proxy.cuts()
    proxy.cut(cut, 1)
    const first = await sendAll()
    expect(proxy.cuts() - cutsBefore).toBe(1)
    const answers = first.map(({ status, headers }) => `${status}, again after ${headers.get('retry-after')} s`)
    expect(answers).toContain('503, again after 1 s')
    expect(answers.filter((answer) => !['202, again after null s', '503, again after 1 s'].includes(answer))).toEqual(
      [],
    )
    const second = await sendAll(payments.filter((_, index) => first[index]!.status === 503))
    const { rows } = await gateway.pool.query('select from transactions where merchant_reference = any($1)', [
      payments.map((body) => body.merchant_reference),
    ])
    return {
      answers: new Set(
        second.map(({ status, headers }) => `${status}${headers.has('idempotency-replayed') ? ' replayed' : ''}`),
      ),
      transactions: rows.length,
    }
  }

  test('with an Idempotency-Key the same request gets the reply that was lost, and there is one transaction', async () => {
    expect(await sendTwice('reply', true)).toEqual({ answers: new Set(['202 replayed']), transactions: 40 })
  })
  test('without one it gets a 409, and there is one transaction', async () => {
    expect(await sendTwice('reply', false)).toEqual({ answers: new Set(['409']), transactions: 40 })
  })
  test('a commit that never arrived left nothing behind: the same request is accepted, with a key or without', async () => {
    expect(await sendTwice('commit', true)).toEqual({ answers: new Set(['202']), transactions: 40 })
    expect(await sendTwice('commit', false)).toEqual({ answers: new Set(['202']), transactions: 40 })
  })
})

describe('with the embedded database', () => {
  let folder: string
  let gateway: ServedGateway
  let startedAt: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'malipo-resilience-'))
    startedAt = performance.now()
    gateway = await serve({ dataDir: folder, port: await freePort(), env: { MALIPO_SANDBOX_DELAY_MS: '200' } })
    await runCli(['merchant', 'set', 'pub_sandbox_demo', '--collection-callback-url', receiver.url], folder)
    await delay(1_000)
  })
  afterEach(async () => {
    gateway.child.kill('SIGKILL')
    await gateway.exited
    await rm(folder, { recursive: true, force: true })
  })

  test('the server brings a killed PostgreSQL back, and everything accepted ends within 10 s', async () => {
    const load = startLoad({ url: gateway.url, clients: CLIENTS })
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      await delay(700)
      const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), signal)
      await until(
        async () => (await collect(gateway.url)).status === 202,
        RESUMED_MS_MAX,
        'collections are accepted again',
      )
    }
    const readyAt = performance.now()
    const guest = await openEmbeddedPostgres({ dataDir: folder, role: 'guest' })
    try {
      report('embedded, three signals', load, await expectResumed({ connection: guest.connection, load, readyAt }))
    } finally {
      await guest.stop()
    }
    await expectQuietAndWell(gateway, startedAt)
  })
})
