import type { CustomerPayment, MessagesToMerchant, UnrequestedPayments } from './operator.ts'
import type { Parts } from './parts.ts'
import { isAmount } from './world/decimal.ts'
import type { NewOrder } from './world/order.ts'
import type { OperatorState } from './world/world.ts'

const REFERENCE = /^[\x20-\x7e]{1,20}$/

/**
 * A customer pays an account of the merchant without being asked. The merchant may refuse it before; afterwards it is
 * reported, and on the statement.
 * @returns why it was not paid; undefined when the money is on its way
 */
export async function payUnrequested(
  { open: { unrequested }, world, lifecycle, callbacks }: Parts,
  payment: CustomerPayment,
): Promise<string | undefined> {
  const { account, amount, reference } = payment
  if (!Object.hasOwn(world.accounts.all(), account)) return 'There is no such number to pay to.'
  if (!isAmount(amount) || Number(amount) <= 0) return 'That is no amount.'
  if (!REFERENCE.test(reference)) return 'The reference has 1 to 20 letters, digits or signs.'
  const order = unrequested.orderOf(payment)
  if (!(await isWanted(unrequested, order, callbacks, world.clock.now()))) return 'The merchant does not take it.'
  lifecycle.accept(order, [])
  return undefined
}

/** What a customer pays without being asked, as an order that has ended when it is taken. */
export const unrequestedOrder = (
  { chance }: Pick<OperatorState, 'chance'>,
  { reference, ...payment }: CustomerPayment,
  { details = {}, ...own }: Pick<NewOrder, 'kind' | 'currency'> & Partial<Pick<NewOrder, 'details'>>,
): NewOrder => ({
  ...payment,
  ...own,
  id: chance.uuid(),
  direction: 'in',
  externalId: reference,
  asks: false,
  isUnrequested: true,
  plan: { verdict: { state: 'succeeded' }, afterMs: 0 },
  details,
})

/** Asks the merchant, where the operator asks. */
export async function isWanted(
  { questionOf, isWelcome }: UnrequestedPayments,
  order: NewOrder,
  { ask }: Pick<MessagesToMerchant, 'ask'>,
  now: Date,
): Promise<boolean> {
  const question = questionOf?.(order, now)
  return question === undefined || isWelcome?.(await ask(question), order) !== false
}
