import { destinationOf } from '../../domain/destination.ts'
import type { AcceptResult } from '../../domain/acceptance.ts'
import type { BatchHandshake } from '../../domain/handshake.ts'
import type { BatchPayout, PayoutBatch } from '../../domain/payout-batch.ts'
import type { NewTransaction } from './acceptance.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import type { NewJob } from './jobs.ts'

/** A batch that is not stored yet. */
export interface NewPayoutBatch extends Omit<PayoutBatch, 'id' | 'finishedAt'> {
  readonly rows: readonly NewBatchRow[]
  /** The batch that it tries again. */
  readonly retryOf?: bigint
  readonly idempotency?: IdempotencyClaim
  /** When it is first looked at whether every payout is final. */
  readonly finishAt: Date
}

/** The first jobs of a batch itself. */
export const jobsOfBatch = (
  subjectId: bigint,
  { merchantId, createdAt, finishAt, handshake }: NewPayoutBatch,
): readonly NewJob[] => {
  const destination = destinationOf(merchantId, 'VERIFICATION')
  return [
    { kind: 'finishBatch', subjectId, dueAt: finishAt },
    ...(handshake ? [{ kind: 'verifyBatch' as const, subjectId, dueAt: createdAt, destination }] : []),
  ]
}

interface NewBatchRow {
  readonly line: number
  readonly payout: NewTransaction
  /** The failed payout that it tries again. */
  readonly retryOf?: bigint
}

/** `not_retryable`: what it tries again did not fail, may have been paid meanwhile, or is tried again already. */
type BatchFault = 'duplicate_batch' | 'idempotency_key_taken' | 'not_retryable'

/** `accepted`, why the batch itself is refused, or the result of each row when one of them is refused. */
export type BatchAcceptance = 'accepted' | BatchFault | readonly AcceptResult[]

/** Stores batches outside of a unit of work, and finds them. */
export interface PayoutBatches {
  /**
   * Commits a batch with all of its payouts, or nothing.
   * @param isTrial commits nothing in any case: tells what would be refused
   */
  accept(batch: NewPayoutBatch, isTrial: boolean): Promise<BatchAcceptance>
  /** A batch by its merchant's own reference, with its payouts in the order of their lines. */
  find(merchantId: bigint, reference: string): Promise<BatchWithPayouts | undefined>
}

export interface BatchWithPayouts extends PayoutBatch {
  readonly payouts: readonly BatchPayout[]
}

/** Batches in a unit of work. Lock order: batches before transactions. */
export interface PayoutBatchWrites {
  /** Those of these that are not finished, locked until commit. */
  lockBatches(ids: readonly bigint[]): Promise<readonly PayoutBatch[]>
  /** Those of these with a payout that is not final. */
  openBatches(ids: readonly bigint[]): Promise<ReadonlySet<bigint>>
  batchPayouts(id: bigint): Promise<readonly BatchPayout[]>
  finishBatches(ids: readonly bigint[], now: Date): Promise<void>
  /** Those of these payouts that one handshake of their batch confirms, with its state. */
  batchHandshakesOf(transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, BatchHandshake>>
  setBatchHandshake(id: bigint, handshake: BatchHandshake): Promise<void>
}
