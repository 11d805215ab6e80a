import type { Unit } from './unit.ts'

/**
 * The database did not answer or ended the connection: the caller may try again; nothing is said about what was
 * committed.
 */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
    this.name = 'StorageUnavailable'
  }
}

/**
 * The database answers, and all connections to it are in use: nothing was committed, and the caller may try again. It is
 * no outage: it is logged and counted as what it is.
 */
export class StorageBusy extends StorageUnavailable {
  constructor(cause: unknown) {
    super(cause)
    this.name = 'StorageBusy'
    this.message = 'all connections to the database are in use'
  }
}

/** A wallet does not hold what was to be taken from it; nothing was booked. */
export class WalletTooLow extends Error {
  constructor(cause: unknown) {
    super('the wallet does not hold that much', { cause })
    this.name = 'WalletTooLow'
  }
}

/** A wallet holds more than it was judged to hold at most; nothing was committed. */
export class WalletFilled extends Error {
  constructor() {
    super('the wallet holds more by now than it was judged by')
    this.name = 'WalletFilled'
  }
}

/** Where state and the work that follows from it commit together. */
export interface Store {
  /**
   * @throws WalletTooLow when what was booked takes more than a wallet holds by now; WalletFilled when one holds more than
   *   was said with `holdsAtMost`; StorageUnavailable
   */
  transaction<T>(run: (unit: Unit) => Promise<T>): Promise<T>
  /**
   * One commit for all that ask at the same time, in batches of at most `batchMax`: `run` gives one result per item, in
   * their order.
   */
  together<Item, Result>(
    batchMax: number,
    run: (unit: Unit, items: readonly Item[]) => Promise<readonly Result[]>,
  ): (item: Item) => Promise<Result>
}
