import type { Clock, Random, Wake, WorkItem, WorkKind, WorkQueue } from '../actions/ports.ts'
import { createRunner } from './runner.ts'
import type { Timers } from './timers.ts'

/** One kind of work and how much of it may run at a time. */
export interface Lane {
  readonly kind: WorkKind
  /** Items in progress at the same time, over all batches. */
  readonly capacity: number
  /** Items claimed at once. */
  readonly batchMax: number
  /**
   * Runs at the same time. One for set-based work: what becomes due meanwhile makes the next batch larger instead of
   * many small ones.
   */
  readonly runsMax?: number
  /**
   * Looks at most once in so many milliseconds unless the last claim was full: set-based work costs far less in a few
   * large batches, and a payment takes seconds anyway.
   */
  readonly everyMs?: number
  /** One promise for a whole batch, or one per item where a slow item must not hold up the others. */
  readonly run: (items: readonly WorkItem[]) => readonly Promise<void>[]
}

export interface LoopOptions {
  readonly queue: WorkQueue
  readonly lanes: readonly Lane[]
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  /** What operators may read of a fault: nothing that it carries along of customers. */
  readonly reasonOf: (error: unknown) => string
  readonly onError: (error: unknown, kind: WorkKind) => void
  /** An item was put aside: running it fails, alone as well. */
  readonly onPutAside: (error: unknown, item: WorkItem) => void
}

export interface WorkLoop extends Wake {
  start(): void
  /** Claims nothing more and waits for what runs, at most `graceMs`; what is left is taken over when its lease ends. */
  stop(graceMs: number): Promise<void>
  /**
   * Does all work that is due by the clock, and what follows from it, until nothing is due: for tests with a fixed
   * clock.
   */
  runDue(): Promise<void>
}

export function createWorkLoop(options: LoopOptions): WorkLoop {
  const runners = options.lanes.map((lane) => createRunner(lane, options))
  return {
    wake: (kind) => runners.find((runner) => runner.kind === kind)?.wake(),
    start: () => runners.forEach((runner) => runner.start()),
    async stop(graceMs) {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>()
      const cancel = options.timers.after(graceMs, resolve)
      await Promise.race([Promise.all(runners.map((runner) => runner.stop())), graceOver])
      cancel()
    },
    async runDue() {
      while ((await Promise.all(runners.map((runner) => runner.runOnce()))).some((claimed) => claimed > 0)) {
        /* what ran may have made new work due */
      }
    },
  }
}
