import { optionKey, type Merchant } from './merchant.ts'
import type { PaymentOption } from './provider.ts'

/**
 * The option as it applies to this merchant. Its limits only narrow the provider's: the operator would refuse what is
 * beyond those, whenever they were set.
 */
export function optionFor(option: PaymentOption, merchant: Pick<Merchant, 'terms'>): PaymentOption {
  const terms = merchant.terms?.get(optionKey(option.providerCode, option.type))
  if (!terms) return option
  const { minAmountMinor = 0n, maxAmountMinor, maxDailyAmountMinor, chargeBps, chargeFlatMinor } = terms
  return {
    ...option,
    minAmountMinor: minAmountMinor > option.minAmountMinor ? minAmountMinor : option.minAmountMinor,
    maxAmountMinor: lower(option.maxAmountMinor, maxAmountMinor),
    ...(maxDailyAmountMinor !== undefined && { ownDailyAmountMinor: maxDailyAmountMinor }),
    chargeBps: chargeBps ?? option.chargeBps,
    chargeFlatMinor: chargeFlatMinor ?? option.chargeFlatMinor,
  }
}

/** The daily limit that a merchant sees. */
export const dailyAmountOf = ({ maxDailyAmountMinor, ownDailyAmountMinor }: PaymentOption): bigint =>
  lower(maxDailyAmountMinor, ownDailyAmountMinor)

/** The lower of a limit and another one, if there is one. */
export const lower = (limit: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other < limit ? other : limit
