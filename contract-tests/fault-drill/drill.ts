import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../server/storage/embedded-postgres.ts'

// The fault drill: load through HTTP while processes of every kind are killed with -9 at random. The judges are a list of what was
// acknowledged, kept here, and the simulated operators' own book; neither belongs to what is being killed.

export interface DrillOptions {
  readonly seed: number
  readonly kills: number
  /** Collections and payouts in all, spread over the kills. */
  readonly requests: number
  /** Between two kills, on average. */
  readonly pauseMs: number
  readonly log: (line: string) => void
}

export interface DrillResult {
  readonly seed: number
  readonly kills: Readonly<Record<ProcessKind, number>>
  readonly acknowledged: number
  /** What is wrong, in words; empty when nothing was lost, doubled or left hanging. */
  readonly faults: readonly string[]
  /** The longest way from acceptance to a final state, kills included. */
  readonly slowestSeconds: number
  readonly seconds: number
}

type ProcessKind = 'api' | 'worker' | 'postgres'

const CLI = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))
const MASTER_KEY = 'a master key of the fault drill, nothing real'
const CLIENTS = 8
const SETTLED_WITHIN_MS = 120_000
const KEYS = { 'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo', 'x-api-version': '1', 'content-type': 'application/json' }

export async function drill({ seed, kills, requests, pauseMs, log }: DrillOptions): Promise<DrillResult> {
  const startedAt = performance.now()
  const random = seeded(seed)
  const folder = await mkdtemp(join(tmpdir(), 'malipo-drill-'))
  const postgres = await openEmbeddedPostgres({ dataDir: folder, role: 'owner' })
  const { host, port, user, password, database } = postgres.connection
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const merchant = await startMerchant()
  const fleet = createFleet(databaseUrl)
  try {
    await fleet.start()
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    pool.on('error', () => undefined)
    await patiently(() => pool.query('update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $1', [merchant.url]))
    await new Promise((resolve) => setTimeout(resolve, 1_000)) // all processes know the URLs within a second

    const acknowledged = new Set<string>()
    const counted: Record<ProcessKind, number> = { api: 0, worker: 0, postgres: 0 }
    const load = sendAll(requests, (kills * pauseMs) / requests, fleet, acknowledged)
    for (let kill = 1; kill <= kills; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + random())))
      const kind = (['api', 'worker', 'worker', 'postgres'] as const)[Math.floor(random() * 4)]!
      if (kind === 'postgres') await killPostgres(folder)
      else await fleet.kill(kind, random)
      counted[kind] += 1
      if (kill % 10 === 0) log(`${kill} of ${kills} kills, ${acknowledged.size} of ${requests} requests acknowledged`)
    }
    await load
    log(`all ${acknowledged.size} requests acknowledged: now everything has to come to its end`)
    const faults = await judge(pool, acknowledged, merchant.told)
    const slowestSeconds = await slowest(pool)
    await pool.end()
    return { seed, kills: counted, acknowledged: acknowledged.size, faults, slowestSeconds, seconds: Math.round((performance.now() - startedAt) / 1000) }
  } finally {
    await fleet.stop()
    await merchant.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Two API and two worker processes on one PostgreSQL; a killed one is started again at once, as a supervisor would. */
function createFleet(databaseUrl: string) {
  const members: { kind: 'api' | 'worker'; port: number; child: ChildProcess }[] = []
  let stopping = false

  function launch(kind: 'api' | 'worker', port: number): ChildProcess {
    const child = spawn(process.execPath, [CLI, 'serve', '--role', kind], {
      env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, MALIPO_MASTER_KEY: MASTER_KEY, PORT: String(port), LOG_LEVEL: 'fatal', MALIPO_SANDBOX_DELAY_MS: '100', MALIPO_DATABASE_CONNECTIONS: '8' },
      stdio: 'ignore',
    })
    child.on('exit', () => {
      const member = members.find((candidate) => candidate.child === child)
      // It may also have ended by itself, because PostgreSQL was away while it started.
      if (member && !stopping) setTimeout(() => { if (!stopping) member.child = launch(kind, port) }, 200)
    })
    return child
  }

  return {
    async start() {
      for (const kind of ['api', 'worker', 'api', 'worker'] as const) {
        const port = await freePort()
        members.push({ kind, port, child: launch(kind, port) })
        if (kind === 'api') await until(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).then(({ status }) => status, () => 0)) === 200, 60_000, 'an API process is ready')
      }
    },
    urls: () => members.filter(({ kind }) => kind === 'api').map(({ port }) => `http://127.0.0.1:${port}`),
    async kill(kind: 'api' | 'worker', random: () => number) {
      const candidates = members.filter((member) => member.kind === kind)
      candidates[Math.floor(random() * candidates.length)]!.child.kill('SIGKILL')
    },
    async stop() {
      stopping = true
      await Promise.all(members.map(({ child }) => child.exitCode === null && child.signalCode === null && new Promise((resolve) => child.on('exit', resolve).kill('SIGKILL'))))
    },
  }
}

type Fleet = ReturnType<typeof createFleet>

async function killPostgres(folder: string): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  // It may be down already from the last kill: then there is nothing to end.
  if (pid) try { process.kill(Number(pid), 'SIGKILL') } catch { /* gone */ }
}

/** Every third request is a payout. Whatever is not acknowledged is sent again, with the same reference, as a merchant would. */
async function sendAll(requests: number, everyMs: number, fleet: Fleet, acknowledged: Set<string>): Promise<void> {
  let next = 0
  const client = async () => {
    for (let n = next++; n < requests; n = next++) {
      const [path, body] = n % 3 === 0 ? ['/payout/send-funds', payout(n)] as const : ['/collections/initialize', collection(n)] as const
      await until(async () => {
        const urls = fleet.urls()
        const reply = await fetch(urls[n % urls.length]! + path, { method: 'POST', headers: KEYS, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
        if (reply && ![202, 409, 503].includes(reply.status)) throw new Error(`${body.merchant_reference} got ${reply.status}: ${await reply.text()}`)
        return reply?.status === 202 || reply?.status === 409
      }, 120_000, `${body.merchant_reference} is acknowledged`)
      acknowledged.add(body.merchant_reference)
      await new Promise((resolve) => setTimeout(resolve, everyMs * CLIENTS))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

// Endings in turn: completed, failed, unreachable at first, reported three times.
const ENDINGS = ['123', '002', '008', '009']
const phone = (n: number): string => `25677${String(n % 10_000).padStart(4, '0')}${ENDINGS[n % ENDINGS.length]}`
const common = (n: number) => ({ transaction_method: 'MOBILE_MONEY', provider_code: 'mtn_ug', merchant_reference: `DRILL-${String(n).padStart(6, '0')}`, currency: 'UGX', amount: 1000, description: 'The fault drill' })
const collection = (n: number) => ({ ...common(n), msisdn: phone(n) })
const payout = (n: number) => ({ ...common(n), account_number: phone(n), customer_name: 'Amina Nakato' })

async function judge(pool: pg.Pool, acknowledged: ReadonlySet<string>, told: ReadonlyMap<string, Set<string>>): Promise<string[]> {
  const faults: string[] = []
  const expectNone = async (what: string, sql: string) => {
    const { rows } = await patiently(() => pool.query(sql))
    if (rows.length > 0) faults.push(`${what}: ${rows.length}, for example ${JSON.stringify(rows[0])}`)
  }
  const left = async () => Number((await patiently(() => pool.query(`select count(*) as n from work`))).rows[0].n)
  await until(async () => (await left()) === 0, SETTLED_WITHIN_MS, 'no work is left').catch(async () => faults.push(`${await left()} items of work are left`))

  const { rows: stored } = await patiently(() => pool.query<{ merchant_reference: string; status: string }>('select merchant_reference, status from transactions'))
  const statusOf = new Map(stored.map(({ merchant_reference, status }) => [merchant_reference, status]))
  for (const reference of acknowledged) {
    const status = statusOf.get(reference)
    if (status === undefined) faults.push(`lost: ${reference} was acknowledged and does not exist`)
    else if (status !== 'COMPLETED' && status !== 'FAILED') faults.push(`hanging: ${reference} is ${status}`)
    else if (!told.get(reference)?.has(status)) faults.push(`not told: the callback of ${reference} (${status}) never arrived`)
  }
  await expectNone('moved more than once', 'select reference, transfers from sandbox.orders where transfers > 1')
  await expectNone('completed without a transfer of the rail', `select t.id from transactions t left join sandbox.orders o on o.reference = t.internal_reference where t.status = 'COMPLETED' and coalesce(o.transfers, 0) <> 1`)
  await expectNone('moved by the rail and not completed', `select t.id from transactions t join sandbox.orders o on o.reference = t.internal_reference where o.transfers = 1 and t.status <> 'COMPLETED'`)
  await expectNone('unbalanced transfers', 'select transfer_id from entries group by 1 having sum(amount_minor) <> 0')
  await expectNone('accounts that differ from their entries', 'select a.id, a.kind from accounts a left join entries e on e.account_id = a.id group by a.id having a.balance_minor <> coalesce(sum(e.amount_minor), 0)')
  await expectNone('negative wallets', `select id, kind from accounts where balance_minor < 0 and kind not in ('rail', 'operator')`)
  await expectNone('money still held', `select id, balance_minor::text from accounts where kind = 'payout_held' and balance_minor <> 0`)
  await expectNone('completed without exactly one booking', `
    select t.id from transactions t left join transfers f on f.transaction_id = t.id and f.kind in ('collection', 'payout', 'payout_late')
    where t.status = 'COMPLETED' group by t.id having count(f.id) <> 1`)
  return faults
}

async function slowest(pool: pg.Pool): Promise<number> {
  const { rows: [row] } = await patiently(() => pool.query<{ seconds: string }>('select coalesce(extract(epoch from max(final_at - created_at)), 0) as seconds from transactions'))
  return Math.round(Number(row!.seconds))
}

/** The merchant's side: says yes to every handshake and remembers what it was told. */
async function startMerchant() {
  const told = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'POST') {
      const { payload } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { payload: { merchant_reference: string; transaction_status: string } }
      told.set(payload.merchant_reference, (told.get(payload.merchant_reference) ?? new Set()).add(payload.transaction_status))
    }
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told,
    close: () => new Promise<void>((resolve) => { server.close(() => resolve()); server.closeAllConnections() }),
  }
}

/** mulberry32: small, and the same numbers for the same seed everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** PostgreSQL may have been killed a moment ago: a question of the judges is asked again. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt >= 40) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

async function until(isSo: () => Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
