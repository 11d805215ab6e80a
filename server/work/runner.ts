import { createBatches } from './batches.ts'
import { createClaims } from './claims.ts'
import { createAfterFailure } from './failures.ts'
import type { Lane, LaneSurroundings } from './lane.ts'
import { createLooks } from './looks.ts'

/** Claims one kind of work and runs it. */
export function createRunner(lane: Lane, around: LaneSurroundings) {
  const claims = createClaims(lane, around)
  const batches = createBatches(lane, around, createAfterFailure(lane, around, claims), {
    look: () => looks.look(),
    again: () => looks.again(),
  })

  /** @returns how many it got */
  async function claim(limit: number): Promise<number> {
    const items = await claims.take(limit, batches.leftOut())
    if (items.length > 0) batches.start(items)
    return items.length
  }

  const looks = createLooks(lane, around, { room: batches.room, claim, isBeside: batches.awaitsOperators })
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
