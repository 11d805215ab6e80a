import { createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { DEMO_MERCHANT } from '../../../server/sandbox/providers.ts'
import { startOwnGateway } from '../../own-gateway.ts'
import type { Target } from '../../part.ts'
import { passOn, startProxy } from '../../proxy.ts'
import type { SuiteDatabases } from '../../suite-database.ts'
import type { DrillPart } from './drill-parts.ts'
import type { Fault, Plant, World } from './fault.ts'
import { startByteProxy } from './byte-proxy.ts'

/** `killed`: it was reported. `survived`: it was not. `no verdict`: the part came to no end, which a pipeline would show as well. */
export type Verdict = 'killed' | 'survived' | 'no verdict'

export interface Outcome {
  readonly fault: string
  readonly part: string
  readonly verdict: Verdict
  /** The first finding, or why there is no verdict. */
  readonly said?: string
  readonly durationMs: number
}

export interface RunSettings {
  readonly databases: Pick<SuiteDatabases, 'create'>
  readonly seed: number
  /** A copy that nobody changes while the drill runs: what is found must be the fault's doing. */
  readonly contract: string
}

const RUN_MS_MAX = 300_000

/** Holds one part against a new gateway with one fault. */
export async function hold(part: DrillPart, fault: Fault, { databases, seed, contract }: RunSettings): Promise<Outcome> {
  const startedAt = performance.now()
  const outcome = (verdict: Verdict, said?: string): Outcome => ({ fault: fault.name, part: part.name, verdict, ...(said !== undefined && { said }), durationMs: Math.round(performance.now() - startedAt) })
  const connection = await databases.create()
  const site = await openSite(connection, fault, part)
  try {
    const result = await inTime(part.run({ ...site.target, contract }, { seed, size: 'pull-request', log: () => undefined }, fault), RUN_MS_MAX)
    if (result.status === 'skipped') return outcome('no verdict', result.reason)
    const [first] = result.findings
    return first ? outcome('killed', `${first.about}: ${first.what}`) : outcome('survived')
  } catch (error) {
    return outcome('no verdict', error instanceof Error ? error.message : String(error))
  } finally {
    await site.close()
    await drop(connection)
  }
}

type Connection = Awaited<ReturnType<SuiteDatabases['create']>>

interface Site {
  readonly target: Target
  close(): Promise<void>
}

/** The gateway between two proxies that carry the fault: one towards its clients, one towards the merchant's receiver. */
async function openSite(connection: Connection, fault: Fault, part: DrillPart): Promise<Site> {
  const receiverPort = await freePort()
  const receiverUrl = new URL(`http://127.0.0.1:${receiverPort}`)
  // Known only when the gateway is there, which wants the address of the merchant's proxy first.
  const late: { gatewayUrl?: URL } = {}
  const { publicKey, secretKey, signingKey, webhookSecret } = DEMO_MERCHANT.keys
  const world: World = { publicKey, secretKey, signingKey, webhookSecret, send: (request) => passOn(late.gatewayUrl!, request), deliver: (request) => passOn(receiverUrl, request) }
  const plant: Plant = fault.plant(world)

  const merchant = await startProxy({ to: receiverUrl.href, ...plant.merchant })
  const gateway = await startOwnGateway({ connection, ...(part.receives && { receiverPort: Number(new URL(merchant.url).port) }) })
  late.gatewayUrl = new URL(gateway.url)
  const api = await startProxy({ to: gateway.url, ...plant.api })
  const bytes = await startByteProxy(gateway.url, plant.bytes)
  return {
    target: { ...gateway, url: api.url, directUrl: bytes.url, ...(part.receives && { receiver: { port: receiverPort, signingKey, webhookSecret } }) },
    close: async () => {
      await Promise.all([api.close(), bytes.close()])
      await gateway.close()
      await merchant.close()
    },
  }
}

/** Hundreds of runs would fill the disk. */
async function drop(connection: Connection): Promise<void> {
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  await admin.query(`drop database if exists ${connection.database} with (force)`).finally(() => admin.end())
}

function inTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no end within ${timeoutMs / 1000} s`)), timeoutMs)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
