import { merchantPartMinor, type MerchantShare } from './merchant-share.ts'
import { formatMoney, amountToWire, type Money } from './money.ts'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'

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

/** The daily limit of a provider, with one merchant's share of it. */
export const dailyLimitOf = ({ maxDailyAmountMinor }: PaymentOption, share: MerchantShare): DailyLimit => ({
  limitMinor: maxDailyAmountMinor,
  merchantMinor: merchantPartMinor(maxDailyAmountMinor, share),
})

/** What an account number has used of its 24 hours. */
export interface DailyUse {
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
