import type { ApprovalWrites } from './approvals.ts'
import type { AttemptWrites } from './attempts.ts'
import type { CallbackWrites } from './callbacks.ts'
import type { ExpectedWrites } from './expected-payments.ts'
import type { HandshakeWrites } from './handshakes.ts'
import type { IdempotencyWrites } from './idempotency.ts'
import type { JobWrites } from './jobs.ts'
import type { LedgerWrites } from './ledger.ts'
import type { AccountUsageWrites, LimitWrites } from './limits.ts'
import type { MerchantRowReads } from './merchant-rows.ts'
import type { SessionWrites, TransactionWrites } from './transactions.ts'
import type { PayoutWaitWrites } from './payout-waits.ts'
import type { RailCallbackWrites } from './rail-callbacks.ts'
import type { PayoutBatchWrites } from './payout-batches.ts'
import type { PayerReferenceWrites, RailReferenceWrites } from './rail-references.ts'

/**
 * The database did not answer or closed the connection: the caller may try again. Whether something was committed is
 * unknown.
 */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
    this.name = 'StorageUnavailable'
  }
}

/**
 * The database answers, but all connections to it are in use: nothing was committed, and the caller may try again. It
 * is not an outage, and is logged and counted separately.
 */
export class StorageBusy extends StorageUnavailable {
  constructor(cause: unknown) {
    super(cause)
    this.name = 'StorageBusy'
    this.message = 'all connections to the database are in use'
  }
}

/** A wallet does not cover a debit; nothing was booked. */
export class WalletTooLow extends Error {
  constructor(cause: unknown) {
    super('the wallet does not hold that much', { cause })
    this.name = 'WalletTooLow'
  }
}

/** A wallet holds more than the maximum that a decision assumed; nothing was committed. */
export class WalletFilled extends Error {
  constructor() {
    super('the wallet holds more by now than it was judged by')
    this.name = 'WalletFilled'
  }
}

/** Commits state together with the jobs that follow from it. */
export interface Store {
  /**
   * @throws WalletTooLow when a debit exceeds what a wallet holds by now; WalletFilled when a wallet holds more than
   *   stated with `holdsAtMost`; StorageUnavailable
   */
  transaction<T>(run: (unit: UnitOfWork) => Promise<T>): Promise<T>
  /**
   * Group commit: one commit for concurrent callers, in batches of at most `batchMax`. `run` returns one result per
   * item, in their order.
   */
  together<Item, Result>(
    batchMax: number,
    run: (unit: UnitOfWork, items: readonly Item[]) => Promise<readonly Result[]>,
  ): (item: Item) => Promise<Result>
}

/**
 * One database transaction: everything done through it commits together or not at all. No network call may run inside
 * it. An action asks for the ports that it uses.
 */
export interface UnitOfWork
  extends
    TransactionWrites,
    AttemptWrites,
    JobWrites,
    LedgerWrites,
    CallbackWrites,
    LimitWrites,
    AccountUsageWrites,
    SessionWrites,
    IdempotencyWrites,
    HandshakeWrites,
    ApprovalWrites,
    PayoutBatchWrites,
    RailReferenceWrites,
    PayerReferenceWrites,
    PayoutWaitWrites,
    RailCallbackWrites,
    ExpectedWrites,
    MerchantRowReads {}

/** A call that waits for the result of its batch. */
export interface PendingItem<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs a batch as one commit and settles its calls. A batch that fails is run again item by item, so that a bad item
 * fails alone.
 * @param run returns one result per item, in the same order
 * @param splitOn whether the failed batch may run again: not if its outcome is unknown
 */
export async function runBatch<Item, Result>(
  batch: readonly PendingItem<Item, Result>[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  splitOn: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    results.forEach((result, index) => batch[index]?.resolve(result))
  } catch (error) {
    if (batch.length === 1 || !splitOn(error)) return batch.forEach(({ reject }) => reject(error))
    for (const one of batch) await runBatch([one], run, splitOn)
  }
}
