import type { WorkItem } from '../actions/ports/work.ts'
import type { Lane, LaneSurroundings } from './lane.ts'

/** How long claimed work is ours. A killed worker's items are taken over by others when this has passed. */
export const LEASE_MS = 30_000
/** Twice before it ends: one time may fail. */
const RENEWED_EVERY_MS = 10_000

/**
 * An operator that is asked before it gets an order again may take most of a lease for each of the two. So the lease of
 * what takes long is renewed, as long as a run of the lane may take. What has lost it gets it back by nothing.
 * @returns ends it: the run is over
 */
export function keepLease(
  { kind, takesMs = LEASE_MS }: Lane,
  items: readonly WorkItem[],
  { queue, clock, timers, onError }: LaneSurroundings,
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
