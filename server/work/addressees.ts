import type { Rooms, WorkItem } from '../actions/ports/work.ts'

/** How much of a lane an addressee may have in progress, by what its server was like. */
export interface Shares {
  /** Of an addressee that nothing is known about. */
  readonly first: number
  of(addressee: string): number
  /** Its server does not answer promptly. */
  isSlow(addressee: string): boolean
  /** It was turned away, and is asked to come back later. */
  isPutOff(addressee: string): boolean
}

/** What a lane has in progress for each addressee, and what it may claim of it. */
export interface Addressees {
  /**
   * What each has room for, as long as somebody may have more waiting than that; undefined: nobody has, and whatever is
   * due may be claimed in its order.
   */
  rooms(): Rooms | undefined
  /** A claim of at most `limit` ended. @param rooms what it was made with */
  claimed(items: readonly WorkItem[], limit: number, rooms: Rooms | undefined): void
  begin(items: readonly WorkItem[]): void
  end(item: WorkItem): void
}

/** All slow ones together leave half of a lane to the others. */
const SLOW_PART = 0.5
/** Room that is worth a look, of the share: each costs a statement. */
const ROOM_PART = 0.25

/**
 * Fairness comes before the claim: what would have to be put back is not claimed, or a backlog for a server that hangs
 * costs two updates for each of its items every few seconds. Ordinarily what is due is claimed in its order, by one walk
 * along an index that knows no addressees. As soon as one of them fills its share the claims step from addressee to
 * addressee, until one of them finds that it has no more waiting.
 * @param onRoom somebody who may have more waiting has room again
 */
export function createAddressees(
  { capacity, shares }: { readonly capacity: number; readonly shares: Shares },
  onRoom: () => void,
): Addressees {
  const inProgress = new Map<string, number>()
  /** Those who may have more waiting than they have room for. */
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

const addresseeOf = ({ addressee = '' }: WorkItem): string => addressee
