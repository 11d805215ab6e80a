import type { WorkKind } from './work.ts'

/** What operators watch of the database. */
export interface Figures {
  connections(): Connections
  /** A backlog is counted up to here. */
  readonly backlogCountedMax: number
  /** What is due and unclaimed, one of each kind. */
  backlog(kinds: readonly WorkKind[], now: Date): Promise<readonly Backlog[]>
  /** What waits for an operator. */
  waitingForOperator(): Promise<WaitingForOperator>
  /** What operators hold, by their own word and by ours, at the last look. */
  railBalances(): Promise<readonly RailBalanceFigure[]>
  /** What waits at each connection to an operator. */
  atInstallations(): Promise<readonly InstallationFigure[]>
  /** Months are counted up to here. */
  readonly monthsAheadMax: number
  /** Months after this one whose payments can be accepted; -1 when those of this one cannot. */
  monthsAhead(now: Date): Promise<number>
  /** When the oldest transfer was booked that is not in the hash chain yet; undefined when every one is. */
  oldestUnchained(): Promise<Date | undefined>
  /**
   * Holds balances against entries, and reads every entry there is when it has to: for the background only. The signal
   * ends it.
   * @returns undefined while another process counts again what looks off
   */
  checkLedger(now: Date, signal: AbortSignal): Promise<LedgerFindings | undefined>
}

/** Connections of this process to the database. */
export interface Connections {
  /** In use or idle. */
  readonly open: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
  /** How often all of them were in use for too long, since the start. */
  readonly exhausted: number
}

/** What is due of one kind, counted up to `backlogCountedMax`. */
export interface Backlog {
  readonly kind: WorkKind
  readonly items: number
  readonly oldestDueAt: Date | null
}

/** What nothing but a person can go on with. */
export interface WaitingForOperator {
  /** Payments that the rail has made and that are not booked. */
  readonly paidNotBooked: number
  /** Work that was put aside because running it fails. */
  readonly workPutAside: number
}

/** An installation's money, in minor units. */
export interface RailBalanceFigure {
  readonly installation: string
  readonly currency: string
  /** What the operator holds more than the ledger says, orders on their way included. */
  readonly differenceMinor: bigint
  /** The part of it that nothing explains. */
  readonly unexplainedMinor: bigint
  readonly checkedAt: Date
}

/** What an operator or a person has to end, each counted up to `backlogCountedMax`. */
export interface InstallationFigure {
  /** Its name; empty for orders of a rail without an installation. */
  readonly installation: string
  /** Orders that had no answer and must not be sent twice. */
  readonly unresolvedOrders: number
  /** What its statements say differently. */
  readonly openExceptions: number
}

/** The numbers are zero while the books are right. */
export interface LedgerFindings {
  /** Accounts whose balance is not the sum of their entries. */
  readonly accountsOff: number
  /** Currencies whose entries do not sum to zero. */
  readonly currenciesOff: number
  /** When all entries were last counted from the first one on; null before that. */
  readonly recountedAt: Date | null
}
