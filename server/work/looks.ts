import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Lane, LaneSurroundings } from './lane.ts'

/** A look that failed is made again after so long. */
const FAILED_MS = 100
const DATABASE_AWAY_MS = 500
/**
 * A claim beside slow operators goes through all that waits for them, a few microseconds for each, and a fair one that got
 * nothing stepped through all addressees in vain: with a wait of so many times what it took, the database has little to
 * do with it whatever waits. A fair claim that got something is followed by the next as soon as there is room: one busy
 * server had been told 64 callbacks for each such wait, 440 a second and never more.
 */
const PAUSE_BESIDE = 4
/**
 * What it costs is what the cheapest of so many took: one that took longer waited for a processor or a connection, as all
 * else did, and a busy machine is no burden of its making. Beside a dead host each look between two payments is in vain,
 * and their callbacks wait for what it is said to have cost.
 */
const COSTLY_LATELY = 8

export interface Looks {
  start(): void
  /** Looks for work now, or as soon as it may. */
  look(): void
  /** There is room: looks, if somebody waits for that. */
  again(): void
  /** Something is to be given back: looks in a moment, when the database may be there again. */
  later(): void
  /** Looks no more, and waits for a claim that is under way. */
  stop(): Promise<void>
}

/** What a lane claims when it looks. */
export interface Claiming {
  /** How many items may be claimed now. */
  readonly room: () => number
  /** Starts up to so many. @returns how many it got */
  readonly claim: (limit: number) => Promise<number>
  /** Whether the claims that just got so many items are a burden on the database, so that the next one had better wait. */
  readonly isCostly: (taken: number) => boolean
}

/**
 * When a lane looks for work: when it is woken, be it by what has become due (due-watch.ts), when there is room after a
 * full claim, and again when a look failed.
 */
export function createLooks(lane: Lane, around: LaneSurroundings, { room, claim, isCostly }: Claiming): Looks {
  const { timers, onError } = around
  let running = false
  let claiming: Promise<void> | undefined
  /** Somebody asked for a look that could not begin at once. */
  let wanted = false
  let nextLookAt = 0
  const cost = leastOf(COSTLY_LATELY)
  let cancelTimer: () => void = () => undefined

  function look(): void {
    if (!running) return
    wanted = claiming !== undefined || room() === 0
    if (wanted) return
    cancelTimer()
    const waitMs = nextLookAt - timers.elapsedMs()
    if (waitMs > 0) cancelTimer = timers.after(waitMs, look)
    else
      claiming = claimAll().finally(() => {
        claiming = undefined
        again()
      })
  }

  function again(): void {
    if (wanted) look()
  }

  async function claimAll(): Promise<void> {
    const startedMs = timers.elapsedMs()
    try {
      const { isLeft, taken } = await claimUntilNone(() => running && room(), claim)
      if (isLeft) wanted = true
      else nextLookAt = timers.elapsedMs() + pauseMs(lane, isCostly(taken) ? cost(timers.elapsedMs() - startedMs) : 0)
    } catch (error) {
      onError(error, lane.kind)
      lookAfter(error instanceof StorageUnavailable ? DATABASE_AWAY_MS : FAILED_MS)
    }
  }

  function lookAfter(ms: number): void {
    cancelTimer()
    if (running) cancelTimer = timers.after(ms, look)
  }

  return {
    look,
    again,
    later: () => lookAfter(DATABASE_AWAY_MS),
    start() {
      running = true
      look()
    },
    async stop() {
      running = false
      cancelTimer()
      await claiming
    },
  }
}

/** @returns the least of the last so many that it was given */
function leastOf(many: number): (value: number) => number {
  const latest: number[] = []
  return (value) => {
    latest.push(value)
    if (latest.length > many) latest.shift()
    return Math.min(...latest)
  }
}

/** @param costlyMs what a costly claim costs */
const pauseMs = ({ everyMs = 0 }: Lane, costlyMs: number): number => Math.max(everyMs, costlyMs * PAUSE_BESIDE)

/**
 * Claims until there is no more, or no more room.
 * @returns whether every claim was full: then there is more as soon as there is room; and how many all of them got
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
