import type { Approval, ApprovalState, Party, Standing } from '../../domain/approvals.ts'

/** The end of a request for approval. */
export interface ApprovalEnd {
  readonly id: bigint
  readonly state: Exclude<ApprovalState, 'waiting'>
  readonly at: Date
  /** Absent when nobody decided. */
  readonly by?: Party
}

/** Approvals of payouts commit together with what follows from them. */
export interface ApprovalWrites {
  /**
   * The payouts that are decided together with this one: those of its batch in its currency, or itself. What belongs to
   * a batch never changes.
   */
  decidedTogether(transactionId: bigint): Promise<readonly bigint[]>
  /** The requests of these payouts, locked until commit, in the order of their ids. */
  lockApprovals(transactionIds: readonly bigint[]): Promise<readonly Approval[]>
  /**
   * The role that a person has now, which nobody changes before the commit.
   * @returns undefined if the person has no access any more
   */
  lockStanding(personId: bigint): Promise<Standing | undefined>
  endApprovals(ends: readonly ApprovalEnd[]): Promise<void>
}
