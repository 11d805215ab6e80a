import type { Clock } from '../actions/ports/clock.ts'
import type { InParts } from '../actions/ports/operator-parts.ts'
import type { Job, JobKind, JobStore } from '../actions/ports/jobs.ts'
import type { Random } from '../domain/references.ts'
import type { Shares } from './destination-quotas.ts'
import type { Timers } from './timers.ts'

/** One job kind with its concurrency limits. */
export interface JobQueue {
  readonly kind: JobKind
  /** Jobs in progress at the same time, over all batches. */
  readonly capacity: number
  /** Jobs per claim. */
  readonly batchMax: number
  /**
   * Runs at the same time. Set-based jobs have one: what becomes due in the meantime makes the next batch larger
   * instead of many small ones. A run whose remaining parts only wait for operators no longer counts: until they
   * answer, no more jobs are claimed for these operators, and all jobs for others are.
   */
  readonly runsMax?: number
  /**
   * Minimum interval between polls in milliseconds, unless the last claim was full. Set-based jobs cost far less in a
   * few large batches, and a payment takes seconds anyway.
   */
  readonly everyMs?: number
  /** Longest duration of a run, if that is more than a lease: until then its lease is renewed. */
  readonly takesMs?: number
  /** Quotas per destination, for jobs that have one. Every job then has a promise of its own. */
  readonly shares?: Shares
  /** One promise for a whole batch, or one per job where a slow job must not block the others. */
  readonly run: (items: readonly Job[], inParts: InParts) => readonly Promise<void>[]
}

/** What all queues run with. */
export interface QueueSurroundings {
  readonly queue: JobStore
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  /** The reason of a failure as staff may read it, without customer data. */
  readonly reasonOf: (error: unknown) => string
  readonly onError: (error: unknown, kind: JobKind) => void
  /** Called when a job was quarantined: it fails alone as well. */
  readonly onQuarantined: (error: unknown, item: Job) => void
}
