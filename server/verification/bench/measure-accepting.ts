import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { present } from '../../domain/present.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { CONNECTIONS, runLoad, type Load } from './load.ts'
import type { PeerServer } from './peers/peer-server.ts'
import type { InsertPeer } from './peers/pgbench.ts'

export interface AcceptingResult {
  readonly gateway: readonly Load[]
  /**
   * Two processes on one database, with the same number of connections in total; each load runs against both at once.
   */
  readonly both: readonly (readonly Load[])[]
  readonly peer: readonly { readonly perSecond: number }[]
  /** Fastify, Ajv and one hand-written insert per request. */
  readonly byHand: readonly Load[]
}

const WARM_UP_SECONDS = 2
const MEASURE_SECONDS = 5

/** Collections over 64 connections; any status other than 202 is a failure. */
export const loadCollections = (
  gateway: Pick<GatewayProcess, 'pid' | 'port'>,
  { warmUpMs = WARM_UP_SECONDS * 1000, measureMs = MEASURE_SECONDS * 1000, connections = CONNECTIONS } = {},
): Promise<Load> =>
  runLoad(gateway.pid, {
    kind: 'collection',
    port: gateway.port,
    warmUpMs,
    measureMs,
    connections,
    expectedStatus: 202,
  })

/**
 * Measures the accepting path and the peer on the same PostgreSQL, in alternation. A checkpoint runs before each, so
 * that
 * both pay for the full-page writes once.
 */
export async function measureAccepting(
  gateway: GatewayProcess,
  second: GatewayProcess,
  { peer, byHand }: { readonly peer: InsertPeer; readonly byHand: PeerServer },
  client: pg.Client,
  rounds: number,
): Promise<AcceptingResult> {
  const result = {
    gateway: [] as Load[],
    both: [] as (readonly Load[])[],
    peer: [] as { perSecond: number }[],
    byHand: [] as Load[],
  }
  for (let round = 0; round < rounds; round += 1) {
    await client.query('checkpoint')
    result.gateway.push(await loadCollections(gateway))
    await client.query('checkpoint')
    const half = { connections: CONNECTIONS / 2 }
    result.both.push(await Promise.all([gateway, second].map((each) => loadCollections(each, half))))
    await client.query('checkpoint')
    result.byHand.push(await loadCollections(byHand))
    await client.query('checkpoint')
    await peer.run(WARM_UP_SECONDS)
    result.peer.push(await peer.run(MEASURE_SECONDS))
  }
  return result
}

export interface AllInOneResult {
  readonly load: Load
  /**
   * Payments that reached a final state and had their callback delivered, from the first request until the load ended.
   */
  readonly finalPerSecond: number
  readonly deliveredPerSecond: number
  /**
   * Seconds from the end of the load until all payments are settled and delivered; undefined when `patienceMs` was not
   * enough.
   */
  readonly finalAfterSeconds: number | undefined
  readonly deliveredAfterSeconds: number | undefined
  /** Errors in the gateway's log: the figures of a gateway whose jobs fail would look too good. */
  readonly firstError: string | undefined
}

async function firstErrorIn(logFile: string): Promise<string | undefined> {
  for await (const line of createInterface({ input: createReadStream(logFile) }))
    if (/^\{"level":[56]0,/.test(line)) return line.slice(0, 400)
  return undefined
}

interface Progress {
  readonly accepted: number
  readonly final: number
  readonly delivered: number
}

/** One process does everything, as after `npm start`: settling and delivering meanwhile take their share of it. */
export async function measureAllInOne(
  gateway: GatewayProcess,
  client: pg.Client,
  patienceMs: number,
): Promise<AllInOneResult> {
  const startedAt = performance.now()
  const load = await loadCollections(gateway)
  const endedAt = performance.now()
  const seconds = (endedAt - startedAt) / 1000
  const atEnd = await progress(client)
  const after: { final?: number; delivered?: number } = {}
  while (after.delivered === undefined && performance.now() - endedAt < patienceMs) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const now = await progress(client)
    const seconds = (performance.now() - endedAt) / 1000
    if (now.final >= now.accepted) after.final ??= seconds
    if (now.delivered >= now.accepted) after.delivered = seconds
  }
  return {
    load,
    finalPerSecond: atEnd.final / seconds,
    deliveredPerSecond: atEnd.delivered / seconds,
    finalAfterSeconds: after.final,
    deliveredAfterSeconds: after.delivered,
    firstError: await firstErrorIn(join(gateway.dataDir, 'gateway.log')),
  }
}

async function progress(client: pg.Client): Promise<Progress> {
  const { rows } = await client.query<Progress>(`
    select (select count(*)::int from transactions) as accepted,
      (select count(*)::int from transactions where final_at is not null) as final,
      (select count(*)::int from callbacks where status = 'DELIVERED') as delivered`)
  return present(rows[0], 'the progress')
}
