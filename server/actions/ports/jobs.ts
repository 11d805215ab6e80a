import type { Transaction } from '../../domain/transaction.ts'

/**
 * Each kind has a queue with its limits in jobs/queues.ts. `resolveUnknownOutcome`: an order that a rail must not get
 * twice had no reply. Its outcome is unknown: it is queried by every means and never sent again.
 */
export type JobKind =
  | 'verifyPayout'
  | 'holdFunds'
  | 'submitToRail'
  | 'pollRail'
  | 'resolveUnknownOutcome'
  | 'readRailCallback'
  | 'readAccountMessage'
  | 'deliverCallback'
  | 'expirePage'
  | 'expireExpected'
  | 'expireApproval'
  | 'sendOtp'
  | 'clearFunds'
  | 'releaseReserve'
  | 'verifyBatch'
  | 'finishBatch'
  | RefundJobKind

/**
 * Refunds have kinds of their own for what the others do for payments: a worker of an older release, which would take
 * them for payouts, claims none of them.
 */
export type RefundJobKind = 'holdRefund' | 'submitRefund' | 'pollRefund' | 'resolveRefund'
export const OF_REFUNDS = {
  holdFunds: 'holdRefund',
  submitToRail: 'submitRefund',
  pollRail: 'pollRefund',
  resolveUnknownOutcome: 'resolveRefund',
} as const satisfies Partial<Record<JobKind, RefundJobKind>>

/** The kind of a step for a transaction. */
export const jobKindFor = ({ type }: Pick<Transaction, 'type'>, kind: keyof typeof OF_REFUNDS): JobKind =>
  type === 'REFUND' ? OF_REFUNDS[kind] : kind

/** Jobs that send to merchants' servers: each one has a destination (domain/destination.ts). */
export type AddressedKind = Extract<JobKind, 'verifyPayout' | 'deliverCallback'>

/**
 * A job under a lease. The claim token is a fencing token: every write of the holder names kind, subject and token. No
 * two claims ever have the same token, so a worker that was paused beyond its lease matches no row, whatever has
 * become of it.
 */
export interface Job {
  readonly id: bigint
  readonly kind: JobKind
  readonly subjectId: bigint
  /** How often this kind of job was claimed for this subject, from 1: the input of the backoff. */
  readonly attempt: number
  readonly token: string
  /** How often it was quarantined because it failed. */
  readonly failures: number
  /**
   * Its destination. Absent where the job sends nothing to a merchant, or was stored by a version without
   * destinations.
   */
  readonly destination?: string
}

/**
 * Identifies a claim, not just a row: one batch may contain an attempt whose lease was lost and an attempt of the new
 * holder of the same row.
 */
export const claimName = ({ id, token }: Pick<Job, 'id' | 'token'>): string => `${id}:${token}`

/**
 * Whether the claim of a job still holds its row: another claim may have taken the row, or the job may have become
 * another kind. Statements that write compare the same (`HELD` in storage/jobs.ts).
 */
export const isHeldBy = (row: { readonly kind: JobKind; readonly token?: string | undefined }, item: Job): boolean =>
  row.kind === item.kind && row.token === item.token

/** All jobs of a payment that is not final; they end when its outcome is known. In the order of their names. */
export const PAYMENT_JOB_KINDS: readonly JobKind[] = [
  'pollRail',
  'expireApproval',
  'expireExpected',
  'expirePage',
  'resolveUnknownOutcome',
  'holdFunds',
  'sendOtp',
  'submitToRail',
  'verifyPayout',
  ...Object.values(OF_REFUNDS),
]

/** The parameters of a claim. */
export interface Claim {
  /** New for every claim and generated before the claim is sent: a claim whose reply is lost can still be released. */
  readonly token: string
  readonly now: Date
  /** End of the lease: nobody else gets the jobs before then. */
  readonly leaseUntil: Date
}

/**
 * Jobs that a claim skips: of orders at these rail accounts, of orders not sent yet whose provider is one of these,
 * and of messages from these rail accounts.
 */
export interface ClaimExclusions {
  readonly railAccounts: readonly string[]
  readonly providers: readonly string[]
}

/** `subjectId` is a transaction, a batch, or a callback (to a merchant, or from an operator), depending on the kind. */
export interface NewJob {
  readonly kind: JobKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly destination?: string
}

/** How many jobs of one destination a claim may take. */
export interface DestinationQuota {
  /** For destinations that are not listed. */
  readonly each: number
  readonly of: ReadonlyMap<string, number>
}

/** A job that this worker holds and that is delayed until then. */
export interface RescheduledJob {
  readonly item: Job
  readonly dueAt: Date
}

/**
 * Job store, outside of a unit of work. Everything rejects with StorageUnavailable when the database is unavailable.
 */
export interface JobStore {
  /** Claims up to `limit` due jobs. */
  claim(kind: JobKind, claim: Claim, limit: number, skipped?: ClaimExclusions): Promise<readonly Job[]>
  /** When the first job of each kind can be claimed, or its lease ends; kinds without a job are missing. */
  nextDue(kinds: readonly JobKind[], now: Date): Promise<ReadonlyMap<JobKind, Date>>
  /** When the first job for one of these destinations is due that nobody holds. */
  nextDueFor(kind: AddressedKind, destinations: readonly string[]): Promise<Date | undefined>
  /**
   * Like `claim`, for jobs with destinations: takes no more of each than its quota, round-robin: the first job of
   * every destination before the second of any. The cost grows with the number of destinations, not with the backlog
   * of one.
   */
  claimFairly(kind: AddressedKind, claim: Claim, limit: number, quota: DestinationQuota): Promise<readonly Job[]>
  /**
   * Extends the lease. Skips jobs that others hold by now, that are due already, or that another transaction is
   * changing.
   */
  renew(items: readonly Job[], now: Date, leaseUntil: Date): Promise<void>
  /**
   * Releases jobs that were claimed and not run, so that nobody waits for the lease to end. Jobs that others hold by
   * now stay theirs.
   */
  release(items: readonly Job[], dueAt: Date): Promise<void>
  /** Releases the jobs of a claim whose reply was lost. */
  releaseClaim(kind: JobKind, claim: Claim, dueAt: Date): Promise<void>
  /**
   * Quarantines a job that fails although the database is available: it waits until then, with its failures counted
   * and the reason stored, and blocks nothing else.
   */
  quarantine(item: Job, dueAt: Date, reason: string): Promise<void>
}

/** Changes of jobs that commit together with the state that they follow from. */
export interface JobWrites {
  /**
   * The jobs of these that this worker still holds, locked until commit: a worker whose lease was taken over must not
   * write.
   */
  holdJobs(items: readonly Job[]): Promise<readonly Job[]>
  finishJobs(items: readonly Job[]): Promise<void>
  /**
   * Turns each job that this worker still holds into another job, or the same at a later time; no prior lock is
   * needed. Locks rows in the order of the subjects, as far as the query plan keeps that order; in a deadlock one of
   * the two transactions is retried.
   * @returns how many it still held
   */
  replaceJobs(items: readonly Job[], kind: JobKind, dueAt: Date): Promise<number>
  /** Reschedules each job to its own time. The attempt does not count: the job only waited for capacity. */
  rescheduleJobs(rescheduled: readonly RescheduledJob[]): Promise<void>
  addJobs(work: readonly NewJob[]): Promise<void>
  /** Finishes all jobs that were to resolve these transactions, whoever holds them: their outcome is known. */
  finishPaymentJobs(transactionIds: readonly bigint[]): Promise<void>
}
