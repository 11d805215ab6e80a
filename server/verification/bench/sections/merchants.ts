import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { openEmbeddedPostgres } from '../../../local/embedded-postgres/embedded-postgres.ts'
import { databaseUrl, startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { runLoad, type Load } from '../load.ts'
import { addMerchants } from '../many-merchants.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import { API_HEADERS, keysOf } from '../requests.ts'
import { atMost, rate, type Measurement, type Section } from '../section.ts'
import { stallsDuring, watchingStalls, type Stalls } from '../stalls.ts'

const MERCHANTS = 100_000
const REQUESTED_FOR = 20_000
const CHANGES_PER_SECOND = 50
const CHANGING_MS = 10_000
const REVOKED = 10
const TARGETS = { startMs: 3_000, residentMb: 400, stallMs: 20, revokedMs: 1_000 }

/** What many merchants cost a process that serves them, and how soon all processes see a change. */
export const merchantsSection: Section = {
  name: 'merchants',
  what: `${wholeNumber(MERCHANTS)} merchants: start, memory, stalls while they change, revoked keys`,
  async run(step) {
    const dataDir = await temporaryFolder()
    const postgres = await openEmbeddedPostgres({ dataDir, role: 'owner', mayMakeDatabases: true })
    const client = new pg.Client(postgres.connection)
    client.on('error', () => undefined)
    try {
      const env = { DATABASE_URL: databaseUrl(postgres.connection) }
      const few = await startedWith(dataDir, env)
      await few.gateway.stop()
      await client.connect()
      step('adding merchants')
      await addMerchants(client, dataDir, MERCHANTS)
      return await measure(client, dataDir, env, few, step)
    } finally {
      await client.end()
      await postgres.stop()
    }
  },
}

interface StartedGateway {
  readonly gateway: GatewayProcess
  readonly startMs: number
  readonly residentMb: number
}

/** Until the first reply. */
async function startedWith(dataDir: string, env: Readonly<Record<string, string>>): Promise<StartedGateway> {
  const watching = watchingStalls(dataDir)
  const startedAt = performance.now()
  const gateway = await startGatewayProcess('all', dataDir, { ...watching, env: { ...watching.env, ...env } })
  return { gateway, startMs: performance.now() - startedAt, residentMb: await residentMb(gateway.pid) }
}

async function measure(
  client: pg.Client,
  dataDir: string,
  env: Readonly<Record<string, string>>,
  few: Omit<StartedGateway, 'gateway'>,
  step: (text: string) => void,
): Promise<Measurement> {
  step('start')
  const many = await startedWith(dataDir, env)
  const { gateway } = many
  step(`requests of ${REQUESTED_FOR} merchants`)
  const one = await requests(gateway)
  const all = await requests(gateway, { merchants: REQUESTED_FOR })
  const residentAfterMb = await residentMb(gateway.pid)
  step('stalls')
  const calm = await stallsDuring(gateway, () => requests(gateway, PACED))
  const changing = await stallsDuring(gateway, () =>
    Promise.all([requests(gateway, PACED), changeMerchants(client, CHANGING_MS)]),
  )
  step('revoked keys')
  const second = await startGatewayProcess('all', dataDir, { env })
  const revokedMs: number[] = []
  for (let n = 1; n <= REVOKED; n += 1) revokedMs.push(await untilRefused(client, [gateway, second], n))
  await Promise.all([gateway.stop(), second.stop()])
  return {
    figures: figuresOf({ few, many, one, all, residentAfterMb, calm, changing, revokedMs }),
    notes: [
      `Each with three keys and all payment options. ${CHANGES_PER_SECOND} merchants changed per second for ${CHANGING_MS / 1000} s beside ${PACED.pacePerSecond} requests per second; ${REVOKED} keys were revoked, and asked for every 10 ms at two processes until both refused.`,
    ],
    raw: {
      few,
      many: { startMs: many.startMs, residentMb: many.residentMb },
      one,
      all,
      residentAfterMb,
      calm,
      changing,
      revokedMs,
    },
  }
}

interface Measurements {
  readonly few: Omit<StartedGateway, 'gateway'>
  readonly many: Omit<StartedGateway, 'gateway'>
  readonly one: Load
  readonly all: Load
  readonly residentAfterMb: number
  readonly calm: Stalls
  readonly changing: Stalls
  readonly revokedMs: readonly number[]
}

const figuresOf = ({ few, many, one, all, residentAfterMb, calm, changing, revokedMs }: Measurements) => [
  {
    name: 'start to the first answer',
    peer: `one merchant ${wholeNumber(few.startMs)} ms`,
    ratio: many.startMs / few.startMs,
    ...atMost(TARGETS.startMs, 'ms', many.startMs),
  },
  {
    name: 'memory after the start',
    peer: `one merchant ${wholeNumber(few.residentMb)} MB`,
    ratio: many.residentMb / few.residentMb,
    ...atMost(TARGETS.residentMb, 'MB', many.residentMb),
  },
  {
    name: `  after requests of ${wholeNumber(REQUESTED_FOR)} merchants`,
    ...atMost(TARGETS.residentMb, 'MB', residentAfterMb),
  },
  {
    name: `provider lookups of ${wholeNumber(REQUESTED_FOR)} merchants alternately`,
    value: rate(all.perSecond),
    peer: `one merchant ${rate(one.perSecond)}`,
    ratio: all.perSecond / one.perSecond,
  },
  {
    name: '  their 99th percentile',
    value: `${all.p99Ms.toFixed(1)} ms`,
    peer: `one merchant ${one.p99Ms.toFixed(1)} ms`,
  },
  {
    name: 'longest stall while merchants change',
    peer: `nothing changes ${wholeNumber(calm.maxMs)} ms`,
    ratio: changing.maxMs / calm.maxMs,
    ...atMost(TARGETS.stallMs, 'ms', changing.maxMs),
  },
  {
    name: '  their 99th percentile',
    value: `${changing.p99Ms.toFixed(1)} ms`,
    peer: `nothing changes ${calm.p99Ms.toFixed(1)} ms`,
  },
  {
    name: 'a revoked key is refused by both processes, the slowest',
    ...atMost(TARGETS.revokedMs, 'ms', Math.max(...revokedMs)),
  },
  { name: 'replies that were not as expected', ...atMost(0, 'replies', one.failed + all.failed) },
]

const PACED = { merchants: 1_000, pacePerSecond: 200, measureMs: CHANGING_MS } as const

const requests = (
  { pid, port }: GatewayProcess,
  order: { readonly merchants?: number; readonly pacePerSecond?: number; readonly measureMs?: number } = {},
): Promise<Load> =>
  runLoad(pid, { kind: 'providers', port, warmUpMs: 1_000, measureMs: 4_000, expectedStatus: 200, ...order })

/** Changes merchants one by one, across the whole table: URLs, keys and options in rotation. */
async function changeMerchants(client: pg.Client, lastsMs: number): Promise<void> {
  const startedAt = performance.now()
  for (let n = 1; performance.now() < startedAt + lastsMs; n += 1) {
    const { publicKey } = keysOf(((n * 7_919) % MERCHANTS) + 1)
    await client.query(
      n % 2 === 0
        ? 'update merchants set verification_url = $2 where public_key = $1'
        : `update merchant_keys set expires_at = now() + $2::int * interval '1 day'
           where kind = 'secret_key' and merchant_id = (select id from merchants where public_key = $1)`,
      [publicKey, n % 2 === 0 ? `https://shop-${n}.example/` : n],
    )
    await pause(Math.max(startedAt + (n * 1_000) / CHANGES_PER_SECOND - performance.now(), 0))
  }
}

/** @returns milliseconds from the commit until every one of these processes rejects the key */
async function untilRefused(client: pg.Client, gateways: readonly GatewayProcess[], n: number): Promise<number> {
  const { publicKey, secretKey } = keysOf(MERCHANTS - n)
  const statuses = (): Promise<readonly number[]> =>
    Promise.all(
      gateways.map(async ({ port }) => {
        const headers = { ...API_HEADERS, 'public-key': publicKey, 'secret-key': secretKey }
        const reply = await fetch(`http://127.0.0.1:${port}/data/wallet-balances`, { headers })
        await reply.arrayBuffer()
        return reply.status
      }),
    )
  if ((await statuses()).some((status) => status !== 200)) throw new Error('a key was refused before it was revoked')
  await client.query(
    `update merchant_keys set expires_at = now()
     where kind = 'secret_key' and merchant_id = (select id from merchants where public_key = $1)`,
    [publicKey],
  )
  const revokedAt = performance.now()
  while ((await statuses()).some((status) => status !== 401)) await pause(10)
  return performance.now() - revokedAt
}
