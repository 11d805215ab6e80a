import type { Job } from '../actions/ports/jobs.ts'
import type { JobQueue, QueueSurroundings } from './queue.ts'

/** Lease time. After it, other workers take over the jobs of a killed worker. */
export const LEASE_MS = 30_000
/** Renews twice before the lease ends, because one renewal may fail. */
const RENEWED_EVERY_MS = 10_000

/**
 * Renews the lease of long jobs, for as long as a run of the queue may take: an operator that is queried before it
 * receives an order again may take most of a lease for each of the two calls. A lost lease is never regained.
 * @returns stops the renewal: the run is over
 */
export function keepLease(
  { kind, takesMs = LEASE_MS }: JobQueue,
  items: readonly Job[],
  { queue, clock, timers, onError }: QueueSurroundings,
): () => void {
  let keptMs = LEASE_MS
  let cancel = (): void => undefined

  function later(): void {
    if (keptMs < takesMs) cancel = timers.after(RENEWED_EVERY_MS, renew)
  }

  function renew(): void {
    keptMs += RENEWED_EVERY_MS
    const now = clock.now()
    queue.renew(items, now, new Date(now.getTime() + LEASE_MS)).catch((error: unknown) => onError(error, kind))
    later()
  }

  later()
  return () => cancel()
}
