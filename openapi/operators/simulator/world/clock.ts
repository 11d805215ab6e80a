/** The simulator's time: the real one and what it was advanced by, or one that only moves when it is told to. */
export interface Clock {
  now(): Date
  /** Does something once, that much later by this clock. Tasks that are due together run in the order they were set. */
  after(ms: number, task: () => void): void
  /** Everything that is due until then happens, each at its own time. @throws RangeError for a negative time */
  advance(ms: number): void
  /** Nothing that was set happens any more. */
  stop(): void
}

interface Task {
  readonly dueMs: number
  readonly run: () => void
}

// What setTimeout can wait at most; a longer wait is taken in steps.
const WAIT_MAX_MS = 2 ** 31 - 1

/** @param options `frozen`: time moves by `advance` alone; `realNow` is for tests */
export function createClock({
  frozen = false,
  realNow = Date.now,
}: { readonly frozen?: boolean; readonly realNow?: () => number } = {}): Clock {
  const startMs = realNow()
  let offsetMs = 0
  let pinnedMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  const tasks: Task[] = []

  const nowMs = (): number => pinnedMs ?? (frozen ? startMs : realNow()) + offsetMs

  const runUntil = (untilMs: number): void => {
    try {
      for (let task = tasks[0]; task !== undefined && task.dueMs <= untilMs; task = tasks[0]) {
        tasks.shift()
        pinnedMs = Math.max(task.dueMs, pinnedMs ?? 0)
        task.run()
      }
    } finally {
      pinnedMs = undefined
    }
  }

  const wait = (): void => {
    clearTimeout(timer)
    const [next] = tasks
    if (next === undefined || frozen) return
    const waitMs = Math.min(Math.max(next.dueMs - nowMs(), 0), WAIT_MAX_MS)
    timer = setTimeout(() => {
      runUntil(nowMs())
      wait()
    }, waitMs).unref()
  }

  return {
    now: () => new Date(nowMs()),
    after(ms, task) {
      const dueMs = nowMs() + ms
      const behind = tasks.findIndex((other) => other.dueMs > dueMs)
      tasks.splice(behind === -1 ? tasks.length : behind, 0, { dueMs, run: task })
      if (pinnedMs === undefined) wait()
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`the clock cannot be set back: ${ms} ms`)
      runUntil(nowMs() + ms)
      offsetMs += ms
      wait()
    },
    stop() {
      clearTimeout(timer)
      tasks.length = 0
    },
  }
}
