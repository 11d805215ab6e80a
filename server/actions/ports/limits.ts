import type { AccountTally, AccountUse } from '../../domain/account-bounds.ts'
import type { DailyLimit } from '../../domain/amount-limits.ts'
import type { Transaction } from '../../domain/transaction.ts'

/** Amounts that count toward the daily limit of an account number at a provider. */
export interface LimitWrites {
  /**
   * Counts the transaction toward its daily limit, unless that would exceed it.
   * @returns the limit that it would exceed; undefined when it fits
   */
  claimDailyLimit(transaction: Transaction, limit: DailyLimit, now: Date): Promise<bigint | undefined>
  releaseDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Counts again what a failed transaction had released: a late completion counts toward the daily limit. */
  countTowardDailyLimit(transactions: readonly Transaction[]): Promise<void>
}

/** What counts toward the bounds of an account number: pages, OTPs, prompts (domain/account-bounds.ts). */
export interface AccountUsageWrites {
  /**
   * The current usage of an account number, which stays locked until commit. Lock order: after claimDailyLimit where a
   * commit calls both, since that one locks the account number too.
   */
  lockAccountUsage(account: string, now: Date): Promise<readonly AccountTally[]>
  /** Adds uses to the transaction's account number. */
  addAccountUsage(transaction: Transaction, uses: readonly AccountUse[]): Promise<void>
  /** Stops counting the transaction's page: it is no longer open. */
  endPageUsage(transaction: Transaction): Promise<void>
  /** Counts these prompts as declined or unanswered. It locks no account number: a cool-down starts with the commit. */
  addPromptDeclines(transactions: readonly Transaction[], now: Date): Promise<void>
  /** After an approval: resets the declines of these account numbers, except those that another commit has locked. */
  endPromptDeclines(accounts: readonly string[]): Promise<void>
}
