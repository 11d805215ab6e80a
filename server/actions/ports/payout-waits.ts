import type { WaitReason } from '../../domain/payout-waits.ts'
import type { Transaction } from '../../domain/transaction.ts'

/** A payout that waits for its operator. */
export interface PayoutWait {
  readonly transactionId: bigint
  readonly railAccount: string
  readonly merchantId: bigint
  readonly amountMinor: bigint
  readonly createdAt: Date
  readonly reason: WaitReason
  /** Since when, whatever the reason was then. */
  readonly since: Date
}

export interface PayoutWaitWrites {
  /**
   * Counts what is handed over at rail accounts where no payout waits and the float covers all of it, or is not known:
   * nothing has to be decided there. Locks them as `lockFloats` does.
   * @returns where it was counted
   */
  handOver(wantedMinor: ReadonlyMap<string, bigint>, readSince: Date): Promise<ReadonlySet<string>>
  /**
   * What payouts through these rail accounts may take, in minor units: what the operator reported last, without what
   * was handed over since. Locked until commit, in the order of their names. Where no balance was read since
   * `readSince`, it is not known, and undefined; before the first query it is missing.
   */
  lockFloats(railAccounts: readonly string[], readSince: Date): Promise<ReadonlyMap<string, bigint | undefined>>
  /** Counts what is handed over, by rail account, also where the float is not known: locked by `lockFloats`. */
  takeFloats(takenMinor: ReadonlyMap<string, bigint>): Promise<void>
  /** What waits at these rail accounts, the oldest 1,000 of each, and these payouts in any case. */
  payoutWaits(railAccounts: readonly string[], ids: readonly bigint[]): Promise<readonly PayoutWait[]>
  /** What waits already keeps the time since when. */
  savePayoutWaits(waits: readonly PayoutWait[]): Promise<void>
  endPayoutWaits(ids: readonly bigint[]): Promise<void>
}

/** A payout that waits, as long as it has not ended or been sent another way: the message is part of its state. */
export const waitOf = (
  { id: transactionId, merchantId, amount: { amountMinor }, createdAt }: Transaction,
  railAccount: string,
  reason: WaitReason,
  since: Date,
): PayoutWait => ({ transactionId, railAccount, merchantId, amountMinor, createdAt, reason, since })
