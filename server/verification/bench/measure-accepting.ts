import type pg from 'pg'
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
  { pid, port }: Pick<GatewayProcess, 'pid' | 'port'>,
  connections = CONNECTIONS,
): Promise<Load> =>
  runLoad(pid, {
    kind: 'collection',
    port,
    warmUpMs: WARM_UP_SECONDS * 1000,
    measureMs: MEASURE_SECONDS * 1000,
    connections,
    expectedStatus: 202,
  })

/**
 * Measures the accepting path and the peer on the same PostgreSQL, in alternation. A checkpoint runs before each, so
 * that both pay for the full-page writes once.
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
    result.both.push(await Promise.all([gateway, second].map((each) => loadCollections(each, CONNECTIONS / 2))))
    await client.query('checkpoint')
    result.byHand.push(await loadCollections(byHand))
    await client.query('checkpoint')
    await peer.run(WARM_UP_SECONDS)
    result.peer.push(await peer.run(MEASURE_SECONDS))
  }
  return result
}
