import { freePort } from '../testing/free-port.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { createPool, type Pool } from '../../storage/pool.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { smallerByDefault, isNightly } from '../testing/nightly.ts'
import { OPERATORS_BOOK } from '../testing/operators-book.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { collect, collectionBalance, verify } from '../testing/requests.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import { runCli, serve, until, type ServedGateway } from '../testing/served-gateway.ts'

// kill -9 in the middle of many collections. An independent list of acknowledged payments is the judge: none is lost,
// none is credited twice. PostgreSQL is killed in embedded-resilience.slow.test.ts.

/** Over the wire each collection takes four calls and one message over HTTP. */
const COLLECTIONS = byForm(smallerByDefault('collections', 200, 2_000), 200)
const CLIENTS = 32
// A killed worker's leases end after 30 s; its jobs then query the rail and go on. The nightly run waits for that; the
// default run ages the dead worker's leases by half a minute.
const LEASE_MS = 30_000
const EVERYTHING_ENDS_MS = 90_000

/** A gateway on a data folder of its own, and the receiver of its callbacks. */
interface CrashFixture {
  readonly dataDir: string
  readonly receiver: Receiver
  gateway: ServedGateway
  start(): Promise<ServedGateway>
}

/** Runs until the end of the test. */
async function openStand({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<CrashFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'malipo-crash-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const port = await freePort()
  const start = () => serve({ dataDir, port, env: { MALIPO_SANDBOX_DELAY_MS: '200' } })
  const stand: CrashFixture = { dataDir, receiver, gateway: await start(), start }
  onTestFinished(() => end(stand))
  await runCli(['merchant', 'set', 'pub_sandbox_demo', '--collection-callback-url', receiver.url], dataDir)
  // A running server reads the new URL within a second, and would send earlier callbacks to the old one.
  await end(stand)
  stand.gateway = await start()
  return stand
}

/** Ages the dead worker's leases by half a minute: other workers take over a job only when its lease ends. */
async function passLeases(dataDir: string): Promise<void> {
  await withDatabase(dataDir, async (pool) => {
    await pool.query(`update jobs set due_at = due_at - $1 * interval '1 ms' where token is not null`, [LEASE_MS])
  })
}

async function end({ gateway: { child, exited } }: CrashFixture): Promise<void> {
  child.kill('SIGTERM')
  await exited
}

const reference = (n: number): string => `CRASH-${String(n).padStart(6, '0')}`
const msisdn = (n: number): string => `25677${String(n).padStart(4, '0')}123`

/**
 * Sends all collections; calls `whenAcknowledged` once, after half of them. Resends whatever is not acknowledged, as a
 * merchant would.
 */
async function collectAll(stand: CrashFixture, whenAcknowledged: () => Promise<void>): Promise<void> {
  let next = 0
  let acknowledged = 0
  let disaster: Promise<void> | undefined
  const client = async () => {
    while (next < COLLECTIONS) {
      const n = next++
      await until(() => isAccepted(stand, n), 60_000, `${reference(n)} is acknowledged`)
      acknowledged += 1
      if (acknowledged >= COLLECTIONS / 2) disaster ??= whenAcknowledged()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await disaster
}

async function isAccepted({ gateway }: CrashFixture, n: number): Promise<boolean> {
  const reply = await collect(gateway.url, { merchant_reference: reference(n), msisdn: msisdn(n) }).catch(
    () => undefined,
  )
  // 409 is an acknowledgement as well: the first reply was lost, not the request.
  if (reply && ![202, 409, 503].includes(reply.status))
    throw new Error(`${reference(n)} got ${reply.status}: ${reply.body.message}`)
  return reply?.status === 202 || reply?.status === 409
}

async function expectNothingLostNothingDoubled({ dataDir, gateway, receiver }: CrashFixture): Promise<void> {
  const reported = () =>
    new Set(
      receiver.received
        .filter(({ json }) => json.event === 'transaction.completed')
        .map(({ json }) => json.payload.merchant_reference),
    )
  await until(() => reported().size === COLLECTIONS, EVERYTHING_ENDS_MS, 'every collection has its callback').catch(
    (error: unknown) => {
      const missing = Array.from({ length: COLLECTIONS }, (_, n) => reference(n)).filter(
        (each) => !reported().has(each),
      )
      throw new Error(`${String(error)}; missing are ${missing.length}, such as ${missing.slice(0, 5).join(', ')}`)
    },
  )
  expect(await collectionBalance(gateway.url)).toBe(COLLECTIONS * 4950)
  for (const n of [0, COLLECTIONS / 2, COLLECTIONS - 1])
    expect((await verify(gateway.url, reference(n))).body.data.transaction_status).toBe('COMPLETED')
  await withDatabase(dataDir, async (pool) => {
    await expectBalancedBooks({ pool })
    const { rows: states } = await pool.query('select status, count(*)::int as n from transactions group by 1')
    expect(states).toEqual([{ status: 'COMPLETED', n: COLLECTIONS }])
    const { rows: moved } = await pool.query(
      `select count(*)::int as n, max(transfers) as most from ${OPERATORS_BOOK} o`,
    )
    expect(moved).toEqual([{ n: COLLECTIONS, most: 1 }])
    const { rows: credited } = await pool.query(`select count(*)::int as n from transfers where kind = 'collection'`)
    expect(credited).toEqual([{ n: COLLECTIONS }])
    await until(
      async () => (await pool.query('select from jobs')).rowCount === 0,
      EVERYTHING_ENDS_MS,
      'no work is left',
    )
  })
}

async function withDatabase(dataDir: string, run: (pool: Pool) => Promise<void>): Promise<void> {
  const database = await openEmbeddedPostgres({ dataDir, role: 'guest' })
  const pool = createPool({ connection: database.connection, connectionsMax: 4, onError: () => undefined })
  try {
    await run(pool)
  } finally {
    await pool.end()
    await database.stop()
  }
}

// Each callback arrives.
test(
  `kill -9 of the server amid ${COLLECTIONS} collections: none lost, none doubled`,
  { timeout: 240_000 },
  async (context) => {
    const stand = await openStand(context)
    await collectAll(stand, async () => {
      stand.gateway.child.kill('SIGKILL')
      await stand.gateway.exited
      if (!isNightly) await passLeases(stand.dataDir)
      stand.gateway = await stand.start()
    })
    await expectNothingLostNothingDoubled(stand)
  },
)
