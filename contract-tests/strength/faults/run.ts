import { freePort } from '../../../server/testing/free-port.ts'
import pg from 'pg'
import { askedAgain } from '../../harness/seen-again.ts'
import { startOwnGateway } from '../../harness/own-gateway.ts'
import { present, type Target } from '../../harness/part.ts'
import { startProxy } from '../../harness/proxy.ts'
import { dropDatabase } from '../../../server/testing/database.ts'
import type { ScratchDatabases } from '../../../server/testing/scratch-databases.ts'
import type { DrillPart } from './drill-parts.ts'
import type { Fault, Plant } from './fault.ts'
import { startByteProxy } from './byte-proxy.ts'
import { createTrouble, type Trouble } from './trouble.ts'
import { worldAround } from './world.ts'

/** `killed`: reported. `survived`: not. `no verdict`: no end, which a pipeline would show as well. */
export type Verdict = 'killed' | 'survived' | 'no verdict'

export interface Outcome {
  readonly fault: string
  readonly part: string
  readonly verdict: Verdict
  /** The first finding, or why there is no verdict. */
  readonly said?: string
  readonly durationMs: number
  /** Digest of what it was made of, see kept.ts. */
  readonly made?: string
}

/** The drill was told to end. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

export interface RunSettings {
  readonly databases: Pick<ScratchDatabases, 'create'>
  readonly seed: number
  /** A copy that nobody changes while the drill runs: what is found must be the fault's doing. */
  readonly contract: string
  readonly signal?: AbortSignal
}

/** Several times what the longest takes alone: the machine may be busy. */
const RUN_MS_MAX = 900_000
/** A part whose gateway was taken away comes to its end by itself. */
const END_MS_MAX = 15_000

/** Holds one part against a new gateway with one fault. @throws Stopped by the signal, after everything is closed */
export async function hold(
  part: DrillPart,
  fault: Fault,
  { databases, seed, contract, signal }: RunSettings,
): Promise<Outcome> {
  const startedAt = performance.now()
  const outcome = (verdict: Verdict, said?: string): Outcome => ({
    fault: fault.name,
    part: part.name,
    verdict,
    ...(said !== undefined && { said }),
    durationMs: Math.round(performance.now() - startedAt),
  })
  const connection = await databases.create()
  const site = await openSite(connection, fault, part).catch((error: unknown) => textOf(error))
  if (typeof site === 'string') return outcome('no verdict', `the gateway did not start: ${site}`)
  const options = { seed, size: 'pull-request', log: () => undefined } as const
  // As the suite does: what is found must come again, where it depends on time.
  const running = part.run({ ...site.target, contract }, options, fault).then(askedAgain)
  try {
    const result = await inTime(running, RUN_MS_MAX, signal)
    if (result.status === 'skipped') return outcome('no verdict', result.reason)
    const [first] = result.findings
    const trouble = site.trouble()
    if (first && trouble !== undefined)
      return outcome(
        'no verdict',
        `the gateway itself was in trouble (${trouble}), and ${part.name} said ${first.about}: ${first.what}`,
      )
    return first ? outcome('killed', `${first.about}: ${first.what}`) : outcome('survived')
  } catch (error) {
    if (error instanceof Stopped) throw error
    return outcome('no verdict', textOf(error))
  } finally {
    await site.close()
    await inTime(running, END_MS_MAX).catch(() => undefined)
    await drop(connection)
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Connection = Awaited<ReturnType<ScratchDatabases['create']>>

interface Site {
  readonly target: Target
  readonly trouble: Trouble['first']
  close(): Promise<void>
}

/** The gateway between two proxies that carry the fault: towards its clients, and towards the merchant. */
async function openSite(connection: Connection, fault: Fault, part: DrillPart): Promise<Site> {
  const receiverPort = await freePort()
  const late: { gatewayUrl?: string } = {}
  const trouble = createTrouble()
  const around = worldAround(() => present(late.gatewayUrl, 'gateway yet'), receiverPort)
  const plant: Plant = fault.plant({
    ...around,
    send: async (request) => trouble.noted(await around.send(request), request),
  })

  const merchant = await startProxy({ to: `http://127.0.0.1:${receiverPort}`, ...plant.merchant })
  const gateway = await startOwnGateway({
    connection,
    ...(part.receives && { receiverPort: Number(new URL(merchant.url).port) }),
  })
  late.gatewayUrl = gateway.url
  for (const statement of plant.database ?? []) await query(connection, statement)
  const apiProxy = await startProxy({ to: gateway.url, ...trouble.watched(plant.api ?? {}) })
  const bytes = await startByteProxy(gateway.url, plant.bytes)
  return {
    target: {
      ...gateway,
      url: apiProxy.url,
      directUrl: bytes.url,
      ...(part.receives && {
        receiver: { port: receiverPort, signingKey: around.signingKey, webhookSecret: around.webhookSecret },
      }),
    },
    trouble: trouble.first,
    close: async () => {
      await Promise.all([apiProxy.close(), bytes.close()])
      await gateway.close()
      await merchant.close()
    },
  }
}

/** Hundreds of runs would fill the disk. */
async function drop(connection: Connection): Promise<void> {
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await withClient(admin, () => dropDatabase(admin, connection.database))
}

async function query(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await withClient(client, () => client.query(statement))
}

async function withClient(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.connect()
  try {
    await work()
  } finally {
    await client.end()
  }
}

/** @throws Error after the time, Stopped by the signal; the work itself goes on */
async function inTime<Value>(work: Promise<Value>, timeoutMs: number, signal?: AbortSignal): Promise<Value> {
  const end = Promise.withResolvers<never>()
  const timer = setTimeout(() => end.reject(new Error(`no end within ${timeoutMs / 1000} s`)), timeoutMs)
  const stop = (): void => end.reject(new Stopped('stopped'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  return Promise.race([work, end.promise]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
