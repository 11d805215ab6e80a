import type { Turns } from '../actions/ports.ts'

export interface TurnsOptions {
  /** Actions of one key that run at the same time. */
  readonly runningMax: number
  /** Actions of one key that may wait for their turn. */
  readonly waitingMax: number
  /** How long one may wait: far less than a lease, or the same work would be taken up twice. */
  readonly waitMs: number
  /** How long it takes to be turned away when the line is full: a backlog for one key is not claimed and put off in a busy loop. */
  readonly awayMs: number
}

interface Line {
  running: number
  readonly waiting: Set<() => void>
}

/** Lets so many run at a time per key; so many more wait for a while, first come first served; what has no turn by then is turned away. */
export function createTurns({ runningMax, waitingMax, waitMs, awayMs }: TurnsOptions): Turns {
  const lines = new Map<string, Line>()

  /** Resolves true with a place that somebody left, or false when the time is up. */
  const wait = (line: Line): Promise<boolean> => new Promise((resolve) => {
    const take = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      line.waiting.delete(take)
      resolve(false)
    }, waitMs)
    line.waiting.add(take)
  })

  const turnAway = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, awayMs, false))

  return async (key, action) => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() }
    lines.set(key, line)
    if (line.running < runningMax) line.running += 1
    else if (line.waiting.size >= waitingMax) return turnAway()
    else if (!(await wait(line))) return false
    try {
      await action()
    } finally {
      const [next] = line.waiting
      if (next) {
        line.waiting.delete(next)
        next()
      } else if (--line.running === 0) {
        lines.delete(key)
      }
    }
    return true
  }
}
