import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../domain/present.ts'
import type { GatewayProcess, GatewayProcessOptions } from './gateway-process.ts'

/** How long an event loop stood still, beyond the millisecond at which it is looked at. */
export interface Stalls {
  readonly maxMs: number
  readonly p99Ms: number
}

const fileIn = (dataDir: string): string => join(dataDir, 'stalls.jsonl')

/** What a gateway is started with so that its stalls can be asked for. */
export const watchingStalls = (dataDir: string): Required<Omit<GatewayProcessOptions, 'database'>> => ({
  nodeOptions: ['--import', join(import.meta.dirname, 'stall-probe.ts')],
  env: { MALIPO_BENCH_STALLS: fileIn(dataDir) },
})

const SEEN_AT_LATEST_MS = 60_000

/** The stalls of that gateway while something happens. */
export async function stallsDuring({ pid, dataDir }: GatewayProcess, happens: () => Promise<unknown>): Promise<Stalls> {
  const lines = async (): Promise<readonly string[]> =>
    (await readFile(fileIn(dataDir), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean)
  const ask = async (): Promise<Stalls> => {
    const before = (await lines()).length
    process.kill(pid, 'SIGUSR2')
    for (let waitedMs = 0; waitedMs < SEEN_AT_LATEST_MS; waitedMs += 20) {
      const now = await lines()
      if (now.length > before) return JSON.parse(present(now.at(-1), 'a line of stalls')) as Stalls
      await pause(20)
    }
    throw new Error('the gateway did not tell its stalls')
  }
  await ask()
  await happens()
  return ask()
}
