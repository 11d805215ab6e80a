import type { CollectionChargeRule } from './charge.ts'
import type { Currency } from './money.ts'

/** What providers offer, and what the contract calls a transaction. */
export type TransactionType = 'COLLECTION' | 'PAYOUT'
/** What a rail gets orders for: a refund gives a collection back. */
export type OrderType = TransactionType | 'REFUND'
export type TransactionMethod = 'MOBILE_MONEY' | 'BANK'
/**
 * How a provider's prefixes apply to a phone number: `strict`, it must start with one of them; `hint`, the operator
 * decides, as where numbers are ported.
 */
export type PrefixRule = (typeof PREFIX_RULES)[number]
export const PREFIX_RULES = ['strict', 'hint'] as const

/** A provider as one merchant may use it for one transaction type: a row of `GET /data/payment-providers`. */
export interface PaymentOption extends CollectionChargeRule {
  readonly providerCode: string
  readonly providerName: string
  readonly method: TransactionMethod
  readonly type: TransactionType
  readonly currency: Currency
  readonly minAmountMinor: bigint
  readonly maxAmountMinor: bigint
  /** Per account number in any 24 hours. */
  readonly maxDailyAmountMinor: bigint
  /** The same of one merchant, whose own limit is meant: never more than the provider's has an effect. */
  readonly ownDailyAmountMinor?: bigint
  /** Enabled by staff. */
  readonly isActive: boolean
  /** Whether the charge of a refunded collection goes back too. */
  readonly refundsCharge?: boolean
  /** Whether this gateway is connected to the operator or bank: without a rail nothing is accepted. */
  readonly hasRail: boolean
  /** ITU country calling code without the plus sign; empty for banks. */
  readonly callingCode: string
  /** Digits that follow the country code; empty for banks. */
  readonly prefixes: readonly string[]
  readonly prefixRule: PrefixRule
  readonly requiresOtp: boolean
  /** How long a collection's credit stays uncleared. */
  readonly clearingDelaySeconds: number
  /** The part of a collection's credit that is held back, in basis points, and for how long. */
  readonly reserveBps: number
  readonly reserveSeconds: number
  /** The rail account that its orders go to; absent: none, as in the sandbox. */
  readonly railAccount?: string
  /** Its operator does not respond now: accepted payments wait. */
  readonly isDown?: boolean
  /** The outage is not shown to merchants: staff has configured that. */
  readonly isShownWhileDown?: boolean
}

/** What happens to a collection's credit before the merchant can use all of it. */
export type ClearingRule = Pick<PaymentOption, 'clearingDelaySeconds' | 'reserveBps' | 'reserveSeconds'>

export interface Bank {
  readonly providerCode: string
  readonly bankCode: string
  readonly bankName: string
  readonly isActive: boolean
}
