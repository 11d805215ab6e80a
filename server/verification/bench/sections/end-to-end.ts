import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess, startWorkerProcess, type GatewayProcess } from '../gateway-process.ts'
import { runLoad, type Load } from '../load.ts'
import { measureRsaSigning } from '../peers/rsa.ts'
import { createInsertPeer, type InsertPeer } from '../peers/pgbench.ts'
import { residentMb, temporaryFolder, type Child } from '../processes.ts'
import { percentilesOf } from '../request-times.ts'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import { wholeNumber } from '../report.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import {
  atLeastRate,
  atMost,
  connectTo,
  rate,
  type DatabaseAccess,
  type Measurement,
  type Section,
} from '../section.ts'

const WARM_UP_MS = 3_000
const MEASURE_MS = 10_000
const SAMPLE_MS = 100
const DRAIN_PATIENCE_MS = 60_000
const TARGETS = { paymentsPerSecond: 1_500, backlogMs: 2_000, firstAttemptMs: 50 }
const QUIET_PER_SECOND = 500
/** Latency of the simulated operators; it does not count as backlog. */
const RAIL_DELAY_MS = 1_000
/** Rates offered in this order, after the quiet one, until one is too high: with its backlog, a payment costs more. */
const OFFERED_PER_SECOND = [550, 600, 650, 700, 800, 900, 1_000, 1_250, 1_500, 2_000, 2_500] as const

/**
 * End-to-end payments: accepted, submitted to the rail, settled, booked, and the signed callback acknowledged with 200
 * by a merchant's server.
 */
export const endToEndSection: Section = {
  name: 'end-to-end',
  what: 'accepted → settled → ledger → signed callback answered 200, one API process, one worker and their PostgreSQL',
  async run(step) {
    const stage = await stagePayments()
    const { client, connection } = stage
    step('RSA signing alone, inserts alone')
    const rsa = await measureRsaSigning(3)
    const peer = await createInsertPeer(connection, await temporaryFolder(), client)
    await peer.run(2)
    const inserts = await peer.run(3)

    step(`${QUIET_PER_SECOND} per second`)
    const quiet = await live(stage, QUIET_PER_SECOND)
    const offered: EndToEndPayments[] = [quiet]
    for (const perSecond of OFFERED_PER_SECOND) {
      step(`${perSecond} per second`)
      const payments = await live(stage, perSecond)
      offered.push(payments)
      if (!keepsUp(payments)) break
    }
    const workerMb = await residentMb(stage.worker.pid)
    await stage.stop()
    return measurement({ rsa, inserts, quiet, offered, workerMb })
  },
}

interface EndToEndStage extends Pick<DatabaseAccess, 'client' | 'connection'> {
  readonly gateway: GatewayProcess
  readonly worker: Child
  readonly receiver: BenchReceiver
  stop(): Promise<void>
}

/** One API process, one worker, their PostgreSQL, and a merchant's server. */
async function stagePayments(): Promise<EndToEndStage> {
  const gateway = await startGatewayProcess('api', await temporaryFolder())
  const { client, connection, close } = await connectTo(gateway)
  const worker = await startWorkerProcess(gateway, connection, {
    env: { MALIPO_SANDBOX_DELAY_MS: String(RAIL_DELAY_MS) },
  })
  const receiver = await startReceiver({ webhookSecret: DEMO_MERCHANT.keys.webhookSecret, hangs: false })
  await malipo(gateway, 'merchant', 'set', DEMO_MERCHANT.keys.publicKey, '--collection-callback-url', receiver.url)
  return {
    gateway,
    worker,
    receiver,
    client,
    connection,
    async stop() {
      await close()
      await worker.stop()
      await Promise.all([gateway.stop(), receiver.stop()])
    },
  }
}

interface Measurements {
  readonly rsa: Awaited<ReturnType<typeof measureRsaSigning>>
  readonly inserts: Awaited<ReturnType<InsertPeer['run']>>
  readonly quiet: EndToEndPayments
  readonly offered: readonly EndToEndPayments[]
  readonly workerMb: number
}

function measurement({ rsa, inserts, quiet, offered, workerMb }: Measurements): Measurement {
  const best = present(offered.findLast(keepsUp) ?? offered[0], 'a measured rate')
  const wrong = offered.reduce((sum, { load, lost, wrongSignatures }) => sum + load.failed + lost + wrongSignatures, 0)
  return {
    figures: [
      {
        name: 'whole payments',
        peer: `RSA-2048 alone ${rate(rsa.perSecond)}`,
        ratio: best.paymentsPerSecond / rsa.perSecond,
        ...atLeastRate(TARGETS.paymentsPerSecond, best.paymentsPerSecond),
      },
      {
        name: '',
        value: rate(best.paymentsPerSecond),
        peer: `pgbench alone ${rate(inserts.perSecond)}`,
        ratio: best.paymentsPerSecond / inserts.perSecond,
      },
      { name: '  backlog age, 99th percentile', ...atMost(TARGETS.backlogMs, 'ms', best.backlogP99Ms) },
      {
        name: "  a life without the rail's second, median / 99th percentile",
        value: `${wholeNumber(best.lifeP50Ms)} / ${wholeNumber(best.lifeP99Ms)} ms`,
      },
      {
        name: `first callback attempt after final, at ${QUIET_PER_SECOND}/s, median`,
        ...atMost(TARGETS.firstAttemptMs, 'ms', quiet.firstAttemptP50Ms),
      },
      { name: '  99th percentile', value: `${wholeNumber(quiet.firstAttemptP99Ms)} ms` },
      ...offered.map((payments) => ({
        name: `  offered ${rate(payments.offeredPerSecond)}`,
        value: `${rate(payments.paymentsPerSecond)}, backlog p99 ${wholeNumber(payments.backlogP99Ms)} ms`,
      })),
      { name: 'memory after the load, the worker', value: `${wholeNumber(workerMb)} MB` },
      { name: 'lost payments, wrong signatures, unexpected replies', ...atMost(0, 'of them', wrong) },
    ],
    notes: [
      `The highest offered rate of which at least 97 % were finished in the same time with a backlog below ${TARGETS.backlogMs / 1000} s. Generator, merchant's server and PostgreSQL share the processors.`,
      'Backlog age: how long the oldest due job, or the oldest result the rail has ready, has been waiting; sampled ten times a second.',
    ],
    raw: { rsa, inserts, quiet, offered, workerMb },
  }
}

interface EndToEndPayments {
  readonly load: Load
  readonly offeredPerSecond: number
  /** Callbacks acknowledged per second during the load, without the warm-up. */
  readonly paymentsPerSecond: number
  readonly backlogP99Ms: number
  readonly lifeP50Ms: number
  readonly lifeP99Ms: number
  readonly firstAttemptP50Ms: number
  readonly firstAttemptP99Ms: number
  /** Accepted but not delivered before this bench gives up waiting. */
  readonly lost: number
  readonly wrongSignatures: number
}

const keepsUp = ({ paymentsPerSecond, offeredPerSecond, backlogP99Ms }: EndToEndPayments): boolean =>
  paymentsPerSecond >= 0.97 * offeredPerSecond && backlogP99Ms <= TARGETS.backlogMs

async function live({ gateway, client, receiver }: EndToEndStage, perSecond: number): Promise<EndToEndPayments> {
  const before = await receiver.report()
  const startedAt = new Date()
  const running = { load: true }
  const sampling = sampleBacklog(client, () => running.load)
  const load = await runLoad(gateway.pid, {
    kind: 'collection',
    port: gateway.port,
    warmUpMs: WARM_UP_MS,
    measureMs: MEASURE_MS,
    expectedStatus: 202,
    pacePerSecond: perSecond,
  })
  running.load = false
  const backlog = await sampling
  const lost = await drain(client, startedAt)
  const { wrongSignatures } = await receiver.report()
  // Deliveries lag the requests by the rail's delay: both windows are equally long.
  const from = new Date(startedAt.getTime() + WARM_UP_MS + RAIL_DELAY_MS)
  const { rows } = await client.query<{ delivered: number; life: [number, number]; first: [number, number] }>(
    `
    select count(*) filter (where a.at >= $1 and a.at < $2)::int as delivered,
      percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.at - t.created_at) * 1000 + a.duration_ms - $3) as life,
      percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.at - t.final_at) * 1000) as first
    from transactions t join callbacks c on c.transaction_id = t.id join callback_attempts a on a.callback_id = c.id and a.attempt = 1
    where t.created_at >= $4`,
    [from, new Date(from.getTime() + MEASURE_MS - RAIL_DELAY_MS), RAIL_DELAY_MS, startedAt],
  )
  const { delivered, life, first } = present(rows[0], 'the first attempts')
  return {
    load,
    offeredPerSecond: perSecond,
    paymentsPerSecond: delivered / ((MEASURE_MS - RAIL_DELAY_MS) / 1000),
    backlogP99Ms: percentilesOf(backlog).p99Ms,
    lifeP50Ms: life[0],
    lifeP99Ms: life[1],
    firstAttemptP50Ms: first[0],
    firstAttemptP99Ms: first[1],
    lost,
    wrongSignatures: wrongSignatures - before.wrongSignatures,
  }
}

async function sampleBacklog(client: pg.Client, isRunning: () => boolean): Promise<number[]> {
  const samples: number[] = []
  for (; isRunning(); await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))) {
    const { rows } = await client.query<{ age_ms: number }>({
      name: 'backlog',
      text: `
      select coalesce(extract(epoch from clock_timestamp() - least((select min(due_at) from jobs), (select min(due_at) from sandbox.reports where acknowledged_at is null))) * 1000, 0)::float8 as age_ms`,
    })
    samples.push(Math.max(present(rows[0], 'the age of the backlog').age_ms, 0))
  }
  return samples
}

/**
 * Waits until everything accepted since then is delivered.
 * @returns how many are not
 */
async function drain(client: pg.Client, since: Date): Promise<number> {
  const deadline = performance.now() + DRAIN_PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ open: number }>(
      `
      select count(*)::int as open from transactions t left join callbacks c on c.transaction_id = t.id where t.created_at >= $1 and c.status is distinct from 'DELIVERED'`,
      [since],
    )
    const { open } = present(rows[0], 'a count of transactions')
    if (open === 0 || performance.now() > deadline) return open
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}
