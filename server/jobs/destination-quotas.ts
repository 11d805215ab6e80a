import type { DestinationQuota, Job } from '../actions/ports/jobs.ts'

/** How much of a queue a destination may have in progress, depending on how its server has responded. */
export interface Shares {
  /** For a destination without history. */
  readonly first: number
  of(destination: string): number
  /** Its server does not reply promptly. */
  isSlow(destination: string): boolean
  /** It was rejected and backs off. */
  isBackingOff(destination: string): boolean
}

/** What a queue has in progress for each destination, and its claim quota. */
export interface DestinationQuotas {
  /**
   * The free quota of each destination, while some destination may have a larger backlog than its quota. Undefined:
   * none has, and due jobs may be claimed in their order.
   */
  quota(): DestinationQuota | undefined
  /** Records the result of a claim of at most `limit`. @param quota the quotas that it was made with */
  claimed(items: readonly Job[], limit: number, quota: DestinationQuota | undefined): void
  begin(items: readonly Job[]): void
  end(item: Job): void
}

/** All slow destinations together leave half of a queue to the others. */
const SLOW_PART = 0.5
/** The free part of a quota that justifies a poll: each poll costs a statement. */
const ROOM_PART = 0.25

/**
 * Fairness is enforced before the claim: a job that would have to be released is not claimed. Otherwise a backlog for
 * an unresponsive server costs two updates per job every few seconds. Normally due jobs are claimed in their order, by
 * one scan of an index without destinations. As soon as a destination reaches its quota, claims go round-robin over
 * the destinations, until one claim finds that its backlog is gone.
 * @param onRoom called when a destination that may have a backlog has capacity again
 */
export function createDestinationQuotas(
  { capacity, shares }: { readonly capacity: number; readonly shares: Shares },
  onRoom: () => void,
): DestinationQuotas {
  const inProgress = new Map<string, number>()
  /** Destinations that may have a larger backlog than their quota. */
  const crowding = new Set<string>()

  const countOf = (destination: string): number => inProgress.get(destination) ?? 0
  const slowInProgress = (): number =>
    inProgress.entries().reduce((sum, [destination, count]) => sum + (shares.isSlow(destination) ? count : 0), 0)

  function roomOf(destination: string, slow: number): number {
    if (shares.isBackingOff(destination)) return 0
    if (shares.isSlow(destination) && slow >= capacity * SLOW_PART) return 0
    return Math.max(shares.of(destination) - countOf(destination), 0)
  }

  return {
    quota() {
      if (crowding.size === 0) return undefined
      const slow = slowInProgress()
      const named = new Set([...crowding, ...inProgress.keys()])
      return {
        each: shares.first,
        of: new Map([...named].map((destination) => [destination, roomOf(destination, slow)])),
      }
    },

    claimed(items, limit, quota) {
      const taken = Map.groupBy(items, destinationOf)
      if (quota && items.length < limit)
        for (const destination of crowding)
          if ((taken.get(destination)?.length ?? 0) < (quota.of.get(destination) ?? 0)) crowding.delete(destination)
      for (const [destination, { length }] of taken)
        if (
          length >= (quota ? (quota.of.get(destination) ?? quota.each) : shares.of(destination) - countOf(destination))
        )
          crowding.add(destination)
    },

    begin(items) {
      for (const item of items) inProgress.set(destinationOf(item), countOf(destinationOf(item)) + 1)
    },

    end(item) {
      const destination = destinationOf(item)
      const count = countOf(destination) - 1
      if (count > 0) inProgress.set(destination, count)
      else inProgress.delete(destination)
      if (shares.isBackingOff(destination)) crowding.add(destination)
      else if (crowding.has(destination) && roomOf(destination, 0) >= shares.of(destination) * ROOM_PART) onRoom()
    },
  }
}

const destinationOf = ({ destination = '' }: Job): string => destination
