/** The simulator's time: real time plus an offset, or a frozen clock that only moves when it is advanced. */
export interface Clock {
  now(): Date
  /** Runs a task once, after this delay by this clock. Tasks that are due together run in the order they were set. */
  after(ms: number, task: () => void): void
  /** Runs every task that is due until then, each at its own time. @throws RangeError for a negative time */
  advance(ms: number): void
  /** When the first task is due. */
  nextDue(): Date | undefined
  /** Cancels all tasks. */
  stop(): void
}

interface Task {
  readonly dueMs: number
  readonly run: () => void
}

// The longest delay of setTimeout; a longer one is split.
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
    nextDue: () => (tasks[0] ? new Date(tasks[0].dueMs) : undefined),
    stop() {
      clearTimeout(timer)
      tasks.length = 0
    },
  }
}
