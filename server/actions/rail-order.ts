import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import type { OrderType, TransactionType } from '../domain/provider.ts'
import { paidMinor } from '../domain/refund.ts'
import { POLL_RAIL_AFTER_MS, type RefundDetails, type Transaction } from '../domain/transaction.ts'
import type {
  Rail,
  RailAnswer,
  RailKnowledge,
  RailOrder,
  RailReferences,
  RailTraits,
  RefundOrder,
} from './ports/rail.ts'
import type { OrderNames } from './ports/rail-references.ts'

/** The sort of order that a transaction becomes: a refund that goes out by a payout is one for its rail. */
export const orderTypeOf = ({ type, refund }: Transaction): OrderType => (refund?.way === 'payout' ? 'PAYOUT' : type)

const asOfCollectionOrPayout = (type: OrderType): TransactionType => (type === 'REFUND' ? 'COLLECTION' : type)

/** What a rail moves for a transaction: the customer of a collection pays the charge on top when they bear it. */
export const movedBy = (transaction: Transaction) => ({
  type: orderTypeOf(transaction),
  account: transaction.account,
  amount:
    transaction.type === 'PAYOUT' ? transaction.amount : money(paidMinor(transaction), transaction.amount.currency),
})

/** A transaction that goes to its rail, or is with it. */
interface PlacedOrder {
  readonly transaction: Transaction
  readonly names?: OrderNames | undefined
  /** Of a refund: what is known of its collection's order by now. */
  readonly collection?: OrderNames | undefined
  /** The merchant's name, for the text shown with the amount. */
  readonly merchant?: string | undefined
}

function partsOf({ transaction, names: { externalIds, orderedAt } = NO_NAMES }: PlacedOrder) {
  const { internalReference, railOrderId, railAccount, providerCode, account } = transaction
  return {
    internalReference,
    orderId: present(railOrderId, 'the id of an order'),
    ...(orderedAt && { orderedAt }),
    providerCode,
    account,
    ...(railAccount !== undefined && { railAccount }),
    amount: movedBy(transaction).amount,
    externalIds,
  }
}

/** The order for the rail. */
export function railOrder(order: PlacedOrder): RailOrder {
  const { transaction, merchant } = order
  const { bankCode, merchantReference } = transaction
  return {
    ...partsOf(order),
    type: asOfCollectionOrPayout(orderTypeOf(transaction)),
    ...(bankCode !== undefined && { bankCode }),
    ...(merchant !== undefined && { shown: { merchant, reference: merchantReference } }),
  }
}

const refundOrder = (order: PlacedOrder, { orderId, paidMinor: paid, externalIds }: RefundDetails): RefundOrder => ({
  ...partsOf(order),
  collection: {
    ...(order.collection?.orderedAt && { orderedAt: order.collection.orderedAt }),
    orderId: present(orderId, 'the order of a refunded collection'),
    amount: money(BigInt(paid), order.transaction.amount.currency),
    externalIds: { ...externalIds, ...order.collection?.externalIds },
  },
})

/** Calls a rail about orders of both sorts, refunds by its calls for refunds. The answers are in their order. */
async function call<Outcome>(
  orders: readonly PlacedOrder[],
  forOthers: (orders: readonly RailOrder[]) => Promise<readonly Outcome[]>,
  forRefunds: ((orders: readonly RefundOrder[]) => Promise<readonly Outcome[]>) | undefined,
  without: Outcome,
): Promise<readonly Outcome[]> {
  const refunds = orders.flatMap((order) => {
    const { refund } = order.transaction
    return refund?.way === 'refund' ? [{ order, refund }] : []
  })
  const isRefund = new Set(refunds.map(({ order }) => order))
  const others = orders.filter((order) => !isRefund.has(order))
  const [forwarded, refunded] = await Promise.all([
    others.length > 0 ? forOthers(others.map(railOrder)) : [],
    refunds.length > 0 && forRefunds ? forRefunds(refunds.map(({ order, refund }) => refundOrder(order, refund))) : [],
  ])
  const [nextOther, nextRefund] = [forwarded.values(), refunded.values()]
  return orders.map((order) => (isRefund.has(order) ? nextRefund : nextOther).next().value ?? without)
}

const NO_REFUNDS = 'the rail has no refunds'

/** Sends orders to their rail. */
export const submitOrders = (rail: Rail, orders: readonly PlacedOrder[]): Promise<readonly RailAnswer[]> =>
  call(orders, rail.submit, rail.refund, { answer: 'unreachable', error: NO_REFUNDS })

/** Queries a rail about orders. */
export const queryOrders = (rail: Rail, orders: readonly PlacedOrder[]): Promise<readonly RailKnowledge[]> =>
  call(orders, rail.query, rail.queryRefund, { knows: 'unreachable', error: NO_REFUNDS })

/** The same about one order by further ids. */
export const queryOrderBy = async (
  rail: Rail,
  { transaction, names = NO_NAMES }: PlacedOrder,
  ids: RailReferences,
): Promise<RailKnowledge | undefined> =>
  (await queryOrders(rail, [{ transaction, names: { ...names, externalIds: { ...names.externalIds, ...ids } } }]))[0]

/**
 * Records the first, second, fourth, eighth … attempt only: the history of an order without a result for months must
 * not grow without end.
 */
export const isWorthReporting = (attempt: number): boolean => (attempt & (attempt - 1)) === 0

const NO_NAMES: OrderNames = { externalIds: {} }

/** The rail account for the next order of a transaction: a refund goes to that of its collection. */
export const nextRailAccount = (rail: Rail, { providerCode, refund }: Transaction): string | undefined =>
  refund?.way === 'refund' ? refund.railAccount : rail.railAccountOf?.(providerCode)

/** A rail that had refunds when one was accepted, and has none now: an order that may be there is never repeated. */
const NONE_LEFT = { repeat: 'never', pollAfterMs: () => POLL_RAIL_AFTER_MS } as const

/** The rail's traits for the route of a transaction: the one it took, or the one it would take now. */
export function traitsOf(rail: Rail, transaction: Transaction): Omit<RailTraits, 'refund'> {
  const { providerCode, railOrderId, railAccount: orderedAt } = transaction
  const railAccount = railOrderId === undefined ? nextRailAccount(rail, transaction) : orderedAt
  const type = orderTypeOf(transaction)
  const traits = rail.traitsOf({
    providerCode,
    type: asOfCollectionOrPayout(type),
    ...(railAccount !== undefined && { railAccount }),
  })
  return type === 'REFUND' ? (traits.refund ?? NONE_LEFT) : traits
}
