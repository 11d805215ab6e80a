import type { Wake } from '../actions/ports/wake.ts'
import { createDueWatch } from './due-watch.ts'
import type { Lane, LaneSurroundings } from './lane.ts'
import { createRunner } from './runner.ts'

export interface LoopOptions extends LaneSurroundings {
  readonly lanes: readonly Lane[]
  /** How long may pass without a question for what others have added; absent: they cannot tell of it. */
  readonly pollMsMax?: () => number
}

/** All lanes of a process. */
export interface WorkLoop extends Wake {
  start(): void
  /** Another process has added work: looks what is due. */
  lookNow(): void
  /** Claims nothing more and waits for what runs, at most `graceMs`; what is left is taken over when its lease ends. */
  stop(graceMs: number): Promise<void>
  /**
   * Does all work that is due by the clock, and what follows from it, until nothing is due: for tests with a fixed
   * clock.
   */
  runDue(): Promise<void>
}

/** A runner for each lane. Nothing runs before `start`, or `runDue` in a test. */
export function createWorkLoop(options: LoopOptions): WorkLoop {
  const runners = options.lanes.map((lane) => createRunner(lane, options))
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
    lookNow: watch.ask,
    async stop(graceMs) {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>()
      const cancel = options.timers.after(graceMs, resolve)
      await Promise.race([Promise.all([watch.stop(), ...runners.map((runner) => runner.stop())]), graceOver])
      cancel()
    },
    async runDue() {
      while ((await Promise.all(runners.map((runner) => runner.runOnce()))).some((claimed) => claimed > 0)) {
        /* what ran may have made new work due */
      }
    },
  }
}
