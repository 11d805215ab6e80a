import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Job } from '../actions/ports/jobs.ts'
import type { Claims } from './claims.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'

/** Quarantine of a failed job: the delay before its next try. It doubles with every failure. */
const QUARANTINED_MS = { first: 5_000, max: 60 * 60_000 }
const REASON_MAX = 500

/** 5 s, 10 s, 20 s … an hour. */
export const quarantineMs = (failures: number): number =>
  Math.min(QUARANTINED_MS.first * 2 ** Math.min(failures, 20), QUARANTINED_MS.max)

/**
 * @param among how many ran together: one job may fail a whole batch
 * @param run runs a part of the failed batch again
 */
export type AfterFailure = (
  error: unknown,
  items: readonly Job[],
  among: number,
  run: (items: readonly Job[]) => readonly Promise<void>[],
) => Promise<void>

/**
 * Isolates a poison job by bisection: each half of a failed batch runs again, until the poison job has run alone and
 * is quarantined. When the database is unavailable, no job is at fault: all of them are released.
 */
export function createAfterFailure(
  jobQueue: JobQueue,
  { queue, clock, reasonOf, onError, onQuarantined }: QueueSurroundings,
  leave: Claims['abandon'],
): AfterFailure {
  const afterFailure: AfterFailure = async (error, items, among, run) => {
    onError(error, jobQueue.kind)
    if (error instanceof StorageUnavailable) return leave(items)
    const [item] = items
    if (among === 1 && item) return quarantine(error, item)
    if (items.length === 1) return runAgain(items, run)
    const middle = Math.ceil(items.length / 2)
    for (const half of [items.slice(0, middle), items.slice(middle)]) await runAgain(half, run)
  }

  async function runAgain(items: readonly Job[], run: Parameters<AfterFailure>[3]): Promise<void> {
    const results = await Promise.allSettled(run(items))
    for (const [index, result] of results.entries()) {
      if (result.status !== 'rejected') continue
      await afterFailure(result.reason, partOf(items, results.length, index), items.length, run)
    }
  }

  async function quarantine(error: unknown, item: Job): Promise<void> {
    const until = new Date(clock.now().getTime() + quarantineMs(item.failures))
    try {
      await queue.quarantine(item, until, reasonOf(error).slice(0, REASON_MAX))
      onQuarantined(error, item)
    } catch (failure) {
      onError(failure, jobQueue.kind)
      leave([item])
    }
  }

  return afterFailure
}

/** The jobs of a promise: one job where each has its own promise, otherwise all of them. */
export const partOf = (items: readonly Job[], promises: number, index: number): readonly Job[] =>
  promises === items.length ? items.slice(index, index + 1) : items
