import type { Wake } from '../actions/ports/wake.ts'
import { createDueWatch } from './due-watch.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { createRunner } from './runner.ts'

interface LoopOptions extends QueueSurroundings {
  readonly queues: readonly JobQueue[]
  /** The longest pause between polls for jobs that other processes added. Absent: they cannot notify this one. */
  readonly pollMsMax?: () => number
}

/** All queues of a process. */
export interface JobLoop extends Wake {
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
}

/** One runner per queue. Nothing runs before `start`, or `runDue` in a test. */
export function createJobLoop(options: LoopOptions): JobLoop {
  const runners = options.queues.map((queue) => createRunner(queue, options))
  const watch = createDueWatch({
    ...options,
    kinds: runners.map(({ kind }) => kind),
    pollMsMax: options.pollMsMax ?? (() => 0),
    onDue: (kinds) => runners.filter(({ kind }) => kinds.includes(kind)).forEach((runner) => runner.wake()),
  })
  return {
    wake(kind, dueAt) {
      if (dueAt <= options.clock.now()) runners.find((runner) => runner.kind === kind)?.wake()
    },
    start() {
      runners.forEach((runner) => runner.start())
      watch.start()
    },
    pollNow: watch.poll,
    async stop(graceMs) {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>()
      const cancel = options.timers.after(graceMs, resolve)
      await Promise.race([Promise.all([watch.stop(), ...runners.map((runner) => runner.stop())]), graceOver])
      cancel()
    },
    async runDue() {
      while ((await Promise.all(runners.map((runner) => runner.runOnce()))).some((claimed) => claimed > 0)) {
        /* a job may have made other jobs due */
      }
    },
  }
}
