import type { LeftOut, WorkItem } from '../actions/ports/work.ts'
import { createAwaitedOperators } from './awaited-operators.ts'
import { partOf, type AfterFailure } from './failures.ts'
import type { Lane, LaneSurroundings } from './lane.ts'
import { keepLease } from './leases.ts'
import type { Looks } from './looks.ts'

export interface Batches {
  /** How many items may be claimed now. */
  room(): number
  /** What a claim that begins now leaves to wait, because its operator has a batch already. */
  leftOut(): LeftOut | undefined
  /** Whether claims leave something to wait. */
  awaitsOperators(): boolean
  start(items: readonly WorkItem[]): void
  /** When all that is in progress has ended, be it with a failure. */
  ended(): Promise<unknown>
}

/** What is in progress in a lane, within its capacity. @param looks told when something has ended */
export function createBatches(
  lane: Lane,
  around: LaneSurroundings,
  afterFailure: AfterFailure,
  looks: Pick<Looks, 'look' | 'again'>,
): Batches {
  let busy = 0
  const inProgress = new Set<Promise<void>>()
  /** Of those in progress: they wait for operators, and hold up nothing else. */
  const waiting = new Set<Promise<void>>()
  const operators = createAwaitedOperators(looks.look)

  return {
    // While others are in progress only whole batches are claimed: place for one or two is free all the time, and each
    // look costs a statement.
    room() {
      const free = lane.capacity - busy
      return inProgress.size - waiting.size >= (lane.runsMax ?? Infinity) ||
        (inProgress.size > 0 && free < lane.batchMax)
        ? 0
        : Math.min(free, lane.batchMax)
    },

    leftOut: operators.leftOut,
    awaitsOperators: operators.isAny,

    start(items) {
      busy += items.length
      const mine: Promise<void>[] = []
      const inParts = operators.partsOf(() => {
        for (const one of mine) if (inProgress.has(one)) waiting.add(one)
        looks.again()
      })
      const run = (some: readonly WorkItem[]) => lane.run(some, inParts)
      const endLease = keepLease(lane, items, around)
      const promises = run(items)
      for (const [index, promise] of promises.entries()) {
        const part = partOf(items, promises.length, index)
        const done = promise
          .catch((error: unknown) => afterFailure(error, part, items.length, run))
          .finally(() => {
            inProgress.delete(done)
            waiting.delete(done)
            busy -= items.length / promises.length
            looks.again()
          })
        inProgress.add(done)
        mine.push(done)
      }
      void Promise.all(mine).finally(endLease)
    },

    ended: () => Promise.all(inProgress),
  }
}
