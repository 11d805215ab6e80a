import type { Merchant } from '../../domain/merchant.ts'

/** What an operator has said of the holder of an account. */
export type AccountHolder = { readonly checkedAt: Date } & (
  | { readonly status: 'ACTIVE'; /** Absent: the operator gave none. */ readonly maskedName?: string }
  | { readonly status: 'INACTIVE' | 'NOT_FOUND' }
)

/** A merchant's wish to know who has an account. */
export interface HolderWish {
  readonly merchant: Merchant
  readonly providerCode: string
  readonly account: string
  /** How many queries of the merchant an operator gets in 24 hours. */
  readonly perDayMax: number
}

/**
 * `known`: this merchant has asked a short while ago. `ask`: the operator may be queried; the query counts, and is in
 * the audit log. `too_many`: of the merchant, or of this account.
 */
export type HolderClaim =
  | { readonly claim: 'known'; readonly holder: AccountHolder }
  | { readonly claim: 'ask'; readonly id: bigint }
  | { readonly claim: 'too_many'; readonly of: 'merchant' | 'account'; readonly until: Date }

/**
 * Queries about account holders: counted, audited, and answered from the last answer for an hour. Each merchant has its
 * own counts and answers, so none can tell what others ask. Everything rejects with StorageUnavailable.
 */
export interface AccountHolderQueries {
  claim(wish: HolderWish, now: Date): Promise<HolderClaim>
  /** Keeps the answer to a query, sealed, for a day at most. */
  keep(id: bigint, holder: AccountHolder): Promise<void>
}

/** An account is asked for at most so often in 24 hours, by each merchant. */
export const QUERIES_PER_ACCOUNT_MAX = 10
/** All queries are counted, and answers kept at most, so long. */
export const HOLDER_QUERIES_KEPT_MS = 24 * 60 * 60 * 1000
/** Whoever asks again within this time gets the same answer. */
export const HOLDER_ANSWER_MS = 60 * 60 * 1000
