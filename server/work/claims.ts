import type { AddressedKind, Claim, LeftOut, Rooms, WorkItem, WorkKind } from '../actions/ports/work.ts'
import { newClaimToken } from '../domain/references.ts'
import type { Lane, LaneSurroundings } from './lane.ts'
import { LEASE_MS } from './leases.ts'

/**
 * What failed because the database was away is done again so soon after its return, and not at once: another failure
 * must not become a busy loop.
 */
const AGAIN_AFTER_MS = 1_000

/** What a lane has claimed and not done. */
export interface Claims {
  /** Claims up to `limit` items; with `rooms`, of each addressee no more than it has room for. */
  take(limit: number, leftOut: LeftOut | undefined, rooms: Rooms | undefined): Promise<readonly WorkItem[]>
  /** Given back before the next claim: their run ended with the database away. */
  leave(items: readonly WorkItem[]): void
}

/**
 * A database that was away for a moment must not hold work up until the lease ends: ten seconds after a restart of 1.5
 * s some was still leased for 17 s. So whatever a claim took and nobody did is given back before the next one.
 */
export function createClaims({ kind }: Lane, { queue, clock, random }: LaneSurroundings): Claims {
  /** Nothing is claimed before they are given back, so they never exceed the capacity. */
  let left: WorkItem[] = []
  /** A claim that failed: it may have been committed all the same. */
  let lost: Claim | undefined

  async function giveBack(): Promise<void> {
    if (lost) {
      await queue.releaseClaim(kind, lost, clock.now())
      lost = undefined
    }
    if (left.length === 0) return
    const items = left
    left = []
    await queue.release(items, new Date(clock.now().getTime() + AGAIN_AFTER_MS)).catch((error: unknown) => {
      left.push(...items)
      throw error
    })
  }

  return {
    async take(limit, leftOut, rooms) {
      await giveBack()
      const now = clock.now()
      const claim = { token: newClaimToken(random), now, leaseUntil: new Date(now.getTime() + LEASE_MS) }
      try {
        return await (rooms && isAddressed(kind)
          ? queue.claimFairly(kind, claim, limit, rooms)
          : queue.claim(kind, claim, limit, leftOut))
      } catch (error) {
        lost = claim
        throw error
      }
    },
    leave: (items) => void left.push(...items),
  }
}

const isAddressed = (kind: WorkKind): kind is AddressedKind => kind === 'verifyPayout' || kind === 'deliverCallback'
