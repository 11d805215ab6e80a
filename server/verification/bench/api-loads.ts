import type { GatewayProcess } from './gateway-process.ts'
import { CONNECTIONS, median, runLoad, type Load } from './load.ts'
import { startMeter, type Cost, type Metered } from './meter.ts'
import { startFastify, type PeerServer } from './peers/peer-server.ts'
import type { InsertPeer } from './peers/pgbench.ts'
import { temporaryFolder } from './processes.ts'
import type { DatabaseAccess } from './section.ts'

/** Who answers, and what is measured meanwhile. */
interface MeteredServer {
  readonly port: number
  readonly metered: Metered
}

const LOOK_UP = { kind: 'providers', warmUpMs: 1_000, measureMs: 3_000, expectedStatus: 200 } as const
const WARM_UP_SECONDS = 2
const MEASURE_SECONDS = 5

/** One run of load on the list of providers. PostgreSQL takes no part in it. */
export const lookUp = ({ pid, port }: PeerServer): Promise<Load> =>
  runLoad({ processes: { server: pid } }, { ...LOOK_UP, port })

/** Collections over 64 connections; any status other than 202 is a failure. */
export const loadCollections = ({ port, metered }: MeteredServer, connections = CONNECTIONS): Promise<Load> =>
  runLoad(metered, {
    kind: 'collection',
    port,
    warmUpMs: WARM_UP_SECONDS * 1000,
    measureMs: MEASURE_SECONDS * 1000,
    connections,
    expectedStatus: 202,
  })

export interface LookupsResult {
  readonly gateway: readonly Load[]
  readonly fastify: readonly Load[]
}

/** Measures the same lookup on both servers, in alternation, so that a disturbance of the machine affects both. */
export async function measureLookups(gateway: GatewayProcess, rounds: number): Promise<LookupsResult> {
  const fastify = await startFastify(await temporaryFolder())
  const result = { gateway: [] as Load[], fastify: [] as Load[] }
  for (let round = 0; round < rounds; round += 1) {
    result.gateway.push(await lookUp(gateway))
    result.fastify.push(await lookUp(fastify))
  }
  await fastify.stop()
  return result
}

export interface AcceptingResult {
  readonly gateway: readonly Load[]
  /** Two processes on one database, with the same number of connections in total; each load runs against both at once. */
  readonly both: readonly LoadOfBoth[]
  readonly pgbench: readonly { readonly perSecond: number }[]
  /** Fastify, Ajv and one hand-written insert per request. */
  readonly byHand: readonly Load[]
}

type LoadOfBoth = Pick<Load, 'perSecond' | 'p99Ms' | 'failed'> & { readonly cost: Cost }

/**
 * Measures the accepting path and the peers on the same PostgreSQL, in alternation. A checkpoint runs before each, so
 * that all pay for the full-page writes once.
 */
export async function measureAccepting(
  [gateway, second]: readonly [GatewayProcess, GatewayProcess],
  { pgbench, byHand }: { readonly pgbench: InsertPeer; readonly byHand: PeerServer },
  { superuser, metered }: DatabaseAccess,
  rounds: number,
): Promise<AcceptingResult> {
  const result: { -readonly [part in keyof AcceptingResult]: AcceptingResult[part][number][] } = {
    gateway: [],
    both: [],
    pgbench: [],
    byHand: [],
  }
  for (let round = 0; round < rounds; round += 1) {
    await superuser.query('checkpoint')
    result.gateway.push(await loadCollections({ port: gateway.port, metered: metered({ API: gateway.pid }) }))
    await superuser.query('checkpoint')
    result.both.push(await loadBoth([gateway, second], metered({ API: gateway.pid, 'second API': second.pid })))
    await superuser.query('checkpoint')
    result.byHand.push(await loadCollections({ port: byHand.port, metered: metered({ server: byHand.pid }) }))
    await superuser.query('checkpoint')
    await pgbench.run(WARM_UP_SECONDS)
    result.pgbench.push(await pgbench.run(MEASURE_SECONDS))
  }
  return result
}

async function loadBoth(gateways: readonly GatewayProcess[], metered: Metered): Promise<LoadOfBoth> {
  const costOf = await startMeter(metered)
  const loads = await Promise.all(
    gateways.map(({ port }) => loadCollections({ port, metered: { processes: {} } }, CONNECTIONS / gateways.length)),
  )
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0)
  return {
    perSecond: sum((load) => load.perSecond),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
    failed: sum((load) => load.failed),
    cost: await costOf(sum((load) => load.accepted)),
  }
}

/** The median 99th percentile of several runs. */
export const p99Of = (loads: readonly Pick<Load, 'p99Ms'>[]): number => median(loads.map(({ p99Ms }) => p99Ms))
