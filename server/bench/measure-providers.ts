import type { GatewayProcess } from './gateway-process.ts'
import { median, runLoad, type Load } from './load.ts'
import { startFastifyAjv } from './peers/peer-server.ts'
import { startPrism } from './peers/prism.ts'

export interface ProvidersResult {
  readonly gateway: readonly Load[]
  readonly fastify: readonly Load[]
  readonly prism: readonly Load[]
}

const ORDER = { kind: 'providers', warmUpMs: 1_000, measureMs: 3_000, expectedStatus: 200, run: 0 } as const

/** The same lookup on three servers, in turn, so that a disturbance of the machine meets all of them. */
export async function measureProviders(gateway: GatewayProcess, rounds: number): Promise<ProvidersResult> {
  const fastify = await startFastifyAjv()
  const prism = await startPrism()
  const result = { gateway: [] as Load[], fastify: [] as Load[], prism: [] as Load[] }
  for (let round = 0; round < rounds; round += 1) {
    result.gateway.push(await runLoad(gateway.pid, { ...ORDER, port: gateway.port }))
    result.fastify.push(await runLoad(fastify.pid, { ...ORDER, port: fastify.port }))
    result.prism.push(await runLoad(prism.pid, { ...ORDER, port: prism.port }))
  }
  await Promise.all([fastify.stop(), prism.stop()])
  return result
}

export const perSecond = (loads: readonly { readonly perSecond: number }[]): number => median(loads.map((load) => load.perSecond))
