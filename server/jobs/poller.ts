import { StorageUnavailable } from '../actions/ports/store.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'

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
/**
 * The cost of a claim is the minimum of this many durations. A longer one waited for a CPU or a connection, as
 * everything else did, and did not cause that load. Beside an unresponsive host every poll between two payments gets
 * nothing, and the callbacks of these payments wait for the assumed cost.
 */
const COSTLY_LATELY = 8

export interface Poller {
  start(): void
  /** Polls now, or as soon as it may. */
  poll(): void
  /** Capacity is free: polls if a poll is pending. */
  again(): void
  /** Jobs have to be released: polls in a moment, when the database may be available again. */
  later(): void
  /** Stops polling and waits for the claim in flight. */
  stop(): Promise<void>
}

/** What a queue claims on a poll. */
interface ClaimSource {
  /** How many jobs may be claimed now. */
  readonly room: () => number
  /** Claims and starts up to `limit` jobs. @returns how many it got */
  readonly claim: (limit: number) => Promise<number>
  /** Whether claims that got this many jobs are a burden on the database, so that the next one has to pause. */
  readonly isCostly: (taken: number) => boolean
}

/**
 * Decides when a queue polls: on a wake-up (also from due-watch.ts when jobs become due), when capacity is free after
 * a full claim, and again after a failed poll.
 */
export function createPolls(queue: JobQueue, env: QueueSurroundings, { room, claim, isCostly }: ClaimSource): Poller {
  const { timers, onError } = env
  let running = false
  let claiming: Promise<void> | undefined
  /** A poll was requested that could not start at once. */
  let wanted = false
  let nextPollAt = 0
  const cost = leastOf(COSTLY_LATELY)
  let cancelTimer: () => void = () => undefined

  function poll(): void {
    if (!running) return
    wanted = claiming !== undefined || room() === 0
    if (wanted) return
    cancelTimer()
    const waitMs = nextPollAt - timers.elapsedMs()
    if (waitMs > 0) cancelTimer = timers.after(waitMs, poll)
    else
      claiming = claimAll().finally(() => {
        claiming = undefined
        again()
      })
  }

  function again(): void {
    if (wanted) poll()
  }

  async function claimAll(): Promise<void> {
    const startedMs = timers.elapsedMs()
    try {
      const { isLeft, taken } = await claimUntilNone(() => running && room(), claim)
      if (isLeft) wanted = true
      else nextPollAt = timers.elapsedMs() + pauseMs(queue, isCostly(taken) ? cost(timers.elapsedMs() - startedMs) : 0)
    } catch (error) {
      onError(error, queue.kind)
      pollAfter(error instanceof StorageUnavailable ? DATABASE_AWAY_MS : FAILED_MS)
    }
  }

  function pollAfter(ms: number): void {
    cancelTimer()
    if (running) cancelTimer = timers.after(ms, poll)
  }

  return {
    poll,
    again,
    later: () => pollAfter(DATABASE_AWAY_MS),
    start() {
      running = true
      poll()
    },
    async stop() {
      running = false
      cancelTimer()
      await claiming
    },
  }
}

/** @returns the minimum of the last `many` values */
function leastOf(many: number): (value: number) => number {
  const latest: number[] = []
  return (value) => {
    latest.push(value)
    if (latest.length > many) latest.shift()
    return Math.min(...latest)
  }
}

/** @param costlyMs the cost of a costly claim */
const pauseMs = ({ everyMs = 0 }: JobQueue, costlyMs: number): number => Math.max(everyMs, costlyMs * PAUSE_BESIDE)

/**
 * Claims until no job or no capacity is left.
 * @returns whether every claim was full, so that more jobs can be claimed as soon as there is capacity, and how many
 *   all of them got
 */
async function claimUntilNone(
  room: () => number | false,
  claim: (limit: number) => Promise<number>,
): Promise<{ readonly isLeft: boolean; readonly taken: number }> {
  let taken = 0
  for (let limit = room(); limit; limit = room()) {
    const got = await claim(limit)
    taken += got
    if (got < limit) return { isLeft: false, taken }
  }
  return { isLeft: true, taken }
}
