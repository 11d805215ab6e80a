import type { AddressedKind, Claim, ClaimExclusions, DestinationQuota, Job, JobKind } from '../actions/ports/jobs.ts'
import { newClaimToken } from '../domain/references.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { LEASE_MS } from './leases.ts'

/**
 * Delay before a retry of jobs that failed because the database was unavailable. Without it, another failure would
 * become a busy loop.
 */
const AGAIN_AFTER_MS = 1_000

/** What a queue has claimed and not run. */
export interface Claims {
  /** Claims up to `limit` jobs; with `quota`, at most its quota of each destination. */
  take(
    limit: number,
    skipped: ClaimExclusions | undefined,
    quota: DestinationQuota | undefined,
  ): Promise<readonly Job[]>
  /** Releases these jobs before the next claim: their run ended because the database was unavailable. */
  abandon(items: readonly Job[]): void
}

/**
 * Jobs must not stay leased after a short outage of the database: ten seconds after a restart of 1.5 s some were still
 * leased for 17 s. So every job that was claimed and not run is released before the next claim.
 */
export function createClaims({ kind }: JobQueue, { queue, clock, random }: QueueSurroundings): Claims {
  /** Nothing is claimed before these are released, so they never exceed the capacity. */
  let left: Job[] = []
  /** A claim that failed. It may have been committed all the same. */
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
    async take(limit, skipped, quota) {
      await giveBack()
      const now = clock.now()
      const claim = { token: newClaimToken(random), now, leaseUntil: new Date(now.getTime() + LEASE_MS) }
      try {
        return await (quota && isAddressed(kind)
          ? queue.claimFairly(kind, claim, limit, quota)
          : queue.claim(kind, claim, limit, skipped))
      } catch (error) {
        lost = claim
        throw error
      }
    },
    abandon: (items) => void left.push(...items),
  }
}

const isAddressed = (kind: JobKind): kind is AddressedKind => kind === 'verifyPayout' || kind === 'deliverCallback'
