import { present } from '../domain/present.ts'
import { createAddressees, type DestinationQuotas } from './destination-quotas.ts'
import { createBatches } from './batches.ts'
import { createClaims, type Claims } from './claims.ts'
import { createAfterFailure } from './failures.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { createPolls } from './poller.ts'

/** Claims and runs one job kind. */
export function createRunner(given: JobQueue, around: QueueSurroundings) {
  const { lane: queue, addressees } = sharedOut(given, () => polls.look())
  const claims = createClaims(queue, around)
  const leave: Claims['leave'] = (items) => {
    claims.leave(items)
    polls.later()
  }
  const batches = createBatches(queue, around, createAfterFailure(queue, around, leave), {
    look: () => polls.look(),
    again: () => polls.again(),
  })

  /** @returns how many jobs it got */
  async function claim(limit: number): Promise<number> {
    const rooms = addressees?.rooms()
    const items = await claims.take(limit, batches.leftOut(), rooms)
    addressees?.claimed(items, limit, rooms)
    if (items.length > 0) batches.start(items)
    return items.length
  }

  const polls = createPolls(queue, around, {
    room: batches.room,
    claim,
    isCostly: (taken) => batches.awaitsOperators() || (taken === 0 && addressees?.rooms() !== undefined),
  })
  return {
    kind: queue.kind,
    wake: polls.look,
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
): { readonly lane: JobQueue; readonly addressees?: DestinationQuotas } {
  const { capacity, shares, run } = queue
  if (!shares) return { lane: queue }
  const addressees = createAddressees({ capacity, shares }, onRoom)
  const counted: JobQueue['run'] = (items, inParts) => {
    addressees.begin(items)
    return run(items, inParts).map(async (promise, index) => {
      try {
        await promise
      } finally {
        addressees.end(present(items[index], 'an item of its own promise'))
      }
    })
  }
  return { lane: { ...queue, run: counted }, addressees }
}
