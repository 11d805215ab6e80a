import { allEnded } from '../actions/by-rail-account.ts'
import type { ClaimExclusions, Job, JobKind } from '../actions/ports/jobs.ts'
import type { Operator, Part } from '../actions/ports/operator-parts.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { isAddressed, Leases } from './leases.ts'
import { createDelayReport, createDueWatch } from './notifications.ts'
import type { JobQueue, QueueSurroundings } from './queues.ts'
import { partOf, Retries, type RunJobs } from './retries.ts'

/** Delay before the next poll after a failed one. */
const FAILED_MS = 100
const DATABASE_AWAY_MS = 500
/**
 * Pause after a costly claim, as a multiple of its duration: it bounds the load on the database, whatever the backlog
 * is. A claim that excludes slow operators scans all of their waiting jobs, a few microseconds each. A fair claim that
 * gets nothing has visited all destinations for nothing. A fair claim that gets something is followed by the next one
 * as soon as there is capacity: with a pause, one busy server received 64 callbacks per pause, 440 a second and never
 * more.
 */
const PAUSE_BESIDE = 4
/** Shorter delays are those of batches in progress: nobody has to know them. */
const DELAY_MS_MIN = 250
/**
 * The cost of a claim is the minimum of this many durations. A longer one waited for a CPU or a connection, as
 * everything else did, and did not cause that load. Beside an unresponsive host every poll between two payments gets
 * nothing, and the callbacks of these payments wait for the assumed cost.
 */
const COSTLY_LATELY = 8

interface WorkerOptions extends QueueSurroundings {
  readonly queues: readonly JobQueue[]
  /** The longest pause between polls for jobs that other processes added. Absent: they cannot notify this one. */
  readonly pollMsMax?: () => number
  /** Called while due jobs wait for this process, and once after that with 0. */
  readonly onDelay?: (delayMs: number) => void
}

/** All queues of a process. */
export interface JobWorker extends Wake {
  start(): void
  /** Another process has added jobs: polls for due ones. */
  pollNow(): void
  /**
   * Stops claiming and waits for running jobs, at most `graceMs`. Other workers take over the rest when its lease
   * ends.
   */
  stop(graceMs: number): Promise<void>
  /**
   * Runs all jobs that are due by the clock, and their follow-up jobs, until nothing is due. For tests with a fixed
   * clock.
   */
  runDue(): Promise<void>
  /** Runs one batch of each of these kinds. For a clock that walks from job to job. */
  runBatches(kinds: readonly JobKind[]): Promise<void>
  /** When the first job of each kind is due; kinds without a job are missing. */
  nextDue(): Promise<ReadonlyMap<JobKind, Date>>
}

/** Nothing runs before `start`, or `runDue` in a test. */
export function createWorker(options: WorkerOptions): JobWorker {
  const workers = options.queues.map((queue) => new QueueWorker(queue, options))
  const delayed = createDelayReport(options.timers, options.onDelay ?? (() => undefined))
  const watch = createDueWatch({
    ...options,
    kinds: workers.map(({ kind }) => kind),
    pollMsMax: options.pollMsMax ?? (() => 0),
    onDue: (kinds) => workers.filter(({ kind }) => kinds.includes(kind)).forEach((worker) => worker.poll()),
    onOldest: (lateMs) => {
      const delays = workers.map((worker) => worker.delayMs(lateMs.get(worker.kind) ?? 0))
      void Promise.all(delays).then((each) => delayed(Math.max(...each)))
    },
  })
  const nextDue = () =>
    options.queue.nextDue(
      workers.map(({ kind }) => kind),
      options.clock.now(),
    )
  return {
    wake(kind, dueAt) {
      if (dueAt <= options.clock.now()) workers.find((worker) => worker.kind === kind)?.poll()
    },
    start() {
      workers.forEach((worker) => worker.start())
      watch.start()
    },
    pollNow: watch.poll,
    async stop(graceMs) {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>()
      const cancel = options.timers.after(graceMs, resolve)
      await Promise.race([Promise.all([watch.stop(), ...workers.map((worker) => worker.stop())]), graceOver])
      cancel()
    },
    async runDue() {
      // One statement in place of a claim for each kind; a job may have made other jobs due.
      for (let claimed = 1; claimed > 0;) {
        const dueAt = await nextDue()
        const due = workers.filter(({ kind }) => (dueAt.get(kind) ?? Infinity) <= options.clock.now())
        claimed = sum(await Promise.all(due.map((worker) => worker.runOnce())))
      }
    },
    async runBatches(kinds) {
      await Promise.all(workers.filter(({ kind }) => kinds.includes(kind)).map((worker) => worker.runOnce()))
    },
    nextDue,
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** Jobs of one claim. */
interface Batch {
  /** What is left of it waits for operators and blocks no other batch. */
  onlyWaits: boolean
  ended: Promise<void>
}

/** An operator whose reply the queue waits for. Its other jobs wait, those for other operators do not. */
interface AwaitedOperator {
  readonly operator: Operator
  /** A claim has excluded jobs of this operator, so there may be some. */
  wasExcluded: boolean
}

/**
 * Claims and runs the jobs of one queue, in the order of the methods below. `poll` decides when to claim: on a wake-up
 * (also from notifications.ts when jobs become due), when capacity is free after a full claim, and again after a
 * failed poll. `claimDue` claims until no due job or no capacity is left. `run` ends each claimed job: done,
 * quarantined or released.
 */
class QueueWorker {
  readonly kind: JobKind
  private readonly queue: JobQueue
  private readonly around: QueueSurroundings
  private readonly leases: Leases
  private readonly retries: Retries
  private isRunning = false
  private claiming: Promise<void> | undefined
  /** A poll was requested that could not start at once. */
  private isPollPending = false
  private nextPollAt = 0
  private readonly costsMs: number[] = []
  private jobsInProgress = 0
  private readonly batches = new Set<Batch>()
  private readonly awaited = new Set<AwaitedOperator>()
  private cancelTimer = (): void => undefined

  constructor(queue: JobQueue, around: QueueSurroundings) {
    this.kind = queue.kind
    this.queue = queue
    this.around = around
    this.leases = new Leases(queue, around)
    this.retries = new Retries(queue, around, (jobs) => {
      this.leases.release(jobs)
      this.pollAfter(DATABASE_AWAY_MS)
    })
  }

  start(): void {
    this.isRunning = true
    this.poll()
  }

  /** Stops claiming, and waits for everything in progress. */
  async stop(): Promise<void> {
    this.isRunning = false
    this.cancelTimer()
    await this.claiming
    await this.allEnded()
  }

  /** Without polls. @returns how many jobs it got */
  async runOnce(): Promise<number> {
    const claimed = await this.claim(this.queue.batchMax)
    await this.allEnded()
    return claimed
  }

  /** Polls now, or as soon as it may. */
  poll(): void {
    if (!this.isRunning) return
    this.isPollPending = this.claiming !== undefined || this.room() === 0
    if (this.isPollPending) return
    const waitMs = this.nextPollAt - this.around.timers.elapsedMs()
    if (waitMs > 0) return this.pollAfter(waitMs)
    this.cancelTimer()
    this.claiming = this.claimDue().finally(() => {
      this.claiming = undefined
      this.pollIfPending()
    })
  }

  /**
   * @param oldestMs how long the oldest job has been due
   * @returns how long the oldest job has been due that waits for nothing but this process and the database
   */
  async delayMs(oldestMs: number): Promise<number> {
    const { queue, clock } = this.around
    if (oldestMs < DELAY_MS_MIN || this.awaited.size > 0) return 0
    const ready = this.queue.destinations?.ready()
    if (!ready || !isAddressed(this.kind)) return oldestMs
    const dueAt = await queue.nextDueFor(this.kind, ready).catch(() => undefined)
    return dueAt ? Math.max(clock.now().getTime() - dueAt.getTime(), 0) : 0
  }

  private pollIfPending(): void {
    if (this.isPollPending) this.poll()
  }

  private pollAfter(ms: number): void {
    this.cancelTimer()
    if (this.isRunning) this.cancelTimer = this.around.timers.after(ms, () => this.poll())
  }

  /**
   * How many jobs may be claimed now. While others are in progress only whole batches are claimed: one or two slots are
   * free all the time, and each poll costs a statement.
   */
  private room(): number {
    const { capacity, batchMax, runsMax = Infinity } = this.queue
    const free = capacity - this.jobsInProgress
    const runs = [...this.batches].filter(({ onlyWaits }) => !onlyWaits).length
    return runs >= runsMax || (this.jobsInProgress > 0 && free < batchMax) ? 0 : Math.min(free, batchMax)
  }

  private async claimDue(): Promise<void> {
    const { timers, onError } = this.around
    const startedMs = timers.elapsedMs()
    let taken = 0
    try {
      for (let limit = this.room(); this.isRunning && limit > 0; limit = this.room()) {
        const got = await this.claim(limit)
        taken += got
        if (got < limit) {
          this.nextPollAt = timers.elapsedMs() + this.pauseMs(taken, timers.elapsedMs() - startedMs)
          return
        }
      }
      // Every claim was full: more can be claimed as soon as there is capacity.
      this.isPollPending = true
    } catch (error) {
      onError(error, this.kind)
      this.pollAfter(error instanceof StorageUnavailable ? DATABASE_AWAY_MS : FAILED_MS)
    }
  }

  /** @param taken how many jobs the claims got that took so long */
  private pauseMs(taken: number, tookMs: number): number {
    const { everyMs = 0, destinations } = this.queue
    const isCostly = this.awaited.size > 0 || (taken === 0 && destinations?.quota() !== undefined)
    if (!isCostly) return everyMs
    this.costsMs.push(tookMs)
    if (this.costsMs.length > COSTLY_LATELY) this.costsMs.shift()
    return Math.max(everyMs, Math.min(...this.costsMs) * PAUSE_BESIDE)
  }

  /** Claims up to `limit` jobs and starts them. @returns how many it got */
  private async claim(limit: number): Promise<number> {
    const { destinations } = this.queue
    const quota = destinations?.quota()
    const jobs = await this.leases.claim(limit, this.exclusions(), quota)
    destinations?.claimed(jobs, limit, quota)
    if (jobs.length > 0) this.startBatch(jobs)
    return jobs.length
  }

  /** What a claim that starts now excludes, because its operator already has a batch. */
  private exclusions(): ClaimExclusions | undefined {
    if (this.awaited.size === 0) return undefined
    for (const one of this.awaited) one.wasExcluded = true
    const operators = [...this.awaited].map(({ operator }) => operator)
    return {
      railAccounts: [...new Set(operators.map(({ railAccount }) => railAccount))],
      providers: [...new Set(operators.flatMap(({ providers }) => providers))],
    }
  }

  private startBatch(jobs: readonly Job[]): void {
    const batch: Batch = { onlyWaits: false, ended: Promise.resolve() }
    this.jobsInProgress += jobs.length
    this.batches.add(batch)
    batch.ended = this.run(jobs, batch)
  }

  private async run(jobs: readonly Job[], batch: Batch): Promise<void> {
    const run: RunJobs = (some) => this.queue.run(some, (parts) => this.runParts(parts, batch))
    const stopRenewing = this.leases.keep(jobs)
    const results = run(jobs)
    await Promise.all(
      results.map((result, index) => this.end(result, partOf(jobs, results.length, index), jobs.length, run)),
    )
    stopRenewing()
    this.batches.delete(batch)
    this.pollIfPending()
  }

  /** Each operator's part ends on its own: until then no other job of that operator is claimed. */
  private async runParts(parts: readonly Part[], batch: Batch): Promise<void> {
    const own = parts.filter(({ operator }) => !operator).map(({ run }) => run())
    const ofOperators = parts.flatMap(({ operator, run }) => (operator ? [this.awaitOperator(operator, run())] : []))
    if (ofOperators.length > 0)
      void Promise.allSettled(own).then(() => {
        batch.onlyWaits = true
        this.pollIfPending()
      })
    await allEnded([...own, ...ofOperators])
  }

  private async awaitOperator(operator: Operator, reply: Promise<void>): Promise<void> {
    const awaited: AwaitedOperator = { operator, wasExcluded: false }
    this.awaited.add(awaited)
    try {
      await reply
    } finally {
      this.awaited.delete(awaited)
      if (awaited.wasExcluded) this.poll()
    }
  }

  /** @param among how many jobs ran together */
  private async end(result: Promise<void>, jobs: readonly Job[], among: number, run: RunJobs): Promise<void> {
    try {
      await result
    } catch (error) {
      await this.retries.afterFailure(error, jobs, among, run)
    } finally {
      this.jobsInProgress -= jobs.length
      if (this.queue.destinations?.ended(jobs)) this.poll()
      else this.pollIfPending()
    }
  }

  private async allEnded(): Promise<void> {
    await Promise.all([...this.batches].map(({ ended }) => ended))
  }
}
