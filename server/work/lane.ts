import type { Clock } from '../actions/ports/clock.ts'
import type { InParts } from '../actions/ports/operator-parts.ts'
import type { WorkItem, WorkKind, WorkQueue } from '../actions/ports/work.ts'
import type { Random } from '../domain/references.ts'
import type { Shares } from './addressees.ts'
import type { Timers } from './timers.ts'

/** One kind of work and how much of it may run at a time. */
export interface Lane {
  readonly kind: WorkKind
  /** Items in progress at the same time, over all batches. */
  readonly capacity: number
  /** Items claimed at once. */
  readonly batchMax: number
  /**
   * Runs at the same time. One for set-based work: what becomes due meanwhile makes the next batch larger instead of
   * many small ones. A run of which only parts are left that wait for operators counts no more: meanwhile nothing else is
   * claimed for these, and everything for others.
   */
  readonly runsMax?: number
  /**
   * Looks at most once in so many milliseconds unless the last claim was full: set-based work costs far less in a few
   * large batches, and a payment takes seconds anyway.
   */
  readonly everyMs?: number
  /** A run may take so long, if that is more than a lease: until then its lease is renewed. */
  readonly takesMs?: number
  /** Of work that has addressees: how much each of them may have in progress. Then every item has a promise of its own. */
  readonly shares?: Shares
  /** One promise for a whole batch, or one per item where a slow item must not hold up the others. */
  readonly run: (items: readonly WorkItem[], inParts: InParts) => readonly Promise<void>[]
}

/** What all lanes run with. */
export interface LaneSurroundings {
  readonly queue: WorkQueue
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  /** What operators may read of a fault: nothing that it carries along of customers. */
  readonly reasonOf: (error: unknown) => string
  readonly onError: (error: unknown, kind: WorkKind) => void
  /** An item was put aside: running it fails, alone as well. */
  readonly onPutAside: (error: unknown, item: WorkItem) => void
}
