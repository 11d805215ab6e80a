import { StorageUnavailable, type Clock, type Wake, type WorkItem, type WorkKind, type WorkQueue } from '../actions/ports.ts'

/** One kind of work and how much of it may run at a time. */
export interface Lane {
  readonly kind: WorkKind
  /** Items in progress at the same time, over all batches. */
  readonly capacity: number
  /** Items claimed at once. */
  readonly batchMax: number
  /** Runs at the same time. One for set-based work: what becomes due meanwhile makes the next batch larger instead of many small ones. */
  readonly runsMax?: number
  /** Looks at most once in so many milliseconds unless the last claim was full: set-based work costs far less in a few large batches, and a payment takes seconds anyway. */
  readonly everyMs?: number
  /** One promise for a whole batch, or one per item where a slow item must not hold up the others. */
  readonly run: (items: readonly WorkItem[]) => readonly Promise<void>[]
}

export interface LoopOptions {
  readonly queue: WorkQueue
  readonly lanes: readonly Lane[]
  readonly clock: Clock
  readonly onError: (error: unknown, kind: WorkKind) => void
}

/** How long claimed work is ours. A killed worker's items are taken over by others when this has passed. */
export const LEASE_MS = 30_000
/** How often a lane looks for work that other processes added or that has become due. */
const POLL_MS = 100
const DATABASE_AWAY_MS = 500
/** What failed because the database was away is done again so soon after its return, and not at once: another failure must not become a busy loop. */
const AGAIN_AFTER_MS = 1_000

export interface WorkLoop extends Wake {
  start(): void
  /** Claims nothing more and waits for what runs, at most `graceMs`; what is left is taken over when its lease ends. */
  stop(graceMs: number): Promise<void>
  /** Does all work that is due by the clock, and what follows from it, until nothing is due: for tests with a fixed clock. */
  runDue(): Promise<void>
}

export function createWorkLoop({ queue, lanes, clock, onError }: LoopOptions): WorkLoop {
  const runners = lanes.map((lane) => createRunner(lane, queue, clock, onError))
  return {
    wake: (kind) => runners.find((runner) => runner.kind === kind)?.wake(),
    start: () => runners.forEach((runner) => runner.start()),
    async stop(graceMs) {
      await Promise.race([Promise.all(runners.map((runner) => runner.stop())), new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
    },
    async runDue() {
      while ((await Promise.all(runners.map((runner) => runner.runOnce()))).some((claimed) => claimed > 0)) { /* what ran may have made new work due */ }
    },
  }
}

function createRunner(lane: Lane, queue: WorkQueue, clock: Clock, onError: LoopOptions['onError']) {
  let running = false
  let busy = 0
  let claiming: Promise<void> | undefined
  /** Somebody asked for a look that could not begin at once. */
  let wanted = false
  let timer: NodeJS.Timeout | undefined
  const inProgress = new Set<Promise<void>>()
  /** Claimed items whose run ended with the database away. Nothing is claimed before they are given back, so they never exceed the capacity. */
  let undone: WorkItem[] = []
  /** The lease of a claim that failed: it may have been committed all the same. */
  let lostLease: Date | undefined
  let nextLookAt = 0

  /** While others are in progress only whole batches are claimed: place for one or two is free all the time, and each look costs a statement. */
  const room = (): number => {
    const free = lane.capacity - busy
    return inProgress.size >= (lane.runsMax ?? Infinity) || (inProgress.size > 0 && free < lane.batchMax) ? 0 : Math.min(free, lane.batchMax)
  }

  /** Claims up to `limit` items and starts them. @returns how many it got */
  async function claim(limit: number): Promise<number> {
    await giveBack()
    const now = clock.now()
    const items = await claimUntil(now, new Date(now.getTime() + LEASE_MS), limit)
    if (items.length === 0) return 0
    busy += items.length
    const promises = lane.run(items)
    for (const [index, promise] of promises.entries()) {
      const done = promise.catch((error: unknown) => {
        if (error instanceof StorageUnavailable) undone.push(...(promises.length === items.length ? [items[index]!] : items))
        onError(error, lane.kind)
      }).finally(() => {
        inProgress.delete(done)
        busy -= items.length / promises.length
        if (wanted) look()
      })
      inProgress.add(done)
    }
    return items.length
  }

  async function claimUntil(now: Date, leaseUntil: Date, limit: number): Promise<readonly WorkItem[]> {
    try {
      return await queue.claim(lane.kind, now, leaseUntil, limit)
    } catch (error) {
      lostLease = leaseUntil
      throw error
    }
  }

  /** A database that was away for a moment must not hold work up until the lease ends: ten seconds after a restart of 1.5 s some was still leased for 17 s. */
  async function giveBack(): Promise<void> {
    if (lostLease) {
      await queue.releaseClaim(lane.kind, lostLease, clock.now())
      lostLease = undefined
    }
    if (undone.length === 0) return
    const items = undone
    undone = []
    await queue.release(items, new Date(clock.now().getTime() + AGAIN_AFTER_MS)).catch((error: unknown) => {
      undone.push(...items)
      throw error
    })
  }

  function look(): void {
    if (!running) return
    wanted = claiming !== undefined || room() === 0
    if (wanted) return
    clearTimeout(timer)
    const waitMs = nextLookAt - performance.now()
    if (waitMs > 0) {
      timer = setTimeout(look, waitMs)
      return
    }
    claiming = claimAll().finally(() => {
      claiming = undefined
      if (wanted) look()
    })
  }

  /** Claims until there is no more, or no more room. */
  async function claimAll(): Promise<void> {
    let waitMs = POLL_MS
    try {
      for (let limit = room(); running && limit > 0; limit = room()) {
        if ((await claim(limit)) < limit) {
          nextLookAt = performance.now() + (lane.everyMs ?? 0)
          return
        }
      }
      wanted = true // every claim was full: there is more as soon as there is room
    } catch (error) {
      waitMs = error instanceof StorageUnavailable ? DATABASE_AWAY_MS : POLL_MS
      onError(error, lane.kind)
    } finally {
      if (running) timer = setTimeout(look, waitMs)
    }
  }

  return {
    kind: lane.kind,
    wake: look,
    start() {
      running = true
      look()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      await claiming
      await Promise.all(inProgress)
    },
    async runOnce() {
      const claimed = await claim(lane.batchMax)
      await Promise.all(inProgress)
      return claimed
    },
  }
}
