import type { CallbackText, Operator } from '../../../../openapi/operators/simulator/operator.ts'
import type { Order } from '../../../../openapi/operators/simulator/world/order.ts'
import type { Choices } from '../choices.ts'
import type { WiredKind, WiredOrders } from './wired-kinds.ts'

/** A message that the operator never wrote. */
interface Forgery {
  readonly text: CallbackText
  /**
   * `failed`: where the status cannot be queried, a sender who knows the address is believed, and a later success raises the
   * alarm.
   */
  readonly claims: 'paid' | 'failed' | 'nothing'
}

/**
 * A message to the address of an order: paid with another amount, paid although the outcome is not known yet, the truth
 * about another order, failed, or a reply to a query that nobody sent.
 * @param orders the operator's orders
 * @returns undefined if there is nothing to forge
 */
export function forgery(
  choices: Choices,
  operator: Pick<Operator, 'callbacksOf'>,
  { mayQuery }: WiredOrders,
  forgeries: WiredKind['forgeries'],
  order: Order,
  orders: readonly Order[],
): Forgery | undefined {
  const [own] = operator.callbacksOf(asPaid(order, order.amount))
  if (!own) return undefined
  const [receiptOnly, statusFailed, statusPaid] = mayQuery ? [] : (forgeries?.statuses(own, order) ?? [])
  const [other] = orders.filter((each) => each !== order && each.kind === order.kind)
  const [aboutOther] = other ? operator.callbacksOf(asPaid(other, other.amount)) : []
  const [wrongAmount] = operator.callbacksOf(asPaid(order, String(Number(order.amount) + 1)))
  const texts: readonly [CallbackText | undefined, Forgery['claims']][] = [
    [wrongAmount, 'paid'],
    // Where the status cannot be queried, a sender who knows the address is believed if all of it agrees.
    [mayQuery ? own : undefined, 'paid'],
    [aboutOther && { ...aboutOther, url: own.url }, 'paid'],
    [receiptOnly, 'nothing'],
    [mayQuery ? undefined : forgeries?.failure(own), 'failed'],
    [statusFailed, 'nothing'],
    [statusPaid, 'paid'],
  ]
  const [text, claims] = texts[choices.among(mayQuery ? 3 : texts.length)] ?? []
  return text && claims && { text, claims }
}

/** The same order, as if it had been paid: the operator's records do not contain that. */
const asPaid = (order: Order, amount: string): Order => ({
  ...order,
  amount,
  state: 'succeeded',
  code: undefined,
  settledAt: order.acceptedAt,
  receipts: order.receipts.length > 0 ? order.receipts : ['SIMFORGED1'],
})
