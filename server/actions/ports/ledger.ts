import type { AccountKey, AccountKind, Transfer } from '../../domain/ledger.ts'

export interface WalletBalance {
  readonly wallet: AccountKey
  readonly balanceMinor: bigint
}

/** Balances and transfers. Wallets are not locked before the commit; the commit checks them. */
export interface LedgerWrites {
  /** Booked right before the commit, whenever it is called. The commit fails if a wallet would fall below zero. */
  book(transfers: readonly Transfer[], now: Date): Promise<void>
  /** Balances by accountName, not locked: the commit checks again whatever is booked because of them. */
  balances(keys: readonly AccountKey[]): Promise<ReadonlyMap<string, bigint>>
  /**
   * Optimistic check for a decision that these balances, read without a lock, do not cover a payout: the commit fails
   * with WalletFilled when one of the wallets holds more by then.
   */
  holdsAtMost(balances: readonly WalletBalance[]): Promise<void>
  /** The amount that one kind of transfer has added to an account kind, by transaction. */
  bookedInto(kind: AccountKind, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>
}
