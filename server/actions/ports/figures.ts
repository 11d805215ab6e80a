import type { WaitReason } from '../../domain/payout-waits.ts'
import type { JobKind } from './jobs.ts'

/** Metrics of the database for monitoring. */
export interface Figures {
  connections(): Connections
  /** Counts of a backlog stop here. */
  readonly backlogCountedMax: number
  /** Due and unclaimed jobs, one entry per kind. */
  backlog(kinds: readonly JobKind[], now: Date): Promise<readonly Backlog[]>
  /** What waits for staff. */
  waitingForOperator(): Promise<WaitingForOperator>
  /** Balances at operators, as they report them and as the ledger has them, at the last check. */
  railBalances(): Promise<readonly RailBalanceFigure[]>
  waitingPayouts(): Promise<readonly WaitingPayoutsFigure[]>
  /** What waits at each rail account. */
  atRailAccounts(): Promise<readonly RailAccountFigure[]>
  /** The count of months stops here. */
  readonly monthsAheadMax: number
  /** Number of months after this one in which payments can be accepted; -1 when not even in this one. */
  monthsAhead(now: Date): Promise<number>
  /** Booking time of the oldest transfer that is not in the hash chain yet; undefined when all of them are. */
  oldestUnchained(): Promise<Date | undefined>
  /**
   * Compares balances with entries, and reads all entries when it has to: for background use only. The signal aborts
   * it.
   * @returns undefined while another process recounts balances that seem wrong
   */
  checkLedger(now: Date, signal: AbortSignal): Promise<LedgerFindings | undefined>
}

/** Connections of this process to the database. */
interface Connections {
  /** In use or idle. */
  readonly open: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** How often all of them were in use for too long, since the process started. */
  readonly exhausted: number
}

/** Due jobs of one kind, counted up to `backlogCountedMax`. */
export interface Backlog {
  readonly kind: JobKind
  readonly items: number
  readonly oldestDueAt: Date | null
}

/** What only a person can resolve. */
export interface WaitingForOperator {
  /** Payouts that the rail has paid and that are not booked. */
  readonly paidNotBooked: number
  /** Jobs in quarantine because they fail. */
  readonly quarantinedJobs: number
}

/** The money of a rail account, in minor units. */
export interface RailBalanceFigure {
  readonly railAccount: string
  readonly currency: string
  /** The operator's balance less the ledger's, orders in flight included. */
  readonly differenceMinor: bigint
  /** The unexplained part of the difference. */
  readonly unexplainedMinor: bigint
  readonly checkedAt: Date
  /** What payouts may take; null: the operator does not say what it pays from. */
  readonly floatMinor: bigint | null
  /** Below this, people must act; null: nobody has said so. */
  readonly lowMinor: bigint | null
  /** For how long it lasts at the average spend; undefined: unknown. */
  readonly daysLeft: number | undefined
}

/** Payouts that wait for their operator, up to `backlogCountedMax` of each rail account and reason. */
export interface WaitingPayoutsFigure {
  readonly railAccount: string
  readonly reason: WaitReason
  readonly payouts: number
}

/** What the operator or staff has to resolve, each counted up to `backlogCountedMax`. */
export interface RailAccountFigure {
  /** The name of the rail account; empty for orders of a rail without one. */
  readonly railAccount: string
  /** Orders with an unknown outcome that must not be sent twice. */
  readonly unknownOutcomeOrders: number
  /** Open differences to its statements. */
  readonly openExceptions: number
}

/** All numbers are zero while the books balance. */
export interface LedgerFindings {
  /** Accounts whose balance is not the sum of their entries. */
  readonly accountsOff: number
  /** Currencies whose entries do not sum to zero. */
  readonly currenciesOff: number
  /** When all entries were last recounted from the first one on; null when never. */
  readonly recountedAt: Date | null
}
