import { divideHalfUp, type Currency } from './money.ts'
import type { ClearingRule } from './provider.ts'
import type { Transaction } from './transaction.ts'

/**
 * Accounts of the double-entry book. A merchant's wallet is three of them (available, uncleared, reserve), and what
 * payouts on their way hold is a fourth; none of those may fall below zero. `rail` is what providers owe us (negative
 * when we hold their money for merchants), `charges` what Malipo earned, `operator` where deposits come from.
 */
export type AccountKind =
  | 'collection_available'
  | 'collection_uncleared'
  | 'collection_reserve'
  | 'payout_available'
  | 'payout_uncleared'
  | 'payout_reserve'
  | 'payout_held'
  | 'rail'
  | 'charges'
  | 'operator'

/** Names one account: wallets by merchant, rails by provider, the others by currency alone. */
export interface AccountKey {
  readonly kind: AccountKind
  readonly currency: Currency
  readonly merchantId: bigint | undefined
  readonly providerCode: string | undefined
}

/** One text per account, for maps. */
export const accountName = ({ kind, currency, merchantId, providerCode }: AccountKey): string =>
  `${kind}:${currency}:${merchantId ?? 0n}:${providerCode ?? ''}`

/** One side of a movement: positive adds to the account, negative takes from it. */
export interface Entry {
  readonly account: AccountKey
  readonly amountMinor: bigint
}

export type TransferKind =
  | 'collection'
  | 'clearing'
  | 'reserve_release'
  | 'payout_hold'
  | 'payout'
  | 'payout_release'
  | 'payout_late'
  | 'deposit'
  | 'wallet_transfer'

/** A movement of money: its entries sum to zero. */
export interface Transfer {
  readonly kind: TransferKind
  readonly transactionId: bigint | undefined
  readonly entries: readonly Entry[]
}

const wallet = (kind: AccountKind, merchantId: bigint, currency: Currency): AccountKey => ({
  kind,
  currency,
  merchantId,
  providerCode: undefined,
})
const house = (kind: AccountKind, currency: Currency): AccountKey => ({
  kind,
  currency,
  merchantId: undefined,
  providerCode: undefined,
})

/** @throws Error when the entries do not sum to zero: a fault of ours, never of a caller. */
function transfer(kind: TransferKind, transactionId: bigint | undefined, entries: readonly Entry[]): Transfer {
  const moving = entries.filter(({ amountMinor }) => amountMinor !== 0n)
  const sum = moving.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  if (sum !== 0n) throw new Error(`unbalanced ${kind}: the entries sum to ${sum}`)
  return { kind, transactionId, entries: moving }
}

/**
 * How the credit of a collection is spread over the three parts of the wallet; the reserve is rounded half up to the
 * minor unit.
 */
export function spreadCredit(
  creditMinor: bigint,
  { clearingDelaySeconds, reserveBps, reserveSeconds }: ClearingRule,
): CreditSpread {
  const reserveMinor = reserveSeconds > 0 ? divideHalfUp(creditMinor * BigInt(reserveBps), 10_000n) : 0n
  const restMinor = creditMinor - reserveMinor
  return clearingDelaySeconds > 0
    ? { availableMinor: 0n, unclearedMinor: restMinor, reserveMinor }
    : { availableMinor: restMinor, unclearedMinor: 0n, reserveMinor }
}

export interface CreditSpread {
  readonly availableMinor: bigint
  readonly unclearedMinor: bigint
  readonly reserveMinor: bigint
}

/**
 * What a completed collection books: the rail owes us what the customer paid; the merchant gets total_credit, Malipo
 * the charge.
 */
export function collectionTransfer(
  { id, merchantId, providerCode, amount, chargeMinor, totalMinor, chargeCustomer }: Transaction,
  rule: ClearingRule,
): Transfer {
  const { currency } = amount
  const paidMinor = chargeCustomer ? amount.amountMinor + chargeMinor : amount.amountMinor
  const { availableMinor, unclearedMinor, reserveMinor } = spreadCredit(totalMinor, rule)
  return transfer('collection', id, [
    { account: { kind: 'rail', currency, merchantId: undefined, providerCode }, amountMinor: -paidMinor },
    { account: wallet('collection_available', merchantId, currency), amountMinor: availableMinor },
    { account: wallet('collection_uncleared', merchantId, currency), amountMinor: unclearedMinor },
    { account: wallet('collection_reserve', merchantId, currency), amountMinor: reserveMinor },
    { account: house('charges', currency), amountMinor: paidMinor - totalMinor },
  ])
}

/** What moves a collection's credit to the available part of the wallet when its time has come. */
export const creditRelease = (
  kind: 'clearing' | 'reserve_release',
  { id, merchantId, amount: { currency } }: Transaction,
  amountMinor: bigint,
): Transfer =>
  transfer(kind, id, [
    {
      account: wallet(kind === 'clearing' ? 'collection_uncleared' : 'collection_reserve', merchantId, currency),
      amountMinor: -amountMinor,
    },
    { account: wallet('collection_available', merchantId, currency), amountMinor },
  ])

/** The account that pays a payout. */
export const payoutWallet = ({ merchantId, amount: { currency } }: Transaction): AccountKey =>
  wallet('payout_available', merchantId, currency)
const heldBy = ({ merchantId, amount: { currency } }: Transaction): AccountKey =>
  wallet('payout_held', merchantId, currency)

/** Takes total_debit out of the wallet before the rail hears of the payout. */
export const holdTransfer = (payout: Transaction): Transfer =>
  transfer('payout_hold', payout.id, [
    { account: payoutWallet(payout), amountMinor: -payout.totalMinor },
    { account: heldBy(payout), amountMinor: payout.totalMinor },
  ])

/** Gives a failed payout's money back to the wallet. */
export const releaseTransfer = (payout: Transaction): Transfer =>
  transfer('payout_release', payout.id, [
    { account: heldBy(payout), amountMinor: -payout.totalMinor },
    { account: payoutWallet(payout), amountMinor: payout.totalMinor },
  ])

/**
 * What a completed payout books: the rail has paid the amount for us, the charge is earned. A late one pays from the
 * wallet, its hold is long released.
 */
export const payoutTransfer = (payout: Transaction, kind: 'payout' | 'payout_late'): Transfer =>
  transfer(kind, payout.id, [
    { account: kind === 'payout' ? heldBy(payout) : payoutWallet(payout), amountMinor: -payout.totalMinor },
    {
      account: {
        kind: 'rail',
        currency: payout.amount.currency,
        merchantId: undefined,
        providerCode: payout.providerCode,
      },
      amountMinor: payout.amount.amountMinor,
    },
    { account: house('charges', payout.amount.currency), amountMinor: payout.chargeMinor },
  ])

/** What an operator's deposit into a payout wallet books. */
export const depositTransfer = (merchantId: bigint, currency: Currency, amountMinor: bigint): Transfer =>
  transfer('deposit', undefined, [
    { account: house('operator', currency), amountMinor: -amountMinor },
    { account: wallet('payout_available', merchantId, currency), amountMinor },
  ])
