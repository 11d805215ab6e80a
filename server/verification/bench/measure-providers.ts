import type { GatewayProcess } from './gateway-process.ts'
import { median, runLoad, type Load } from './load.ts'
import { startFastifyAjv, type PeerServer } from './peers/peer-server.ts'
import { startPrism } from './peers/prism.ts'
import { temporaryFolder } from './processes.ts'

export interface ProvidersResult {
  readonly gateway: readonly Load[]
  readonly fastify: readonly Load[]
  readonly prism: readonly Load[]
  /** Without request log: measured once, for orientation. */
  readonly bareFastify: readonly Load[]
  readonly silentPrism: readonly Load[]
}

const ORDER = { kind: 'providers', warmUpMs: 1_000, measureMs: 3_000, expectedStatus: 200 } as const

/**
 * Measures the same lookup on three servers, in alternation, so that a disturbance of the machine affects all of them.
 */
export async function measureProviders(gateway: GatewayProcess, rounds: number): Promise<ProvidersResult> {
  const folder = await temporaryFolder()
  const fastify = await startFastifyAjv(folder)
  const prism = await startPrism(folder)
  const result = { gateway: [] as Load[], fastify: [] as Load[], prism: [] as Load[] }
  for (let round = 0; round < rounds; round += 1) {
    result.gateway.push(await lookUp(gateway))
    result.fastify.push(await lookUp(fastify))
    result.prism.push(await lookUp(prism))
  }
  await Promise.all([fastify.stop(), prism.stop()])
  return {
    ...result,
    bareFastify: [await once(await startFastifyAjv(folder, '--bare'))],
    silentPrism: [await once(await startPrism(folder, 'silent'))],
  }
}

/** One run of load on the list of providers. */
export const lookUp = (server: PeerServer): Promise<Load> => runLoad(server.pid, { ...ORDER, port: server.port })

async function once(server: PeerServer): Promise<Load> {
  const load = await lookUp(server)
  await server.stop()
  return load
}

/** The median of several runs. */
export const perSecond = (loads: readonly { readonly perSecond: number }[]): number =>
  median(loads.map((load) => load.perSecond))
