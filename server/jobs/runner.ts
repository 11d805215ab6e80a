import { present } from '../domain/present.ts'
import { createDestinationQuotas, type DestinationQuotas } from './destination-quotas.ts'
import { createBatches } from './batches.ts'
import { createClaims, type Claims } from './claims.ts'
import { createAfterFailure } from './failures.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { createPolls } from './poller.ts'

/** Claims and runs one job kind. */
export function createRunner(given: JobQueue, around: QueueSurroundings) {
  const { queue, destinations } = sharedOut(given, () => polls.poll())
  const claims = createClaims(queue, around)
  const leave: Claims['abandon'] = (items) => {
    claims.abandon(items)
    polls.later()
  }
  const batches = createBatches(queue, around, createAfterFailure(queue, around, leave), {
    poll: () => polls.poll(),
    again: () => polls.again(),
  })

  /** @returns how many jobs it got */
  async function claim(limit: number): Promise<number> {
    const quota = destinations?.quota()
    const items = await claims.take(limit, batches.exclusions(), quota)
    destinations?.claimed(items, limit, quota)
    if (items.length > 0) batches.start(items)
    return items.length
  }

  const polls = createPolls(queue, around, {
    room: batches.room,
    claim,
    isCostly: (taken) => batches.awaitsOperators() || (taken === 0 && destinations?.quota() !== undefined),
  })
  return {
    kind: queue.kind,
    wake: polls.poll,
    start: polls.start,
    async stop() {
      await polls.stop()
      await batches.ended()
    },
    async runOnce() {
      const claimed = await claim(queue.batchMax)
      await batches.ended()
      return claimed
    },
  }
}

/** The queue, wrapped so that it tracks what is in progress per destination, where its jobs have destinations. */
function sharedOut(
  queue: JobQueue,
  onRoom: () => void,
): { readonly queue: JobQueue; readonly destinations?: DestinationQuotas } {
  const { capacity, shares, run } = queue
  if (!shares) return { queue }
  const destinations = createDestinationQuotas({ capacity, shares }, onRoom)
  const counted: JobQueue['run'] = (items, inParts) => {
    destinations.begin(items)
    return run(items, inParts).map(async (promise, index) => {
      try {
        await promise
      } finally {
        destinations.end(present(items[index], 'a job of its own promise'))
      }
    })
  }
  return { queue: { ...queue, run: counted }, destinations }
}
