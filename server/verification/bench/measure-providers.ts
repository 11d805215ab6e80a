import type { GatewayProcess } from './gateway-process.ts'
import { median, runLoad, type Load } from './load.ts'
import { startFastify, type PeerServer } from './peers/peer-server.ts'
import { temporaryFolder } from './processes.ts'

export interface ProvidersResult {
  readonly gateway: readonly Load[]
  readonly fastify: readonly Load[]
}

const ORDER = { kind: 'providers', warmUpMs: 1_000, measureMs: 3_000, expectedStatus: 200 } as const

/** Measures the same lookup on both servers, in alternation, so that a disturbance of the machine affects both. */
export async function measureProviders(gateway: GatewayProcess, rounds: number): Promise<ProvidersResult> {
  const fastify = await startFastify(await temporaryFolder())
  const result = { gateway: [] as Load[], fastify: [] as Load[] }
  for (let round = 0; round < rounds; round += 1) {
    result.gateway.push(await lookUp(gateway))
    result.fastify.push(await lookUp(fastify))
  }
  await fastify.stop()
  return result
}

/** One run of load on the list of providers. */
export const lookUp = (server: PeerServer): Promise<Load> => runLoad(server.pid, { ...ORDER, port: server.port })

/** The median of several runs. */
export const perSecond = (loads: readonly { readonly perSecond: number }[]): number =>
  median(loads.map((load) => load.perSecond))
