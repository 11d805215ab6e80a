import type { Clock } from '../actions/ports/clock.ts'
import type { WorkKind, WorkQueue } from '../actions/ports/work.ts'
import type { Timers } from './timers.ts'

/** How soon work is found that others added or that has become due. */
const POLL_MS = 100
const DATABASE_AWAY_MS = 500

/** Finds what has become due, for all lanes of a process in one statement. */
export interface DueWatch {
  start(): void
  /** Asks now: somebody else has added work. */
  ask(): void
  /** Asks no more, and waits for the answer that is under way. */
  stop(): Promise<void>
}

export interface WatchedLanes {
  readonly kinds: readonly WorkKind[]
  readonly queue: Pick<WorkQueue, 'nextDue'>
  readonly clock: Clock
  readonly timers: Timers
  /** How long may pass without a question while nothing is due. */
  readonly pollMsMax: () => number
  /** Told the kinds of which something is due, or may be: all, when the database does not answer. */
  readonly onDue: (kinds: readonly WorkKind[]) => void
}

/**
 * Asks at least every POLL_MS while others cannot tell that they added work; where they can, no sooner than something
 * becomes due.
 */
export function createDueWatch({ kinds, queue, clock, timers, pollMsMax, onDue }: WatchedLanes): DueWatch {
  let running = false
  let asking: Promise<void> | undefined
  let askedMeanwhile = false
  let cancelTimer: () => void = () => undefined

  function ask(): void {
    if (!running) return
    askedMeanwhile = asking !== undefined
    if (askedMeanwhile) return
    cancelTimer()
    asking = look().then((waitMs) => {
      asking = undefined
      if (askedMeanwhile) ask()
      else if (running) cancelTimer = timers.after(waitMs, ask)
    })
  }

  /** @returns how long until the next question */
  async function look(): Promise<number> {
    try {
      const next = await queue.nextDue(kinds)
      const now = clock.now().getTime()
      const waits = [...next].map(([kind, dueAt]) => ({ kind, waitMs: dueAt.getTime() - now }))
      const due = waits.filter(({ waitMs }) => waitMs <= 0).map(({ kind }) => kind)
      if (running && due.length > 0) onDue(due)
      return Math.max(Math.min(pollMsMax(), ...waits.map(({ waitMs }) => waitMs)), POLL_MS)
    } catch {
      // Each lane looks by itself, and tells what is wrong.
      if (running) onDue(kinds)
      return DATABASE_AWAY_MS
    }
  }

  return {
    start() {
      running = true
      cancelTimer = timers.after(POLL_MS, ask)
    },
    ask,
    async stop() {
      running = false
      cancelTimer()
      await asking
    },
  }
}
