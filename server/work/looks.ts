import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Lane, LaneSurroundings } from './lane.ts'

/** How often a lane looks for work that other processes added or that has become due. */
const POLL_MS = 100
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

/** When a lane looks for work: when it is woken, when there is room after a full claim, and every moment besides. */
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
    else claiming = claimAll().finally(claimed)
  }

  function claimed(): void {
    claiming = undefined
    again()
  }

  function again(): void {
    if (wanted) look()
  }

  async function claimAll(): Promise<void> {
    let waitMs = POLL_MS
    const startedMs = timers.elapsedMs()
    try {
      const isLeft = await claimUntilNone(() => running && room(), claim)
      if (isLeft) wanted = true
      else nextLookAt = timers.elapsedMs() + pauseMs(timers.elapsedMs() - startedMs)
    } catch (error) {
      waitMs = error instanceof StorageUnavailable ? DATABASE_AWAY_MS : POLL_MS
      onError(error, lane.kind)
    } finally {
      if (running) cancelTimer = timers.after(waitMs, look)
    }
  }

  const pauseMs = (tookMs: number): number => Math.max(lane.everyMs ?? 0, isBeside() ? tookMs * PAUSE_BESIDE : 0)

  return {
    look,
    again,
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

/**
 * Claims until there is no more, or no more room.
 * @returns whether every claim was full: then there is more as soon as there is room
 */
async function claimUntilNone(room: () => number | false, claim: (limit: number) => Promise<number>): Promise<boolean> {
  for (let limit = room(); limit; limit = room()) if ((await claim(limit)) < limit) return false
  return true
}
