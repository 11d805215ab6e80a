import type { Clock } from '../actions/ports/clock.ts'
import type { JobKind, JobStore } from '../actions/ports/jobs.ts'
import type { Timers } from '../actions/ports/timers.ts'

/** The longest delay until the watch finds jobs that others added or that have become due. */
const POLL_MS = 100
const DATABASE_AWAY_MS = 500

/** Polls for due jobs, for all queues of a process in one statement. */
interface DueWatch {
  start(): void
  /** Polls now: another process has added jobs. */
  poll(): void
  /** Stops polling and waits for the poll in flight. */
  stop(): Promise<void>
}

interface WatchedQueues {
  readonly kinds: readonly JobKind[]
  readonly queue: Pick<JobStore, 'nextDue'>
  readonly clock: Clock
  readonly timers: Timers
  /** The longest pause between polls while nothing is due. */
  readonly pollMsMax: () => number
  /** Called with the kinds that have due jobs, or may have: with all kinds when the database does not answer. */
  readonly onDue: (kinds: readonly JobKind[]) => void
  /** Called after each poll with how long the oldest due job of each kind has been due. */
  readonly onOldest: (lateMs: ReadonlyMap<JobKind, number>) => void
}

/**
 * Polls every POLL_MS while other processes cannot notify this one of new jobs. Where they can, it polls no sooner
 * than a job becomes due.
 */
export function createDueWatch({ kinds, queue, clock, timers, pollMsMax, onDue, onOldest }: WatchedQueues): DueWatch {
  let running = false
  let requesting: Promise<void> | undefined
  let requestedMeanwhile = false
  let cancelTimer: () => void = () => undefined

  function request(): void {
    if (!running) return
    requestedMeanwhile = requesting !== undefined
    if (requestedMeanwhile) return
    cancelTimer()
    requesting = poll().then((waitMs) => {
      requesting = undefined
      if (requestedMeanwhile) request()
      else if (running) cancelTimer = timers.after(waitMs, request)
    })
  }

  /** @returns the delay until the next poll */
  async function poll(): Promise<number> {
    try {
      const next = await queue.nextDue(kinds, clock.now())
      const now = clock.now().getTime()
      const waits = [...next].map(([kind, dueAt]) => ({ kind, waitMs: dueAt.getTime() - now }))
      const due = waits.filter(({ waitMs }) => waitMs <= 0).map(({ kind }) => kind)
      if (running) {
        onOldest(new Map(waits.map(({ kind, waitMs }) => [kind, -waitMs])))
        if (due.length > 0) onDue(due)
      }
      return Math.max(Math.min(pollMsMax(), ...waits.map(({ waitMs }) => waitMs)), POLL_MS)
    } catch {
      // Each queue polls for itself and reports the error.
      if (running) onDue(kinds)
      return DATABASE_AWAY_MS
    }
  }

  return {
    start() {
      running = true
      cancelTimer = timers.after(POLL_MS, request)
    },
    poll: request,
    async stop() {
      running = false
      cancelTimer()
      await requesting
    },
  }
}

/** How long one report covers. */
const INTERVAL_MS = 500

/**
 * Reports the standing delay of due jobs to the processes that accept payments, like CoDel: a burst that is soon done
 * does not show in the minimum over an interval, but a queue that stands does. It counts from when this process found
 * it: jobs that are hours old after an outage, and are done within a second, delay nobody.
 * @param report called at the end of each interval with a delay, and once after the last of them
 * @returns takes the delay at this moment
 */
export function createDelayReport(
  { elapsedMs }: Pick<Timers, 'elapsedMs'>,
  report: (delayMs: number) => void,
): (delayMs: number) => void {
  let endsAt = elapsedMs() + INTERVAL_MS
  let foundAt = Infinity
  let leastMs = Infinity
  let reportedMs = 0
  return (delayMs) => {
    const now = elapsedMs()
    foundAt = delayMs > 0 ? Math.min(foundAt, now) : Infinity
    leastMs = Math.min(leastMs, delayMs, Math.max(now - foundAt, 0))
    if (now < endsAt) return
    if (leastMs > 0 || reportedMs > 0) report(leastMs)
    reportedMs = leastMs
    leastMs = Infinity
    endsAt = now + INTERVAL_MS
  }
}
