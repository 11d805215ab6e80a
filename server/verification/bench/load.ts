import { fork } from 'node:child_process'
import { join } from 'node:path'
import { present } from '../../domain/present.ts'
import { startMeter, type Cost, type Metered } from './meter.ts'
import { track } from './processes.ts'
import type { LoadOrder, LoadProgress, LoadResult } from './load-worker.ts'

export const CONNECTIONS = 64

/** One measured run, and what each of its requests has cost. */
export interface Load extends LoadResult {
  /** Covers warm-up and measurement together: the load is constant throughout. */
  readonly cost: Cost
}

export type LoadOptions = Omit<LoadOrder, 'connections' | 'run'> & { readonly connections?: number }

const GRACE_MS = 10_000

let run = 0

/**
 * Runs the load in a process of its own: 64 keep-alive connections, each with one request in flight, every status
 * checked. Bare sockets instead of autocannon, because whatever the generator uses, the server lacks. Measured with the
 * same gateway on 2 cores: a provider lookup 15,800/s with 0.24 cores for the generator (autocannon 9: 14,000/s with
 * 0.40), a collection 6,100/s with 0.10 (6,000/s with 0.22).
 */
export async function runLoad(
  metered: Metered,
  order: LoadOptions,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<Load> {
  const worker = fork(join(import.meta.dirname, 'load-worker.ts'), { detached: true })
  const child = track(worker)
  const lastsMs = order.warmUpMs + order.measureMs
  const costOf = await startMeter(metered)
  const result = await new Promise<LoadResult>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the load generator did not end ${GRACE_MS} ms after its time`)),
      lastsMs + GRACE_MS,
    )
    worker.on('message', (message: LoadProgress | LoadResult) =>
      'answered' in message ? resolve(message) : onProgress(message),
    )
    worker.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)))
    worker.once('exit', () => clearTimeout(timer))
    worker.send({ connections: CONNECTIONS, ...order, run: ++run } satisfies LoadOrder)
  })
  const cost = await costOf(result.accepted)
  await child.stop()
  return { ...result, cost }
}

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** The median rate of several runs. */
export const perSecond = (loads: readonly { readonly perSecond: number }[]): number =>
  median(loads.map((load) => load.perSecond))

/** The cost of the run in the middle, by its processor time. */
export function middleCost(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((a, b) => a.totalUs - b.totalUs)
  return present(sorted[Math.floor((sorted.length - 1) / 2)], 'a cost')
}
