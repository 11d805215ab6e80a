import type { UnitOfWork } from './unit-of-work.ts'

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
