import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'
import { migrate } from '../../storage/migrate.ts'
import { backlogGrows, finishedPerSecond, type BacklogSample } from './backlog.ts'
import { malipo } from './command-line.ts'
import { startGatewayProcess, startPostgres, startWorkerProcess, type GatewayProcess } from './gateway-process.ts'
import { runLoad, type Load } from './load.ts'
import { startMeter, type Cost, type Metered } from './meter.ts'
import { createPeerTable } from './peers/peer-row.ts'
import { startFastify } from './peers/peer-server.ts'
import { temporaryFolder, type Child } from './processes.ts'
import { startReceiver, type BenchReceiver } from './receiver.ts'
import { connectTo, type DatabaseAccess } from './section.ts'
import type { Tree } from './tree.ts'

export const WARM_UP_MS = 3_000
export const MEASURE_MS = 10_000
/** Latency of the simulated operators; it does not count as backlog. */
export const RAIL_DELAY_MS = 1_000
/** Payments are lost when none is finished for so long. */
const PATIENCE_MS = 20_000
/** A server that starts less than this share of what is offered does not take it, whatever its backlog. */
const STARTED_MIN = 0.97

/** Servers that take collections on one port and report each to a merchant's server. */
export interface PaymentStage {
  readonly port: number
  readonly metered: Metered
  readonly receiver: BenchReceiver
  stop(): Promise<void>
}

export interface GatewayStage extends PaymentStage, Pick<DatabaseAccess, 'client'> {
  readonly gateway: GatewayProcess
  readonly worker: Child
}

/** One API process, one worker, their PostgreSQL, and a merchant's server. */
export async function stageGateway(tree: Tree): Promise<GatewayStage> {
  const gateway = await startGatewayProcess('api', await temporaryFolder(), { tree })
  const { client, metered, close } = await connectTo(gateway)
  const worker = await startWorkerProcess(gateway, { env: { MALIPO_SANDBOX_DELAY_MS: String(RAIL_DELAY_MS) } })
  const receiver = await startReceiver({ webhookSecret: DEMO_MERCHANT.keys.webhookSecret, hangs: false })
  await malipo(gateway, 'merchant', 'set', DEMO_MERCHANT.keys.publicKey, '--collection-callback-url', receiver.url)
  return {
    port: gateway.port,
    metered: metered({ API: gateway.pid, worker: worker.pid }),
    receiver,
    client,
    gateway,
    worker,
    async stop() {
      await close()
      await worker.stop()
      await Promise.all([gateway.stop(), receiver.stop()])
    },
  }
}

/** The floor under a whole payment, with a PostgreSQL of its own: an idle gateway beside it would cost something. */
export async function stageFloor(): Promise<PaymentStage> {
  const dataDir = await temporaryFolder()
  const postgres = await startPostgres(dataDir)
  const { connection } = postgres
  await migrate(connection, 'sandbox')
  const { client, metered, close } = await connectTo({ dataDir, connection })
  await createPeerTable(client)
  const receiver = await startReceiver({ hangs: false })
  const server = await startFastify(dataDir, connection, {
    CALLBACK_URL: receiver.url,
    RAIL_DELAY_MS: String(RAIL_DELAY_MS),
  })
  return {
    port: server.port,
    metered: metered({ server: server.pid }),
    receiver,
    async stop() {
      await close()
      await Promise.all([server.stop(), receiver.stop()])
      await postgres.stop()
    },
  }
}

export interface OfferedLoad {
  readonly load: Load
  readonly startedAt: Date
  readonly offeredPerSecond: number
  /** Callbacks acknowledged per second during the load, without the warm-up. */
  readonly finishedPerSecond: number
  /** Of all payments until the last one is finished; idle: during the load. */
  readonly cost: Cost
  /** Why the servers do not carry this load; undefined when they do. */
  readonly overload: 'the backlog grows' | 'requests are late' | 'requests are refused' | undefined
  /** Accepted but not finished before this bench gives up waiting. */
  readonly lost: number
  readonly wrongSignatures: number
}

/** Offers that many payments per second, and waits until the last one that was accepted is finished. */
export async function offer(stage: PaymentStage, perSecond: number, measureMs = MEASURE_MS): Promise<OfferedLoad> {
  const { port, metered, receiver } = stage
  const before = await receiver.report()
  const samples: BacklogSample[] = []
  const startedAt = new Date()
  // Callbacks lag the requests by the rail's delay.
  const fromMs = performance.now() + WARM_UP_MS + RAIL_DELAY_MS
  const costOf = await startMeter(metered)
  const load = await runLoad(
    metered,
    { kind: 'collection', port, warmUpMs: WARM_UP_MS, measureMs, expectedStatus: 202, pacePerSecond: perSecond },
    ({ accepted }) => {
      void receiver.report().then(({ received }) => {
        const atMs = performance.now()
        if (atMs >= fromMs) samples.push({ atMs, accepted, finished: received - before.received })
      })
    },
  )
  const lost = await untilFinished(receiver, before.received + load.accepted)
  const cost = await costOf(load.accepted)
  const { wrongSignatures } = await receiver.report()
  return {
    load,
    startedAt,
    offeredPerSecond: perSecond,
    finishedPerSecond: finishedPerSecond(samples),
    cost: { ...cost, idleCores: load.cost.idleCores },
    overload: overloadOf(load, samples, perSecond),
    lost,
    wrongSignatures: wrongSignatures - before.wrongSignatures,
  }
}

function overloadOf(load: Load, samples: readonly BacklogSample[], perSecond: number): OfferedLoad['overload'] {
  if (backlogGrows(samples, perSecond)) return 'the backlog grows'
  if (load.refused > 0) return 'requests are refused'
  return load.perSecond < STARTED_MIN * perSecond ? 'requests are late' : undefined
}

/** @returns how many are not finished when nothing happens any more */
async function untilFinished(receiver: BenchReceiver, count: number): Promise<number> {
  for (let [received, sinceMs] = [0, performance.now()]; ; await sleep(50)) {
    const now = (await receiver.report()).received
    if (now !== received) [received, sinceMs] = [now, performance.now()]
    if (received >= count || performance.now() - sinceMs > PATIENCE_MS) return Math.max(count - received, 0)
  }
}
