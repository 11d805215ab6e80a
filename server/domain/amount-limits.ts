import { lower } from './merchant-terms.ts'
import { formatMoney, amountToWire, type Money } from './money.ts'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'
import type { Transaction } from './transaction.ts'

/** Window of the daily limit: what started in the last 24 hours counts. */
export const DAILY_WINDOW_MS = 24 * 60 * 60 * 1000

/** @throws Refusal `invalid_amount` outside the provider's limits per transaction, naming both and the currency. */
export function checkAmountLimits(option: PaymentOption, { amountMinor }: Money): void {
  if (amountMinor < option.minAmountMinor || amountMinor > option.maxAmountMinor) throw outsideLimits(option)
}

/** The refusal of an amount outside the provider's limits, 0 and less included. */
export function outsideLimits(option: PaymentOption): Refusal {
  const [min, max] = [option.minAmountMinor, option.maxAmountMinor].map((limit) => amountToWire(limit, option.currency))
  return new Refusal('invalid_amount', `amount must be between ${min} and ${max} ${option.currency}`)
}

/** How much an account number may pay or receive in 24 hours. */
export interface DailyLimit {
  readonly limitMinor: bigint
  /** How much of that through one merchant. */
  readonly merchantMinor: bigint
}

/** The daily limit of a provider, with one merchant's share of it or its own limit, whichever is lower. */
export const dailyLimitOf = (
  { maxDailyAmountMinor, ownDailyAmountMinor }: PaymentOption,
  share: MerchantShare,
): DailyLimit => ({
  limitMinor: maxDailyAmountMinor,
  merchantMinor: lower(merchantPartMinor(maxDailyAmountMinor, share), ownDailyAmountMinor),
})

/** What an account number has used of its 24 hours. */
interface DailyUse {
  readonly usedMinor: bigint
  /** The part of that through the requesting merchant. */
  readonly merchantUsedMinor: bigint
}

/** @returns the limit that this amount would exceed, the larger first; undefined when it fits */
export function exceededLimit(
  { limitMinor, merchantMinor }: DailyLimit,
  { usedMinor, merchantUsedMinor }: DailyUse,
  amountMinor: bigint,
): bigint | undefined {
  if (usedMinor + amountMinor > limitMinor) return limitMinor
  return merchantUsedMinor + amountMinor > merchantMinor ? merchantMinor : undefined
}

/** The refusal when the account number has used up its limit of 24 hours. */
export const dailyLimitRefusal = (limit: Money): Refusal =>
  new Refusal('daily_limit_exceeded', `amount exceeds the daily limit of ${formatMoney(limit)} for this account number`)

/** How much of a limit that counts across merchants one merchant may use, in percent: 1 to 100. */
export type MerchantShare = number

/** A merchant's share of a limit: an integer, and at least one, so that nobody is locked out. */
export const merchantPart = (max: number, share: MerchantShare): number => Math.max(1, Math.floor((max * share) / 100))

/** The same for a sum of money in minor units. */
export const merchantPartMinor = (maxMinor: bigint, share: MerchantShare): bigint => (maxMinor * BigInt(share)) / 100n

/** What a daily limit applies to, and the merchant whose share of its usage is queried. */
export type LimitSubject = Pick<Transaction, 'providerCode' | 'type' | 'account' | 'merchantId'>

/** The usage key that all requests under one daily limit share. */
export const limitKey = ({ providerCode, type, account }: Omit<LimitSubject, 'merchantId'>): string =>
  `${providerCode}:${type}:${account}`

/** The usage key of one merchant's share of the limit. */
export const merchantLimitKey = (subject: LimitSubject): string => `${limitKey(subject)}:${subject.merchantId}`

/**
 * The account numbers that a commit locks before it reads usage: daily limits and bounds share these locks, over all
 * providers and directions. Two requests without them would both get the same free rest. Lock order: one commit takes
 * all its locks in one call, in one order.
 */
export const accountLocks = (accounts: readonly string[]): readonly string[] => [...new Set(accounts)].sort()

/** Amounts that started at this time or before it no longer count toward a daily limit. */
export const dailyWindowStart = (now: Date): Date => new Date(now.getTime() - DAILY_WINDOW_MS)

/** The used part of daily limits by limitKey, and each merchant's part of it by merchantLimitKey. */
export type DailyUses = Map<string, bigint>

/** The usage of one subject. */
export const dailyUseOf = (uses: DailyUses, subject: LimitSubject): DailyUse => ({
  usedMinor: uses.get(limitKey(subject)) ?? 0n,
  merchantUsedMinor: uses.get(merchantLimitKey(subject)) ?? 0n,
})

/** Adds an amount to the limit of the subject and to its merchant's share. */
export function addDailyUse(uses: DailyUses, subject: LimitSubject, amountMinor: bigint): void {
  for (const key of [limitKey(subject), merchantLimitKey(subject)]) uses.set(key, (uses.get(key) ?? 0n) + amountMinor)
}
