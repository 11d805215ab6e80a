import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../domain/present.ts'
import type { GatewayProcess, GatewayProcessOptions } from './gateway-process.ts'

/** How long an event loop stalled, beyond the sampling interval of one millisecond. */
export interface Stalls {
  readonly maxMs: number
  readonly p99Ms: number
}

const fileIn = (dataDir: string): string => join(dataDir, 'stalls.jsonl')

/** Arguments and environment of a gateway whose stalls can be read. */
export const watchingStalls = (dataDir: string): Required<Omit<GatewayProcessOptions, 'database'>> => ({
  nodeOptions: ['--import', join(import.meta.dirname, 'stall-probe.ts')],
  env: { MALIPO_BENCH_STALLS: fileIn(dataDir) },
})

const SEEN_AT_LATEST_MS = 60_000

/** The stalls of that gateway during an action. */
export async function stallsDuring({ pid, dataDir }: GatewayProcess, happens: () => Promise<unknown>): Promise<Stalls> {
  const lines = async (): Promise<readonly string[]> =>
    (await readFile(fileIn(dataDir), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean)
  const request = async (): Promise<Stalls> => {
    const before = (await lines()).length
    process.kill(pid, 'SIGUSR2')
    for (let waitedMs = 0; waitedMs < SEEN_AT_LATEST_MS; waitedMs += 20) {
      const now = await lines()
      if (now.length > before) return JSON.parse(present(now.at(-1), 'a line of stalls')) as Stalls
      await pause(20)
    }
    throw new Error('the gateway did not report its stalls')
  }
  await request()
  await happens()
  return request()
}
