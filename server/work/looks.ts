import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Lane, LaneSurroundings } from './lane.ts'

/** A look that failed is made again after so long. */
const FAILED_MS = 100
const DATABASE_AWAY_MS = 500
/**
 * A claim beside slow operators goes through all that waits for them, a few microseconds for each: with a wait of so many
 * times what it took, the database has little to do with it whatever the backlog.
 */
const PAUSE_BESIDE = 4

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
  /** Whether claims leave out what is for slow operators. */
  readonly isBeside: () => boolean
}

/**
 * When a lane looks for work: when it is woken, be it by what has become due (due-watch.ts), when there is room after a
 * full claim, and again when a look failed.
 */
export function createLooks(lane: Lane, around: LaneSurroundings, { room, claim, isBeside }: Claiming): Looks {
  const { timers, onError } = around
  let running = false
  let claiming: Promise<void> | undefined
  /** Somebody asked for a look that could not begin at once. */
  let wanted = false
  let nextLookAt = 0
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
      const isLeft = await claimUntilNone(() => running && room(), claim)
      if (isLeft) wanted = true
      else nextLookAt = timers.elapsedMs() + pauseMs(lane, isBeside() ? timers.elapsedMs() - startedMs : 0)
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

/** @param besideMs what a claim beside slow operators took */
const pauseMs = ({ everyMs = 0 }: Lane, besideMs: number): number => Math.max(everyMs, besideMs * PAUSE_BESIDE)

/**
 * Claims until there is no more, or no more room.
 * @returns whether every claim was full: then there is more as soon as there is room
 */
async function claimUntilNone(room: () => number | false, claim: (limit: number) => Promise<number>): Promise<boolean> {
  for (let limit = room(); limit; limit = room()) if ((await claim(limit)) < limit) return false
  return true
}
