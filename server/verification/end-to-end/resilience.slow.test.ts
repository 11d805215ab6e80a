import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallerByDefault } from '../testing/nightly.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { DEMO_KEYS, MASTER_KEY } from '../testing/gateway.ts'
import { CLIENTS, expectQuietAndWell, expectResumed, isReady, report, RESUMED_MS_MAX } from '../testing/outage.ts'
import { startOwnPostgres, type OwnPostgres } from '../testing/own-postgres.ts'
import { forFile } from '../testing/for-file.ts'
import { listening } from '../testing/listening.ts'
import { startLoad } from '../testing/payment-load.ts'
import { startReceiver } from '../testing/receiver.ts'
import { send, verify } from '../testing/requests.ts'
import { runCli, until, type ServedGateway } from '../testing/served-gateway.ts'

// The database fails in every way we know, under load on real processes. Every acknowledged payment is paid once and
// reported, and no client sees worse than a 503. owner.nightly.test.ts and the drill (`npm run chaos`) kill PostgreSQL itself.

const receiver = await forFile(startReceiver())
const { folder: dataDir, start, endAll } = gatewayProcesses()

const KILLS = smallerByDefault('killings of every connection', 8, 20)

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
    api = await start({ dataDir, role: 'api', env })
    worker = await start({ dataDir, role: 'worker', env })
    await postgres.query('update merchants set collection_callback_url = $1', [receiver.url])
    await delay(1_000) // processes read a change by staff within a second
  })
  afterAll(async () => {
    await endAll()
    await postgres.remove()
  })

  /** Disturbs the database in the middle of a load that runs before, during and after the disturbance. */
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
      await expectResumed({ connection: { connectionString: postgres.databaseUrl }, load, readyAt, receiver }),
      more ? `; ${more}` : '',
    )
    for (const { child } of [api, worker]) expect(child.exitCode).toBeNull()
  }

  // A fast shutdown, and away for a while.
  test('a restart: requests get 503, everything accepted ends within 10 s of the return', () =>
    underLoad('fast restart', async () => {
      await postgres.stop()
      await delay(1_500)
      expect((await send(api.url, 'GET', '/health/live')).status).toBe(200)
      expect(await isReady(api.url)).toBe(false)
      await postgres.start()
    }))

  test(`survives ${KILLS} kills of every connection, even in the middle of transactions`, () =>
    underLoad('killed connections', async () => {
      let [killed, inside] = [0, 0]
      for (let round = 0; round < KILLS; round++) {
        await delay(120)
        const ended = await postgres.terminateGateways()
        killed += ended.killed
        inside += ended.inTransaction
      }
      expect(inside).toBeGreaterThan(0)
      return `${killed} connections killed, ${inside} in a transaction`
    }))

  test('a locked table and a full pool: short waits, then 503; ready says so, live 200', () =>
    underLoad('full pool', async () => {
      const blocker = await postgres.connect()
      await blocker.query('begin')
      // Verify looks up many references with one statement and needs two connections at most; each wallet lookup takes
      // a connection of its own.
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
        await delay(1_000)
      } finally {
        await blocker.end()
      }
    }))

  test('no connection left in the server (max_connections): the same', () =>
    underLoad('max_connections', async () => {
      const admin = await postgres.connect()
      const others: pg.Client[] = []
      // Whenever a gateway loses a connection, one of ours tries to take its slot first.
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
        (await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'malipo'`))
          .rowCount
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
        /ended with 1: malipo: PostgreSQL at .* has no connection left for Malipo\.\nRaise its max_connections, or lower MALIPO_DATABASE_CONNECTIONS\.\n$/,
      )
      await Promise.all([admin, ...others].map((client) => client.end()))
    }))

  test('a read-only database gives 503; work goes on once it can write again', () =>
    underLoad('read-only', async () => {
      const admin = await postgres.connect()
      await admin.query('set default_transaction_read_only = off')
      await admin.query('alter system set default_transaction_read_only = on')
      await admin.query('select pg_reload_conf()')
      await delay(1_000)
      await admin.query('alter system reset default_transaction_read_only')
      await admin.query('select pg_reload_conf()')
      await admin.end()
    }))

  test('then both processes run, have logged a line in 5 s at most, and stop cleanly', async () => {
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

test('a start waits for a starting database, then ends with one clear message', async () => {
  const text = 'the database system is starting up'
  const fields = Buffer.from(`SFATAL\0C57P03\0M${text}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4])
  const starting = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, fields]))))
  const { port, close } = await listening(starting)
  const env = {
    DATABASE_URL: `postgres://malipo:secret@127.0.0.1:${port}/malipo`,
    MALIPO_MASTER_KEY: MASTER_KEY,
    PORT: '0',
    MALIPO_DATABASE_WAIT_MS: '700',
  }
  const ended = await runCli(['serve'], dataDir, env).catch(String)
  expect(ended).toContain('ended with 1: ')
  expect(ended.split('no primary yet: the start waits for one, 1 s at most')).toHaveLength(2)
  expect(ended).toContain(`\nmalipo: PostgreSQL at 127.0.0.1:${port} cannot be reached (${text}).\n`)
  await close()
})
