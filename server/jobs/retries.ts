import type { Job } from '../actions/ports/jobs.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { JobQueue, QueueSurroundings } from './queues.ts'

/** Quarantine of a failed job: the delay before its next try. It doubles with every failure. */
const QUARANTINED_MS = { first: 5_000, max: 60 * 60_000 }
const REASON_MAX = 500

/** 5 s, 10 s, 20 s … an hour. */
export const quarantineMs = (failures: number): number =>
  Math.min(QUARANTINED_MS.first * 2 ** Math.min(failures, 20), QUARANTINED_MS.max)

/** Runs claimed jobs: one promise for all of them, or one for each. */
export type RunJobs = (jobs: readonly Job[]) => readonly Promise<void>[]

/** The jobs of a promise: one job where each has its own promise, otherwise all of them. */
export const partOf = (jobs: readonly Job[], promises: number, index: number): readonly Job[] =>
  promises === jobs.length ? jobs.slice(index, index + 1) : jobs

/**
 * Isolates a poison job by bisection: each half of a failed batch runs again, until the poison job has run alone and
 * is quarantined. When the database is unavailable, no job is at fault: all of them are released.
 */
export class Retries {
  private readonly queue: JobQueue
  private readonly around: QueueSurroundings
  private readonly release: (jobs: readonly Job[]) => void

  constructor(queue: JobQueue, around: QueueSurroundings, release: (jobs: readonly Job[]) => void) {
    this.queue = queue
    this.around = around
    this.release = release
  }

  /** @param among how many ran together: one job may fail a whole batch */
  async afterFailure(error: unknown, jobs: readonly Job[], among: number, run: RunJobs): Promise<void> {
    this.around.onError(error, this.queue.kind)
    if (error instanceof StorageUnavailable) return this.release(jobs)
    const [job] = jobs
    if (among === 1 && job) return this.quarantine(error, job)
    if (jobs.length === 1) return this.runAgain(jobs, run)
    const middle = Math.ceil(jobs.length / 2)
    for (const half of [jobs.slice(0, middle), jobs.slice(middle)]) await this.runAgain(half, run)
  }

  private async runAgain(jobs: readonly Job[], run: RunJobs): Promise<void> {
    const results = await Promise.allSettled(run(jobs))
    for (const [index, result] of results.entries())
      if (result.status === 'rejected')
        await this.afterFailure(result.reason, partOf(jobs, results.length, index), jobs.length, run)
  }

  private async quarantine(error: unknown, job: Job): Promise<void> {
    const { queue, clock, reasonOf, onError, onQuarantined } = this.around
    const until = new Date(clock.now().getTime() + quarantineMs(job.failures))
    try {
      await queue.quarantine(job, until, reasonOf(error).slice(0, REASON_MAX))
      onQuarantined(error, job)
    } catch (failure) {
      onError(failure, this.queue.kind)
      this.release([job])
    }
  }
}
