import { money, type Money } from './money.ts'
import { Refusal } from './refusal.ts'
import { isReturn, type RefundWay, type Transaction } from './transaction.ts'
import { isPaidAgain } from './attempts.ts'

/** A refund to be accepted. Its amounts are decided when its collection is locked. */
export interface RefundRequest {
  readonly collectionId: bigint
  /** In the collection's request currency; absent: all that is left. */
  readonly requestedMinor?: bigint
  /** How it may go out: by the rail, and whether that refunds in parts; by a payout. */
  readonly ways: { readonly refund?: { readonly partial: boolean }; readonly payout: boolean }
  /** Whether our charge goes back too: the provider's rule. */
  readonly givesChargeBack: boolean
  /** The operator moves only whole multiples of this, in minor units; absent: every amount of the currency. */
  readonly amountStepMinor?: bigint | undefined
}

/** What the refunds of a collection that have not failed take of it. */
export interface Refunded {
  readonly requestMinor: bigint
  readonly amountMinor: bigint
  readonly chargeMinor: bigint
}
export const NOT_REFUNDED: Refunded = { requestMinor: 0n, amountMinor: 0n, chargeMinor: 0n }

/**
 * Whether a refund takes a part of its collection. One that failed and was paid by the rail all the same does: its
 * money may be gone.
 */
export const takesPart = ({ status, railPaidAt }: Pick<Transaction, 'status' | 'railPaidAt'>): boolean =>
  (status !== 'FAILED' && status !== 'CANCELLED') || railPaidAt !== undefined

/** What counts of a refund. */
export type RefundPart = Pick<Transaction, 'status' | 'railPaidAt' | 'request' | 'amount' | 'chargeMinor'>

/** Adds up the refunds that take a part. */
export const refundedBy = (refunds: readonly RefundPart[]): Refunded =>
  refunds.filter(takesPart).reduce(
    (sum, { request, amount, chargeMinor }) => ({
      requestMinor: sum.requestMinor + request.amountMinor,
      amountMinor: sum.amountMinor + amount.amountMinor,
      chargeMinor: sum.chargeMinor + chargeMinor,
    }),
    NOT_REFUNDED,
  )

/** `leftMinor`: more was requested than is left. */
export type RefundFault =
  'not_completed' | 'nothing_left' | 'too_small' | 'not_whole' | 'no_way' | { readonly leftMinor: bigint }

/** The amounts of a refund, as its transaction stores them. */
export interface RefundAmounts {
  readonly request: Money
  readonly amount: Money
  /** The part of our charge that goes back. */
  readonly chargeMinor: bigint
  /** What the merchant's wallet pays. */
  readonly totalMinor: bigint
  readonly way: RefundWay
}

/**
 * Decides about a refund of a locked collection. It is converted at the collection's own rate, rounded down, and the
 * last one takes the rest exactly: so all of them together never exceed the collection, in any currency. Where the
 * operator moves no cents, the charge that goes back is rounded down until it moves the sum, or else the conversion is.
 * @param refunded what the collection's other refunds take of it
 */
export function decideRefund(
  collection: Transaction | undefined,
  refunded: Refunded,
  { requestedMinor, ways, givesChargeBack, amountStepMinor = 1n }: RefundRequest,
): RefundAmounts | RefundFault {
  if (collection?.status !== 'COMPLETED') return 'not_completed'
  const { request, amount, chargeCustomer } = collection
  const leftMinor = request.amountMinor - refunded.requestMinor
  const minor = requestedMinor ?? leftMinor
  if (leftMinor <= 0n) return 'nothing_left'
  if (minor > leftMinor) return { leftMinor }
  const isLast = minor === leftMinor
  const part = (wholeMinor: bigint, takenMinor: bigint): bigint =>
    isLast ? wholeMinor - takenMinor : (wholeMinor * minor) / request.amountMinor
  const convertedMinor = part(amount.amountMinor, refunded.amountMinor)
  const share = givesChargeBack ? part(collection.chargeMinor, refunded.chargeMinor) : 0n
  const exactMinor = share > convertedMinor ? convertedMinor : share
  const overMinor =
    sentMinor({ amountMinor: convertedMinor, chargeMinor: exactMinor, chargeCustomer }) % amountStepMinor
  const isOffCharge = chargeCustomer && exactMinor >= overMinor
  if (overMinor > 0n && !isOffCharge && request.currency === amount.currency) return 'not_whole'
  const amountMinor = isOffCharge ? convertedMinor : convertedMinor - overMinor
  if (amountMinor <= 0n || minor <= 0n) return 'too_small'
  const chargeMinor = isOffCharge ? exactMinor - overMinor : exactMinor
  const way = wayOf(ways, sentMinor({ amountMinor, chargeMinor, chargeCustomer }) === paidMinor(collection))
  if (!way) return 'no_way'
  return {
    request: money(minor, request.currency),
    amount: money(amountMinor, amount.currency),
    chargeMinor,
    totalMinor: chargeCustomer ? amountMinor : amountMinor - chargeMinor,
    way,
  }
}

function wayOf({ refund, payout }: RefundRequest['ways'], isWhole: boolean): RefundWay | undefined {
  if (refund && (refund.partial || isWhole)) return 'refund'
  return payout ? 'payout' : undefined
}

interface Charged {
  readonly amountMinor: bigint
  readonly chargeMinor: bigint
  readonly chargeCustomer: boolean
}
const sentMinor = ({ amountMinor, chargeMinor, chargeCustomer }: Charged): bigint =>
  chargeCustomer ? amountMinor + chargeMinor : amountMinor

/** What a customer has paid for a collection, or gets by a refund of it. */
export const paidMinor = ({ amount, chargeMinor, chargeCustomer }: Transaction): bigint =>
  sentMinor({ amountMinor: amount.amountMinor, chargeMinor, chargeCustomer })

/** What a payout or a refund takes of what its operator holds. */
export const takenMinor = (order: Transaction): bigint =>
  order.type === 'REFUND' ? paidMinor(order) : order.amount.amountMinor

/**
 * Decides about giving back what an attempt has paid beside its collection: all of it, once, and nobody is charged.
 * @param returned what others that give it back take of it
 */
export function decideReturn(
  attempt: Transaction | undefined,
  returned: Refunded,
  { ways }: Pick<RefundRequest, 'ways'>,
): RefundAmounts | RefundFault {
  if (!attempt || !isPaidAgain(attempt)) return 'not_completed'
  if (returned.requestMinor > 0n) return 'nothing_left'
  const way = wayOf(ways, true)
  if (!way) return 'no_way'
  const { request, amount, chargeMinor, chargeCustomer } = attempt
  return { request, amount, chargeMinor: chargeCustomer ? chargeMinor : 0n, totalMinor: paidMinor(attempt), way }
}

/** A refund's reference among all references of its merchant: payments have no colon in theirs. */
export const refundReference = (merchantReference: string): string => `refund:${merchantReference}`

/** The reference that it claims: refunds have references apart from payments, and returns apart from those. */
export const claimedReference = (one: Pick<Transaction, 'type' | 'merchantReference' | 'refund'>): string => {
  if (one.type !== 'REFUND') return one.merchantReference
  return isReturn(one) ? `return:${one.merchantReference}` : refundReference(one.merchantReference)
}

/** @returns the refusal for a fault. @param reference the collection's, as the merchant wrote it */
export function refundRefusal(fault: RefundFault, reference: string, left: (minor: bigint) => string): Refusal {
  if (typeof fault === 'object')
    return new Refusal('invalid_amount', `amount must be at most ${left(fault.leftMinor)}: that is left to refund`)
  switch (fault) {
    case 'too_small':
      return new Refusal('invalid_amount', 'amount is too small to be refunded')
    case 'not_whole':
      return new Refusal('invalid_amount', 'amount must be whole: its operator moves no cents')
    case 'not_completed':
      return new Refusal('not_refundable', `Collection (${reference}) is not completed: nothing can be refunded`)
    case 'nothing_left':
      return new Refusal('not_refundable', `Collection (${reference}) is refunded: nothing is left of it`)
    case 'no_way':
      return new Refusal(
        'not_refundable',
        `Collection (${reference}) cannot be refunded: its operator has no such refund`,
      )
  }
}
