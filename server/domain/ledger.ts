import { paidMinor } from './refund.ts'
import { divideHalfUp, type Currency } from './money.ts'
import type { ClearingRule } from './provider.ts'
import { isReturn, type Transaction } from './transaction.ts'

/**
 * Accounts of the double-entry ledger. A merchant's wallet is three of them (available, uncleared, reserve), and the
 * holds of payouts or refunds in flight are a fourth; none of those may fall below zero. `rail` is what providers owe us
 * (negative when we hold their money for merchants), `charges` what Malipo earned, `operator` where deposits come
 * from. `fee` is what a rail account's operator has charged (negative: it cost us). `suspense` is an unexplained
 * difference to its statement (above zero: money that nobody owns; below: money that should be there and is missing).
 */
export type AccountKind =
  | 'collection_available'
  | 'collection_uncleared'
  | 'collection_reserve'
  | 'collection_held'
  | 'payout_available'
  | 'payout_uncleared'
  | 'payout_reserve'
  | 'payout_held'
  | 'rail'
  | 'fee'
  | 'suspense'
  | 'charges'
  | 'operator'

/**
 * Identifies one account: wallets by merchant, rails by provider and rail account, fees and suspense by rail account,
 * the others by currency alone. Money that a rail account moved for no known order is on its `rail` account without a
 * provider.
 */
export interface AccountKey {
  readonly kind: AccountKind
  readonly currency: Currency
  readonly merchantId: bigint | undefined
  readonly providerCode: string | undefined
  /** Absent: no rail account, as in the sandbox. */
  readonly railAccount?: string
}

/** A unique text per account, for map keys. */
export const accountName = ({ kind, currency, merchantId, providerCode, railAccount }: AccountKey): string =>
  `${kind}:${currency}:${merchantId ?? 0n}:${providerCode ?? ''}${railAccount === undefined ? '' : `:${railAccount}`}`

/** One side of a movement: positive adds to the account, negative takes from it. */
export interface Entry {
  readonly account: AccountKey
  readonly amountMinor: bigint
}

export type TransferKind =
  | 'collection'
  | 'collection_again'
  | 'suspense_return'
  | 'suspense_taken'
  | 'clearing'
  | 'reserve_release'
  | 'payout_hold'
  | 'payout'
  | 'payout_release'
  | 'payout_late'
  | 'refund_hold'
  | 'refund'
  | 'refund_release'
  | 'refund_late'
  | 'deposit'
  | 'wallet_transfer'
  | 'operator_fee'
  | 'difference'
  | 'difference_moved'
  | 'opening'

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

/** Money at the operator: by provider, and by the rail account that the order went to. */
const railOf = ({ amount: { currency }, providerCode, railAccount }: Transaction): AccountKey => ({
  kind: 'rail',
  currency,
  merchantId: undefined,
  providerCode,
  ...(railAccount !== undefined && { railAccount: railAccount }),
})

/** @throws Error when the entries do not sum to zero: a bug of ours, never of a caller. */
function transfer(kind: TransferKind, transactionId: bigint | undefined, entries: readonly Entry[]): Transfer {
  const moving = entries.filter(({ amountMinor }) => amountMinor !== 0n)
  const sum = moving.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  if (sum !== 0n) throw new Error(`unbalanced ${kind}: the entries sum to ${sum}`)
  return { kind, transactionId, entries: moving }
}

/**
 * How the credit of a collection is split over the three parts of the wallet; the reserve is rounded half up to the
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

interface CreditSpread {
  readonly availableMinor: bigint
  readonly unclearedMinor: bigint
  readonly reserveMinor: bigint
}

/**
 * The transfer of a completed collection: the rail owes us what the customer paid; the merchant gets total_credit,
 * Malipo the charge.
 */
export function collectionTransfer(collection: Transaction, rule: ClearingRule): Transfer {
  const { id, merchantId, amount, chargeMinor, totalMinor, chargeCustomer } = collection
  const { currency } = amount
  const paidMinor = chargeCustomer ? amount.amountMinor + chargeMinor : amount.amountMinor
  const { availableMinor, unclearedMinor, reserveMinor } = spreadCredit(totalMinor, rule)
  return transfer('collection', id, [
    { account: railOf(collection), amountMinor: -paidMinor },
    { account: wallet('collection_available', merchantId, currency), amountMinor: availableMinor },
    { account: wallet('collection_uncleared', merchantId, currency), amountMinor: unclearedMinor },
    { account: wallet('collection_reserve', merchantId, currency), amountMinor: reserveMinor },
    { account: house('charges', currency), amountMinor: paidMinor - totalMinor },
  ])
}

/**
 * The transfer of an attempt that has paid although its collection has no use for the money: nobody's wallet gets it,
 * and nothing is earned.
 */
export const paidAgainTransfer = (attempt: Transaction): Transfer => {
  return transfer('collection_again', attempt.id, [
    { account: railOf(attempt), amountMinor: -paidMinor(attempt) },
    { account: suspenseAt(attempt.amount.currency, attempt.railAccount), amountMinor: paidMinor(attempt) },
  ])
}

/** The transfer of an attempt whose money a person takes from suspense for a collection, which then books it itself. */
export const takenTransfer = (attempt: Transaction): Transfer =>
  transfer('suspense_taken', attempt.id, [
    { account: suspenseAt(attempt.amount.currency, attempt.railAccount), amountMinor: -paidMinor(attempt) },
    { account: railOf(attempt), amountMinor: paidMinor(attempt) },
  ])

const suspenseAt = (currency: Currency, railAccount: string | undefined): AccountKey => ({
  ...house('suspense', currency),
  ...(railAccount !== undefined && { railAccount }),
})

/** The transfer of a collection's credit to the available part of the wallet when it is due. */
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

/** The account that pays a payout or a refund. */
export const payoutWallet = (payout: Transaction): AccountKey => {
  const { type, merchantId, amount, refund } = payout
  if (isReturn(payout)) return suspenseAt(amount.currency, refund?.railAccount)
  return wallet(type === 'REFUND' ? 'collection_available' : 'payout_available', merchantId, amount.currency)
}
const heldBy = ({ type, merchantId, amount: { currency } }: Transaction): AccountKey =>
  wallet(type === 'REFUND' ? 'collection_held' : 'payout_held', merchantId, currency)

type PayoutKind = 'payout_hold' | 'payout' | 'payout_release' | 'payout_late'
const OF_REFUNDS = {
  payout_hold: 'refund_hold',
  payout: 'refund',
  payout_release: 'refund_release',
  payout_late: 'refund_late',
} as const satisfies Record<PayoutKind, TransferKind>
const kindFor = ({ type }: Transaction, kind: PayoutKind): TransferKind => (type === 'REFUND' ? OF_REFUNDS[kind] : kind)

/** Holds total_debit of the wallet before the payout or refund goes to the rail. */
export const holdTransfer = (payout: Transaction): Transfer =>
  transfer(kindFor(payout, 'payout_hold'), payout.id, [
    { account: payoutWallet(payout), amountMinor: -payout.totalMinor },
    { account: heldBy(payout), amountMinor: payout.totalMinor },
  ])

/** Returns a failed payout's hold to the wallet. */
export const releaseTransfer = (payout: Transaction): Transfer =>
  transfer(kindFor(payout, 'payout_release'), payout.id, [
    { account: heldBy(payout), amountMinor: -payout.totalMinor },
    { account: payoutWallet(payout), amountMinor: payout.totalMinor },
  ])

/**
 * The transfer of a completed payout: the rail has paid the amount for us, the charge is earned. A late one debits the
 * wallet, because its hold was released long ago. A refund earns nothing: a charge that goes back is one less. What is
 * given back from suspense concerns no wallet.
 */
export const payoutTransfer = (payout: Transaction, kind: 'payout' | 'payout_late'): Transfer => {
  const isRefund = payout.type === 'REFUND'
  if (isReturn(payout))
    return transfer('suspense_return', payout.id, [
      { account: payoutWallet(payout), amountMinor: -payout.totalMinor },
      { account: railOf(payout), amountMinor: payout.totalMinor },
    ])
  return transfer(kindFor(payout, kind), payout.id, [
    { account: kind === 'payout' ? heldBy(payout) : payoutWallet(payout), amountMinor: -payout.totalMinor },
    { account: railOf(payout), amountMinor: isRefund ? paidMinor(payout) : payout.amount.amountMinor },
    {
      account: house('charges', payout.amount.currency),
      amountMinor: isRefund ? -payout.chargeMinor : payout.chargeMinor,
    },
  ])
}

/** The transfer of an admin's deposit into a payout wallet. */
export const depositTransfer = (merchantId: bigint, currency: Currency, amountMinor: bigint): Transfer =>
  transfer('deposit', undefined, [
    { account: house('operator', currency), amountMinor: -amountMinor },
    { account: wallet('payout_available', merchantId, currency), amountMinor },
  ])

/** The rail account whose money is booked. */
export interface AtOperator {
  readonly railAccount: string
  readonly currency: Currency
  /** The provider of the order; absent: no known order. */
  readonly providerCode?: string | undefined
}

const atOperator = (
  kind: 'rail' | 'fee' | 'suspense',
  { railAccount, currency, providerCode }: AtOperator,
): AccountKey => ({
  kind,
  currency,
  merchantId: undefined,
  providerCode: kind === 'rail' ? providerCode : undefined,
  railAccount,
})

/** The transfer of the operator's fee, according to its statement. */
export const feeTransfer = (at: AtOperator, feeMinor: bigint): Transfer =>
  transfer('operator_fee', undefined, [
    { account: atOperator('rail', at), amountMinor: feeMinor },
    { account: atOperator('fee', at), amountMinor: -feeMinor },
  ])

/**
 * The transfer of an unexplained difference to the operator's statement: it corrects the account that was wrong, and
 * keeps the difference on suspense. No wallet ever pays for it.
 * @param wrong `rail`: the operator has moved another amount than we have booked; `fee`: it has charged another fee
 *   than it should
 * @param suspenseMinor the amount added to the suspense account: below zero it is missing money
 */
export const differenceTransfer = (wrong: 'rail' | 'fee', at: AtOperator, suspenseMinor: bigint): Transfer =>
  transfer('difference', undefined, [
    { account: atOperator(wrong, at), amountMinor: -suspenseMinor },
    { account: atOperator('suspense', at), amountMinor: suspenseMinor },
  ])

/** Where staff books a difference: as a fee, or as a payment from or to the outside. */
export type DifferenceTarget = 'fee' | 'outside'

/** The transfer of a staff decision about a difference. */
export const differenceMove = (at: AtOperator, suspenseMinor: bigint, to: DifferenceTarget): Transfer =>
  transfer('difference_moved', undefined, [
    { account: atOperator('suspense', at), amountMinor: -suspenseMinor },
    { account: to === 'fee' ? atOperator('fee', at) : house('operator', at.currency), amountMinor: suspenseMinor },
  ])
