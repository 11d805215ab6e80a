/**
 * Each has a lane with its bounds in work/lanes.ts. `findOrder`: an order that a rail must not get twice had no answer. It
 * is unresolved: asked about by every means, and never sent again.
 */
export type WorkKind =
  | 'verifyPayout'
  | 'holdFunds'
  | 'submitToRail'
  | 'askRail'
  | 'findOrder'
  | 'readRailCallback'
  | 'deliverCallback'
  | 'expirePage'
  | 'sendOtp'
  | 'clearFunds'
  | 'releaseReserve'

/** Work that goes to merchants' servers: each item names its addressee (domain/addressee.ts). */
export type AddressedKind = Extract<WorkKind, 'verifyPayout' | 'deliverCallback'>

/**
 * A piece of work claimed for a limited time. Whoever writes on the strength of it names its kind, its subject and the token
 * of the claim: no two claims ever have the same, so a worker that was paused beyond its lease finds nothing of its own
 * any more, whatever became of the row since.
 */
export interface WorkItem {
  readonly id: bigint
  readonly kind: WorkKind
  readonly subjectId: bigint
  /** How often work of this kind was claimed for this subject, from 1: for waits that grow. */
  readonly attempt: number
  readonly token: string
  /** How often it was put aside because running it failed. */
  readonly failures: number
  /** Whose server it goes to; absent where it goes to none, or was stored before that was noted. */
  readonly addressee?: string
}

/** What somebody claims work with. */
export interface Claim {
  /** Made anew for every claim, before it is sent: a claim whose answer is lost can still be given back. */
  readonly token: string
  readonly now: Date
  /** Nobody else gets the items before then. */
  readonly leaseUntil: Date
}

/**
 * Work that a claim leaves to wait: of orders that these installations have, and of those that have no order yet whose
 * provider is one of these; of messages, those that these installations told.
 */
export interface LeftOut {
  readonly installations: readonly string[]
  readonly providers: readonly string[]
}

/** `subjectId` is a transaction, or a callback (to a merchant, or of an operator) where the kind is about one. */
export interface NewWork {
  readonly kind: WorkKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly addressee?: string
}

/** How much a claim takes of one addressee. */
export interface Rooms {
  /** Of those who are not named. */
  readonly each: number
  readonly of: ReadonlyMap<string, number>
}

/** Work that is ours and has to wait until then. */
export interface Postponed {
  readonly item: WorkItem
  readonly dueAt: Date
}

/** Work outside of a unit. Everything rejects with StorageUnavailable when the database is away. */
export interface WorkQueue {
  /** Claims up to `limit` items that are due. */
  claim(kind: WorkKind, claim: Claim, limit: number, leftOut?: LeftOut): Promise<readonly WorkItem[]>
  /** When the first work of each kind is due, claimed or not; none where there is none. */
  nextDue(kinds: readonly WorkKind[]): Promise<ReadonlyMap<WorkKind, Date>>
  /**
   * The same of work that has addressees, of each no more than it has room for: the first of everyone before the second
   * of anyone. It costs as much as there are addressees, however much waits for one of them.
   */
  claimFairly(kind: AddressedKind, claim: Claim, limit: number, rooms: Rooms): Promise<readonly WorkItem[]>
  /**
   * They stay ours until then. Not what others hold by now, what is due already, or what somebody is just about to
   * change.
   */
  renew(items: readonly WorkItem[], now: Date, leaseUntil: Date): Promise<void>
  /**
   * Gives back what was claimed and not done, so that nobody waits for the lease to end. What others hold by now stays
   * theirs.
   */
  release(items: readonly WorkItem[], dueAt: Date): Promise<void>
  /** Gives back what a claim took whose answer never came. */
  releaseClaim(kind: WorkKind, claim: Claim, dueAt: Date): Promise<void>
  /**
   * Running it fails, and not because the database is away: it waits until then, counted and with the reason, and holds
   * up nothing else.
   */
  putAside(item: WorkItem, dueAt: Date, reason: string): Promise<void>
}
