import type { DestinationQuota, Job } from '../actions/ports/jobs.ts'

/** How much of a queue a destination may have in progress, depending on how its server has responded. */
export interface Shares {
  /** For a destination without history. */
  readonly first: number
  of(addressee: string): number
  /** Its server does not reply promptly. */
  isSlow(addressee: string): boolean
  /** It was rejected and backs off. */
  isPutOff(addressee: string): boolean
}

/** What a queue has in progress for each destination, and its claim quota. */
export interface DestinationQuotas {
  /**
   * The free quota of each destination, while some destination may have a larger backlog than its quota. Undefined:
   * none has, and due jobs may be claimed in their order.
   */
  rooms(): DestinationQuota | undefined
  /** Records the result of a claim of at most `limit`. @param rooms the quotas that it was made with */
  claimed(items: readonly Job[], limit: number, rooms: DestinationQuota | undefined): void
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
export function createAddressees(
  { capacity, shares }: { readonly capacity: number; readonly shares: Shares },
  onRoom: () => void,
): DestinationQuotas {
  const inProgress = new Map<string, number>()
  /** Destinations that may have a larger backlog than their quota. */
  const crowding = new Set<string>()

  const countOf = (addressee: string): number => inProgress.get(addressee) ?? 0
  const slowInProgress = (): number =>
    inProgress.entries().reduce((sum, [addressee, count]) => sum + (shares.isSlow(addressee) ? count : 0), 0)

  function roomOf(addressee: string, slow: number): number {
    if (shares.isPutOff(addressee)) return 0
    if (shares.isSlow(addressee) && slow >= capacity * SLOW_PART) return 0
    return Math.max(shares.of(addressee) - countOf(addressee), 0)
  }

  return {
    rooms() {
      if (crowding.size === 0) return undefined
      const slow = slowInProgress()
      const named = new Set([...crowding, ...inProgress.keys()])
      return { each: shares.first, of: new Map([...named].map((addressee) => [addressee, roomOf(addressee, slow)])) }
    },

    claimed(items, limit, rooms) {
      const taken = Map.groupBy(items, addresseeOf)
      if (rooms && items.length < limit)
        for (const addressee of crowding)
          if ((taken.get(addressee)?.length ?? 0) < (rooms.of.get(addressee) ?? 0)) crowding.delete(addressee)
      for (const [addressee, { length }] of taken)
        if (length >= (rooms ? (rooms.of.get(addressee) ?? rooms.each) : shares.of(addressee) - countOf(addressee)))
          crowding.add(addressee)
    },

    begin(items) {
      for (const item of items) inProgress.set(addresseeOf(item), countOf(addresseeOf(item)) + 1)
    },

    end(item) {
      const addressee = addresseeOf(item)
      const count = countOf(addressee) - 1
      if (count > 0) inProgress.set(addressee, count)
      else inProgress.delete(addressee)
      if (shares.isPutOff(addressee)) crowding.add(addressee)
      else if (crowding.has(addressee) && roomOf(addressee, 0) >= shares.of(addressee) * ROOM_PART) onRoom()
    },
  }
}

const addresseeOf = ({ addressee = '' }: Job): string => addressee
