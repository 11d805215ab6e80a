import pg from 'pg'
import { expect } from 'vitest'
import { expectBalancedBooks } from './ledger.ts'
import type { PaymentLoad } from './payment-load.ts'
import type { Receiver } from './receiver.ts'
import { send } from './requests.ts'
import { until, type ServedGateway } from './served-gateway.ts'
import { OPERATORS_BOOK } from './operators-book.ts'
import { byForm } from './sandbox-rails.ts'

/**
 * The product's promise, not a guess about this machine: this long after the database is back everything that waited
 * has ended.
 */
export const RESUMED_MS_MAX = 10_000
/**
 * The sandbox's operators keep their records in the same database: on the wire, its outage is also theirs, and orders
 * affected by it have had some attempts.
 */
const ENDED_MS_MAX = byForm(RESUMED_MS_MAX, 60_000)
/** Jobs that confirm an operator's message with status queries stay longer; the order itself has ended by then. */
const LEFT_WORK = byForm('select from jobs', `select from jobs where kind <> 'readRailCallback'`)
export const CLIENTS = 16
/** At most one log line per process in this time, however much fails. */
const LOG_LINE_MS = 5_000

interface Outcome {
  readonly connection: pg.PoolConfig
  readonly load: PaymentLoad
  readonly readyAt: number
  /** The merchant's server that receives every callback. */
  readonly receiver: Receiver
}

/**
 * Stops the load; every acknowledged payment ends, is reported, and exists once, within the product's ten seconds (a
 * minute, if the operators were away too).
 * @returns how long it took
 */
export async function expectResumed({ connection, load, readyAt, receiver }: Outcome): Promise<number> {
  await load.stop()
  expect(load.faults).toEqual([])
  const pool = new pg.Pool(connection)
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    const endedAt = await expectAllEnded(pool, { load, readyAt, receiver })
    await expectEachOnce(pool, load)
    await expectBalancedBooks({ pool })
    return Math.round(endedAt - readyAt)
  } finally {
    await pool.end()
  }
}

async function expectAllEnded(
  pool: pg.Pool,
  { load, readyAt, receiver }: Omit<Outcome, 'connection'>,
): Promise<number> {
  const reported = () => new Set(receiver.received.map(({ json }) => String(json.payload.merchant_reference)))
  const left = () => ENDED_MS_MAX - (performance.now() - readyAt)
  const missing = () => [...load.acknowledged.keys()].filter((reference) => !reported().has(reference))
  await until(() => missing().length === 0, left(), `all ${load.acknowledged.size} callbacks have come`).catch(
    async (error: Error) => {
      const { rows: work } = await pool.query(
        'select kind, attempt, count(*)::int as n, min(due_at - now())::text as due_in from jobs group by 1, 2 order by 1, 2',
      )
      throw new Error(`${error.message}; missing ${missing().length}; work: ${JSON.stringify(work)}`)
    },
  )
  await until(async () => (await pool.query(LEFT_WORK)).rowCount === 0, left(), 'no work is left')
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
    `select reference from ${OPERATORS_BOOK} o where transfers <> 1`,
    'select transaction_id from callbacks group by transaction_id having count(*) > 1',
  ])
    expect((await pool.query(doubled)).rows).toEqual([])
  const {
    rows: [counted],
  } = await pool.query<{ completed: bigint; credited: bigint }>(
    `select (select count(*) from transactions where status = 'COMPLETED') as completed, (select count(*) from transfers where kind = 'collection') as credited`,
  )
  expect(counted?.credited).toBe(counted?.completed)
}

export const isReady = async (url: string) => (await send(url, 'GET', '/health/ready')).status === 200

export function report(what: string, { figures, acknowledged }: PaymentLoad, resumedMs: number, more = ''): void {
  console.log(
    `${what}: ${acknowledged.size} collections, ${figures.requests} requests, ${figures.unavailable} × 503, ${figures.replayed} replayed, slowest reply ${figures.slowestReplyMs} ms, all ended ${resumedMs} ms after the return${more}`,
  )
}

/** The process survived all of it, logged no more than this, and still stops in good order. */
export async function expectQuietAndWell({ child, output, exited }: ServedGateway, startedAt: number): Promise<void> {
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
