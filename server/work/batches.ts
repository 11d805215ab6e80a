import type { WorkItem } from '../actions/ports/work.ts'
import { partOf, type AfterFailure } from './failures.ts'
import type { Lane } from './lane.ts'

export interface Batches {
  /** How many items may be claimed now. */
  room(): number
  start(items: readonly WorkItem[]): void
  /** When all that is in progress has ended, be it with a failure. */
  ended(): Promise<unknown>
}

/** What is in progress in a lane, within its capacity. @param onRoom something has ended */
export function createBatches(lane: Lane, afterFailure: AfterFailure, onRoom: () => void): Batches {
  let busy = 0
  const inProgress = new Set<Promise<void>>()
  return {
    // While others are in progress only whole batches are claimed: place for one or two is free all the time, and each
    // look costs a statement.
    room() {
      const free = lane.capacity - busy
      return inProgress.size >= (lane.runsMax ?? Infinity) || (inProgress.size > 0 && free < lane.batchMax)
        ? 0
        : Math.min(free, lane.batchMax)
    },

    start(items) {
      busy += items.length
      const promises = lane.run(items)
      for (const [index, promise] of promises.entries()) {
        const part = partOf(items, promises.length, index)
        const done = promise
          .catch((error: unknown) => afterFailure(error, part, items.length))
          .finally(() => {
            inProgress.delete(done)
            busy -= items.length / promises.length
            onRoom()
          })
        inProgress.add(done)
      }
    },

    ended: () => Promise.all(inProgress),
  }
}
