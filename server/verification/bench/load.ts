import { fork } from 'node:child_process'
import { join } from 'node:path'
import { processorSeconds } from './machine.ts'
import { processorSecondsOf, track } from './processes.ts'
import type { LoadOrder, LoadResult } from './load-worker.ts'

export const CONNECTIONS = 64

/** One measured run and its processor use by process (in cores; undefined where the system does not report it). */
export interface Load extends LoadResult {
  readonly cores: {
    readonly server: number | undefined
    readonly generator: number
    readonly idle: number
    readonly rest: number | undefined
  }
}

const GRACE_MS = 10_000

let run = 0

/**
 * Runs the load in a process of its own: 64 keep-alive connections, each with one request in flight, every status
 * checked. Bare sockets instead of autocannon, because whatever the generator uses, the server lacks. Measured with the
 * same gateway on 2 cores: a provider lookup 15,800/s with 0.24 cores for the generator (autocannon 9: 14,000/s with
 * 0.40), a collection 6,100/s with 0.10 (6,000/s with 0.22).
 */
export async function runLoad(
  serverPid: number,
  order: Omit<LoadOrder, 'connections' | 'run'> & { readonly connections?: number },
): Promise<Load> {
  const worker = fork(join(import.meta.dirname, 'load-worker.ts'), { detached: true })
  const child = track(worker)
  const lastsMs = order.warmUpMs + order.measureMs
  const before = { machine: processorSeconds(), server: await processorSecondsOf(serverPid), at: performance.now() }
  const result = await new Promise<LoadResult>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the load generator did not end ${GRACE_MS} ms after its time`)),
      lastsMs + GRACE_MS,
    )
    worker.once('message', (message) => resolve(message as LoadResult))
    worker.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)))
    worker.once('exit', () => clearTimeout(timer))
    worker.send({ connections: CONNECTIONS, ...order, run: ++run } satisfies LoadOrder)
  })
  const after = { machine: processorSeconds(), server: await processorSecondsOf(serverPid) }
  await child.stop()
  // Covers warm-up and measurement together: the load is constant throughout.
  const seconds = (performance.now() - before.at) / 1000
  const idle = (after.machine.idle - before.machine.idle) / seconds
  const server =
    after.server !== undefined && before.server !== undefined ? (after.server - before.server) / seconds : undefined
  const generator = result.cpuShare
  const rest =
    server === undefined
      ? undefined
      : Math.max((after.machine.all - before.machine.all) / seconds - idle - server - generator, 0)
  return { ...result, cores: { server, generator, idle, rest } }
}

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
