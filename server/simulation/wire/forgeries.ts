import type { CallbackText, Operator } from '../../../openapi/operators/simulator/operator.ts'
import type { Order } from '../../../openapi/operators/simulator/world/order.ts'
import type { Choices } from '../choices.ts'
import type { WiredOrders } from './wired-kinds.ts'

/**
 * A message that the operator never wrote, to the address of an order: that it was paid with another amount, that it was
 * paid although nobody knows yet, or what is true of another order.
 * @param orders those that the operator has
 * @returns undefined where there is nothing to forge
 */
export function forgery(
  choices: Choices,
  operator: Pick<Operator, 'callbacksOf'>,
  { mayAsk }: WiredOrders,
  order: Order,
  orders: readonly Order[],
): CallbackText | undefined {
  const [own] = operator.callbacksOf(asPaid(order, order.amount))
  if (!own) return undefined
  const way = choices.among(3)
  if (way === 0) return operator.callbacksOf(asPaid(order, String(Number(order.amount) + 1)))[0]
  // Where nothing can be asked, who knows the address is believed if all of it agrees.
  if (way === 1) return mayAsk ? own : undefined
  const [other] = orders.filter((each) => each !== order && each.kind === order.kind)
  const [about] = other ? operator.callbacksOf(asPaid(other, other.amount)) : []
  return about && { ...about, url: own.url }
}

/** The same order, as if it had been paid: the book does not know of it. */
const asPaid = (order: Order, amount: string): Order => ({
  ...order,
  amount,
  state: 'succeeded',
  code: undefined,
  settledAt: order.acceptedAt,
  receipts: order.receipts.length > 0 ? order.receipts : ['SIMFORGED1'],
})
