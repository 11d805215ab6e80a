import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { OUR_REFERENCE } from '../../actions/ports/rail-references.ts'
import { orderToken } from '../../domain/callback-tokens.ts'
import { present } from '../../domain/present.ts'
import { operatorCallbackPath } from '../../http/operator-callbacks.ts'
import { createPool, type Pool } from '../../storage/pool.ts'
import { openCallbackKeys, readRailAccounts } from '../../storage/rail-accounts.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { smallerByDefault, testNightly } from '../testing/nightly.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { installRail } from '../testing/installed-rail.ts'
import { startOwnPostgres, type OwnPostgres } from '../testing/own-postgres.ts'
import { until, type ServedGateway } from '../testing/served-gateway.ts'

// PostgreSQL is paused (SIGSTOP), operators report, and API processes are killed. Every message that was answered with
// 200 is in the database afterwards, once, with the time at which it arrived.

const MESSAGES = smallerByDefault('messages while PostgreSQL stands still', 500, 5_000)
const STALL_MS = smallerByDefault('ms for which it stands still', 5_000, 60_000)
const KILLS = 3
/** How far the clock of a process may be from the one of this test, on a machine with other load. */
const BESIDE_MS = 2_000
const STORED_MS_MAX = 60_000

let postgres: OwnPostgres
let pool: Pool
let daraja: Simulator
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
const { folder: dataDir, start: startProcess, end, endAll } = gatewayProcesses()

beforeAll(async () => {
  postgres = await startOwnPostgres({ max_connections: '100' })
  pool = createPool({ connection: postgres.connection, connectionsMax: 2, onError: () => undefined })
  const first = await start()
  daraja = await startSimulator(present(SIMULATORS['daraja'], 'the simulator of Daraja')({}), { seed: 7 })
  await installRail({ pool, refresh: async () => undefined }, daraja, { name: 'kenya', providers: ['mpesa_ke'] })
  await end(first)
})
afterAll(async () => {
  await endAll()
  await daraja.close()
  await pool.end()
  await postgres.remove()
})

const start = (): Promise<ServedGateway> =>
  startProcess({
    dataDir,
    role: 'api',
    env: { DATABASE_URL: postgres.databaseUrl, MALIPO_SANDBOX_RAILS: 'simulated' },
  })

/**
 * Pauses all processes of PostgreSQL, as if its machine had stalled.
 * @returns a function that resumes them
 */
async function stopPostgres(): Promise<() => void> {
  const sessions = await postgres.query<{ pid: number }>('select pid from pg_stat_activity where pid is not null')
  const [postmaster] = (await readFile(join(postgres.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const pids = [Number(postmaster), ...sessions.map(({ pid }) => pid)]
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // The session that ran the query has ended.
      }
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

interface Address {
  readonly path: string
  readonly order: string
}

/**
 * Orders at an operator, each with the address that it reports to: inserted as rows, because thousands of payments take
 * minutes.
 */
async function placeOrders(count: number): Promise<readonly Address[]> {
  const row = present((await readRailAccounts(pool))[0], 'the rail account')
  const [railAccount, keys] = [row.name, openCallbackKeys(box, row)]
  const orders = Array.from({ length: count }, () => randomUUID())
  await postgres.query(
    `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
     select 1000000 + n, $1, $3, reference, now() from unnest($2::text[]) with ordinality as o(reference, n)`,
    [railAccount, orders, OUR_REFERENCE],
  )
  return orders.map((orderId) => ({
    path: operatorCallbackPath(
      railAccount,
      present(orderToken(keys, { railAccount, orderId }, new Date()), 'the token of an order'),
      orderId,
    ),
    order: orderId,
  }))
}

interface TimedReply {
  readonly status: number
  readonly ms: number
  readonly at: number
}

async function report(url: string, { path, order }: Address): Promise<TimedReply> {
  const startedAt = performance.now()
  const at = Date.now()
  const status = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify({ of: order }),
    signal: AbortSignal.timeout(60_000),
  }).then(
    async (reply) => (await reply.arrayBuffer(), reply.status),
    () => 0,
  )
  return { status, ms: performance.now() - startedAt, at }
}

const storedMessages = (orders: readonly string[]) =>
  postgres.query<{ order_id: string; received_at: Date }>(
    'select order_id, received_at from rail_callbacks where order_id = any($1)',
    [orders],
  )

const spooledFiles = async () =>
  (await readdir(join(dataDir, 'spool'), { recursive: true }).catch(() => [])).filter((name) => /\.spool/.test(name))

describe('while PostgreSQL is stopped and API processes are killed', () => {
  test(`stores every message that got 200 once, of ${MESSAGES} in ${STALL_MS} ms`, { timeout: 400_000 }, async () => {
    const gateways = await Promise.all(Array.from({ length: KILLS + 1 }, start))
    const addresses = await placeOrders(MESSAGES)
    const wake = await stopPostgres()
    const begunAt = performance.now()
    const sent = new Map<string, TimedReply>()
    const sending: Promise<void>[] = []
    const left = [...gateways]
    const survivor = present(gateways.at(-1), 'the process that is not killed')
    const toSurvivor: string[] = []
    try {
      for (const [n, address] of addresses.entries()) {
        const due = ((n + 1) / MESSAGES) * STALL_MS
        if (performance.now() - begunAt < due) await delay(due - (performance.now() - begunAt))
        // A process is killed after a quarter, a half and three quarters of the messages, with some in flight to it.
        const killed =
          n > 0 && n % Math.floor(MESSAGES / (KILLS + 1)) === 0 && left.length > 1 ? left.shift() : undefined
        const { url } = killed ?? left[n % left.length]!
        if (url === survivor.url) toSurvivor.push(address.order)
        sending.push(report(url, address).then((result) => void sent.set(address.order, result)))
        if (killed) void end(killed)
      }
      await Promise.all(sending)
    } finally {
      wake()
    }
    const wokenAt = performance.now()
    expect(gateways.filter(({ child }) => child.signalCode === null)).toEqual([survivor])
    const acknowledged = addresses.map(({ order }) => order).filter((order) => sent.get(order)?.status === 200)
    const times = [...sent.values()]
      .filter(({ status }) => status === 200)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b)
    const [slowest, slow] = [times.at(-1)!, times[Math.floor(times.length * 0.99)]!]
    const unanswered = [...sent.values()].filter(({ status }) => status === 0).length
    // Only messages in flight to a process when it died have no reply: all others are accepted.
    expect(acknowledged.length + unanswered).toBe(MESSAGES)
    expect(toSurvivor.filter((order) => sent.get(order)?.status !== 200)).toEqual([])

    await until(async () => (await spooledFiles()).length === 0, STORED_MS_MAX, 'the spool is empty')
    const storedAfterMs = Math.round(performance.now() - wokenAt)
    const stored = await storedMessages(addresses.map(({ order }) => order))
    const orders = stored.map(({ order_id }) => order_id)
    expect(acknowledged.filter((order) => !orders.includes(order))).toEqual([])
    expect(new Set(orders).size).toBe(orders.length)
    for (const { order_id, received_at } of stored) {
      const { at, ms } = sent.get(order_id)!
      expect(received_at.getTime()).toBeGreaterThan(at - BESIDE_MS)
      expect(received_at.getTime()).toBeLessThan(at + ms + BESIDE_MS)
    }
    console.log(
      `${acknowledged.length} of ${MESSAGES} messages acknowledged in ${STALL_MS} ms without PostgreSQL, ${unanswered} on their way to a killed process, replies within ${Math.round(slow)} ms (99 %) and ${Math.round(slowest)} ms (all), all stored ${storedAfterMs} ms after its return`,
    )
  })
})

testNightly('a stop with messages in the spool says so, however long the rest takes', async () => {
  await endAll()
  const gateway = await start()
  const [address] = await placeOrders(1)
  const wake = await stopPostgres()
  try {
    expect(await report(gateway.url, address!)).toMatchObject({ status: 200 })
    await end(gateway, 'SIGTERM')
  } finally {
    wake()
  }
  expect(gateway.output()).toMatch(/"msg":"messages of operators wait in the spool/)
  expect(gateway.output()).toContain('malipo: 1 message of an operator waits in ')
})
