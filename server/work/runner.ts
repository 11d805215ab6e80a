import {
  StorageUnavailable,
  type Claim,
  type Clock,
  type Random,
  type WorkItem,
  type WorkKind,
  type WorkQueue,
} from '../actions/ports.ts'
import { newClaimToken } from '../domain/references.ts'
import type { Timers } from './timers.ts'

/** One kind of work and how much of it may run at a time. */
export interface Lane {
  readonly kind: WorkKind
  /** Items in progress at the same time, over all batches. */
  readonly capacity: number
  /** Items claimed at once. */
  readonly batchMax: number
  /**
   * Runs at the same time. One for set-based work: what becomes due meanwhile makes the next batch larger instead of
   * many small ones.
   */
  readonly runsMax?: number
  /**
   * Looks at most once in so many milliseconds unless the last claim was full: set-based work costs far less in a few
   * large batches, and a payment takes seconds anyway.
   */
  readonly everyMs?: number
  /** One promise for a whole batch, or one per item where a slow item must not hold up the others. */
  readonly run: (items: readonly WorkItem[]) => readonly Promise<void>[]
}

export interface LoopOptions {
  readonly queue: WorkQueue
  readonly lanes: readonly Lane[]
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  /** What operators may read of a fault: nothing that it carries along of customers. */
  readonly reasonOf: (error: unknown) => string
  readonly onError: (error: unknown, kind: WorkKind) => void
  /** An item was put aside: running it fails, alone as well. */
  readonly onPutAside: (error: unknown, item: WorkItem) => void
}

/** How long claimed work is ours. A killed worker's items are taken over by others when this has passed. */
export const LEASE_MS = 30_000
/** How often a lane looks for work that other processes added or that has become due. */
const POLL_MS = 100
const DATABASE_AWAY_MS = 500
/**
 * What failed because the database was away is done again so soon after its return, and not at once: another failure
 * must not become a busy loop.
 */
const AGAIN_AFTER_MS = 1_000
/** How long an item that fails waits before its next try: it doubles with every failure. */
const PUT_ASIDE_MS = { first: 5_000, max: 60 * 60_000 }
const REASON_MAX = 500

/** 5 s, 10 s, 20 s … an hour. */
export const putAsideMs = (failures: number): number =>
  Math.min(PUT_ASIDE_MS.first * 2 ** Math.min(failures, 20), PUT_ASIDE_MS.max)

/** Claims one kind of work and runs it. */
export function createRunner(lane: Lane, { queue, clock, random, timers, reasonOf, onError, onPutAside }: LoopOptions) {
  let running = false
  let busy = 0
  let claiming: Promise<void> | undefined
  /** Somebody asked for a look that could not begin at once. */
  let wanted = false
  let cancelTimer: () => void = () => undefined
  const inProgress = new Set<Promise<void>>()
  /**
   * Claimed items whose run ended with the database away. Nothing is claimed before they are given back, so they never
   * exceed the capacity.
   */
  let undone: WorkItem[] = []
  /** A claim that failed: it may have been committed all the same. */
  let lostClaim: Claim | undefined
  let nextLookAt = 0

  /**
   * While others are in progress only whole batches are claimed: place for one or two is free all the time, and each
   * look costs a statement.
   */
  const room = (): number => {
    const free = lane.capacity - busy
    return inProgress.size >= (lane.runsMax ?? Infinity) || (inProgress.size > 0 && free < lane.batchMax)
      ? 0
      : Math.min(free, lane.batchMax)
  }

  /** Claims up to `limit` items and starts them. @returns how many it got */
  async function claim(limit: number): Promise<number> {
    await giveBack()
    const now = clock.now()
    const items = await claimWith(
      { token: newClaimToken(random), now, leaseUntil: new Date(now.getTime() + LEASE_MS) },
      limit,
    )
    if (items.length === 0) return 0
    busy += items.length
    const promises = lane.run(items)
    for (const [index, promise] of promises.entries()) {
      const part = partOf(items, promises.length, index)
      const done = promise
        .catch((error: unknown) => afterFailure(error, part, items.length))
        .finally(() => {
          inProgress.delete(done)
          busy -= items.length / promises.length
          if (wanted) look()
        })
      inProgress.add(done)
    }
    return items.length
  }

  async function claimWith(claim: Claim, limit: number): Promise<readonly WorkItem[]> {
    try {
      return await queue.claim(lane.kind, claim, limit)
    } catch (error) {
      lostClaim = claim
      throw error
    }
  }

  /**
   * One bad item must not hold its batch: the halves are run again by themselves, until the bad one has run alone and
   * is put aside. The database away is no item's fault: then all of them are given back.
   * @param among how many ran together: a whole batch may fail because of one
   */
  async function afterFailure(error: unknown, items: readonly WorkItem[], among: number): Promise<void> {
    onError(error, lane.kind)
    if (error instanceof StorageUnavailable) return void undone.push(...items)
    const [item] = items
    if (among === 1 && item) return putAside(error, item)
    if (items.length === 1) return runAgain(items)
    const middle = Math.ceil(items.length / 2)
    for (const half of [items.slice(0, middle), items.slice(middle)]) await runAgain(half)
  }

  async function runAgain(items: readonly WorkItem[]): Promise<void> {
    const results = await Promise.allSettled(lane.run(items))
    for (const [index, result] of results.entries()) {
      if (result.status !== 'rejected') continue
      await afterFailure(result.reason, partOf(items, results.length, index), items.length)
    }
  }

  async function putAside(error: unknown, item: WorkItem): Promise<void> {
    try {
      await queue.putAside(
        item,
        new Date(clock.now().getTime() + putAsideMs(item.failures)),
        reasonOf(error).slice(0, REASON_MAX),
      )
      onPutAside(error, item)
    } catch (failure) {
      onError(failure, lane.kind)
      undone.push(item)
    }
  }

  /**
   * A database that was away for a moment must not hold work up until the lease ends: ten seconds after a restart of
   * 1.5 s some was still leased for 17 s.
   */
  async function giveBack(): Promise<void> {
    if (lostClaim) {
      await queue.releaseClaim(lane.kind, lostClaim, clock.now())
      lostClaim = undefined
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
    cancelTimer()
    const waitMs = nextLookAt - timers.elapsedMs()
    if (waitMs > 0) {
      cancelTimer = timers.after(waitMs, look)
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
          nextLookAt = timers.elapsedMs() + (lane.everyMs ?? 0)
          return
        }
      }
      wanted = true // every claim was full: there is more as soon as there is room
    } catch (error) {
      waitMs = error instanceof StorageUnavailable ? DATABASE_AWAY_MS : POLL_MS
      onError(error, lane.kind)
    } finally {
      if (running) cancelTimer = timers.after(waitMs, look)
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
      cancelTimer()
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

/** Whose promise it is: that of one item, where each has its own, else that of all. */
const partOf = (items: readonly WorkItem[], promises: number, index: number): readonly WorkItem[] =>
  promises === items.length ? items.slice(index, index + 1) : items
