import type { ClaimExclusions, Job } from '../actions/ports/jobs.ts'
import { createAwaitedOperators } from './awaited-operators.ts'
import { partOf, type AfterFailure } from './failures.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { keepLease } from './leases.ts'
import type { Poller } from './poller.ts'

interface Batches {
  /** How many jobs may be claimed now. */
  room(): number
  /** What a claim that starts now excludes, because its operator already has a batch. */
  exclusions(): ClaimExclusions | undefined
  /** Whether claims exclude anything. */
  awaitsOperators(): boolean
  start(items: readonly Job[]): void
  /** Settles when everything in progress has ended, failed or not. */
  ended(): Promise<unknown>
}

/** What a queue has in progress, within its capacity. @param polls notified when something has ended */
export function createBatches(
  queue: JobQueue,
  around: QueueSurroundings,
  afterFailure: AfterFailure,
  polls: Pick<Poller, 'poll' | 'again'>,
): Batches {
  let busy = 0
  const inProgress = new Set<Promise<void>>()
  /** The part of those in progress that waits for operators and blocks nothing else. */
  const waiting = new Set<Promise<void>>()
  const operators = createAwaitedOperators(polls.poll)

  return {
    // While others are in progress only whole batches are claimed: one or two slots are free all the time, and each
    // poll costs a statement.
    room() {
      const free = queue.capacity - busy
      return inProgress.size - waiting.size >= (queue.runsMax ?? Infinity) ||
        (inProgress.size > 0 && free < queue.batchMax)
        ? 0
        : Math.min(free, queue.batchMax)
    },

    exclusions: operators.exclusions,
    awaitsOperators: operators.isAny,

    start(items) {
      busy += items.length
      const mine: Promise<void>[] = []
      const inParts = operators.partsOf(() => {
        for (const one of mine) if (inProgress.has(one)) waiting.add(one)
        polls.again()
      })
      const run = (some: readonly Job[]) => queue.run(some, inParts)
      const endLease = keepLease(queue, items, around)
      const promises = run(items)
      for (const [index, promise] of promises.entries()) {
        const part = partOf(items, promises.length, index)
        const done = promise
          .catch((error: unknown) => afterFailure(error, part, items.length, run))
          .finally(() => {
            inProgress.delete(done)
            waiting.delete(done)
            busy -= items.length / promises.length
            polls.again()
          })
        inProgress.add(done)
        mine.push(done)
      }
      void Promise.all(mine).finally(endLease)
    },

    ended: () => Promise.all(inProgress),
  }
}
