import type { AddressedKind, Claim, ClaimExclusions, DestinationQuota, Job, JobKind } from '../actions/ports/jobs.ts'
import { newClaimToken } from '../domain/references.ts'
import type { JobQueue, QueueSurroundings } from './queues.ts'

/** Lease time. After it, other workers take over the jobs of a killed worker. */
export const LEASE_MS = 30_000
/** Renews twice before the lease ends, because one renewal may fail. */
const RENEWED_EVERY_MS = 10_000
/**
 * Delay before a retry of jobs that failed because the database was unavailable. Without it, another failure would
 * become a busy loop.
 */
const RELEASED_FOR_MS = 1_000

/**
 * The leases of one queue. Jobs must not stay leased after a short outage of the database: ten seconds after a restart
 * of 1.5 s some were still leased for 17 s. So every job that was claimed and not run is released before the next
 * claim.
 */
export class Leases {
  private readonly queue: JobQueue
  private readonly around: QueueSurroundings
  /** Nothing is claimed before these are released, so they never exceed the capacity. */
  private unrun: Job[] = []
  /** A claim that failed. It may have been committed all the same. */
  private lost: Claim | undefined

  constructor(queue: JobQueue, around: QueueSurroundings) {
    this.queue = queue
    this.around = around
  }

  /** Claims up to `limit` jobs; with `quota`, at most its quota of each destination. */
  async claim(
    limit: number,
    excluded: ClaimExclusions | undefined,
    quota: DestinationQuota | undefined,
  ): Promise<readonly Job[]> {
    await this.releaseAll()
    const { kind } = this.queue
    const { queue, clock, random } = this.around
    const now = clock.now()
    const claim = { token: newClaimToken(random), now, leaseUntil: leaseFrom(now) }
    try {
      return await (quota && isAddressed(kind)
        ? queue.claimFairly(kind, claim, limit, quota)
        : queue.claim(kind, claim, limit, excluded))
    } catch (error) {
      this.lost = claim
      throw error
    }
  }

  /** Releases these jobs before the next claim: their run ended because the database was unavailable. */
  release(jobs: readonly Job[]): void {
    this.unrun.push(...jobs)
  }

  /**
   * Renews the lease of long jobs, for as long as a run of the queue may take: an operator that is queried before it
   * receives an order again may take most of a lease for each of the two calls. A lost lease is never regained.
   * @returns stops the renewal: the run is over
   */
  keep(jobs: readonly Job[]): () => void {
    const { takesMs = LEASE_MS } = this.queue
    const { timers } = this.around
    let cancel = (): void => undefined
    const renewAfter = (keptMs: number): void => {
      if (keptMs >= takesMs) return
      cancel = timers.after(RENEWED_EVERY_MS, () => {
        void this.renew(jobs)
        renewAfter(keptMs + RENEWED_EVERY_MS)
      })
    }
    renewAfter(LEASE_MS)
    return () => cancel()
  }

  private async renew(jobs: readonly Job[]): Promise<void> {
    const { queue, clock, onError } = this.around
    const now = clock.now()
    await queue.renew(jobs, now, leaseFrom(now)).catch((error: unknown) => onError(error, this.queue.kind))
  }

  private async releaseAll(): Promise<void> {
    const { queue, clock } = this.around
    if (this.lost) {
      await queue.releaseClaim(this.queue.kind, this.lost, clock.now())
      this.lost = undefined
    }
    if (this.unrun.length === 0) return
    const jobs = this.unrun
    this.unrun = []
    await queue.release(jobs, new Date(clock.now().getTime() + RELEASED_FOR_MS)).catch((error: unknown) => {
      this.unrun.push(...jobs)
      throw error
    })
  }
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

export const isAddressed = (kind: JobKind): kind is AddressedKind =>
  kind === 'verifyPayout' || kind === 'deliverCallback'
