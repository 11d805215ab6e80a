import { present } from '../domain/present.ts'
import { createAddressees, type Addressees } from './addressees.ts'
import { createBatches } from './batches.ts'
import { createClaims, type Claims } from './claims.ts'
import { createAfterFailure } from './failures.ts'
import type { Lane, LaneSurroundings } from './lane.ts'
import { createLooks } from './looks.ts'

/** Claims one kind of work and runs it. */
export function createRunner(given: Lane, around: LaneSurroundings) {
  const { lane, addressees } = sharedOut(given, () => looks.look())
  const claims = createClaims(lane, around)
  const leave: Claims['leave'] = (items) => {
    claims.leave(items)
    looks.later()
  }
  const batches = createBatches(lane, around, createAfterFailure(lane, around, leave), {
    look: () => looks.look(),
    again: () => looks.again(),
  })

  /** @returns how many it got */
  async function claim(limit: number): Promise<number> {
    const rooms = addressees?.rooms()
    const items = await claims.take(limit, batches.leftOut(), rooms)
    addressees?.claimed(items, limit, rooms)
    if (items.length > 0) batches.start(items)
    return items.length
  }

  const looks = createLooks(lane, around, {
    room: batches.room,
    claim,
    isCostly: (taken) => batches.awaitsOperators() || (taken === 0 && addressees?.rooms() !== undefined),
  })
  return {
    kind: lane.kind,
    wake: looks.look,
    start: looks.start,
    async stop() {
      await looks.stop()
      await batches.ended()
    },
    async runOnce() {
      const claimed = await claim(lane.batchMax)
      await batches.ended()
      return claimed
    },
  }
}

/** The lane as it was given; where its work has addressees, what is in progress for each of them is known. */
function sharedOut(lane: Lane, onRoom: () => void): { readonly lane: Lane; readonly addressees?: Addressees } {
  const { capacity, shares, run } = lane
  if (!shares) return { lane }
  const addressees = createAddressees({ capacity, shares }, onRoom)
  const counted: Lane['run'] = (items, inParts) => {
    addressees.begin(items)
    return run(items, inParts).map(async (promise, index) => {
      try {
        await promise
      } finally {
        addressees.end(present(items[index], 'an item of its own promise'))
      }
    })
  }
  return { lane: { ...lane, run: counted }, addressees }
}
