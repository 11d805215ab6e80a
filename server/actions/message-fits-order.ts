import { movedBy } from './rail-order.ts'
import { externalIdsIn } from './rail-references.ts'
import type { RailCallbackStore, StoredRailCallback } from './ports/rail-callbacks.ts'
import type { CallbackReading, RailReferences } from './ports/rail.ts'
import type { OrderNames } from './ports/rail-references.ts'
import type { Transaction } from '../domain/transaction.ts'

/** The order that a message is about, as it was sent to the operator. */
export interface MessageOrder {
  readonly transaction: Transaction
  readonly names: OrderNames
}

/** Whether only messages gave this id: anybody who knows the address of the order can have written it. */
export const isFromMessage = ({ origins }: OrderNames, name: string): boolean => origins?.[name] === 'message'

/**
 * Compares a message with the order whose address it came to.
 *
 * Threat: whoever knows the address of an order can write any id to it. So an id binds only where the operator gave it
 * in another way. Otherwise a forged message would make us reject the genuine one:
 *
 *  1. Type, order id, amount and account of the message must be those of the order. The type is checked because one
 *     token is valid for all addresses of an order: a message in the form of a payout result, which is trusted without
 *     a query, must not complete a collection. A failure may say that 0 has moved.
 *  2. External ids of the order must be the stored ones, unless a success contradicts one that a message gave.
 *  3. Receipts are checked with a success only: failures carry placeholders. They must be those that a call or a
 *     statement gave.
 *  4. An id that another order has is that order's, unless it is the receipt of a proven success.
 *
 * @returns what does not fit
 */
export async function disagreement(
  railCallbacks: Pick<RailCallbackStore, 'transactionsCalled'>,
  { railAccount, orderId }: Pick<StoredRailCallback, 'railAccount' | 'orderId'>,
  reading: CallbackReading,
  order: MessageOrder,
): Promise<string | undefined> {
  const other = otherOrder(reading, orderId, order.transaction) ?? otherId(reading, order.names)
  if (other !== undefined) return `another ${other}`
  const ids = isProven(reading, order.names) ? reading.externalIds : externalIdsIn(reading)
  const called = await railCallbacks.transactionsCalled(railAccount, Object.values(ids))
  return called.some((id) => id !== order.transaction.id) ? 'a name that another order has' : undefined
}

function otherOrder(reading: CallbackReading, orderId: string, transaction: Transaction): string | undefined {
  const { type, amount, account } = movedBy(transaction)
  if (reading.type !== undefined && reading.type !== type) return 'type of order'
  if (reading.orderId !== undefined && reading.orderId.toLowerCase() !== orderId) return 'order id'
  const isEmptyFailure = reading.outcome?.status === 'FAILED' && reading.amount?.amountMinor === 0n
  if (
    reading.amount &&
    !isEmptyFailure &&
    (reading.amount.currency !== amount.currency || reading.amount.amountMinor !== amount.amountMinor)
  )
    return 'amount'
  return reading.account !== undefined && reading.account !== account ? 'account' : undefined
}

function otherId({ outcome, externalIds, receipts }: CallbackReading, names: OrderNames): string | undefined {
  const isSuccess = outcome?.status === 'COMPLETED'
  const differs = ([name, text]: readonly [string, string]): boolean =>
    names.externalIds[name] !== undefined && names.externalIds[name] !== text
  const id = Object.entries(externalIds).find((one) => differs(one) && !(isSuccess && isFromMessage(names, one[0])))
  const receipt = Object.entries((isSuccess && receipts) || NONE).find(
    (one) => differs(one) && isConfirmed(names, one[0]),
  )
  return (id ?? receipt)?.[0]
}

const NONE: RailReferences = {}

const isConfirmed = ({ origins }: OrderNames, name: string): boolean =>
  origins?.[name] === 'call' || origins?.[name] === 'statement'

/**
 * Whether only the operator can have written a success: it answers a query of ours, or carries the amount, the account
 * and every id that the operator returned when it received the order.
 */
function isProven(reading: CallbackReading, names: OrderNames): boolean {
  const { outcome, amount, account, answersQuestion } = reading
  if (outcome?.status !== 'COMPLETED' || !amount) return false
  if (isAnswerToUs(answersQuestion, names)) return true
  const ids = externalIdsIn(reading)
  const given = Object.keys(names.externalIds).filter((name) => names.origins?.[name] === 'call')
  return account !== undefined && given.length > 0 && given.every((name) => ids[name] === names.externalIds[name])
}

/** Whether a message answers a query that we sent about this order. */
export const isAnswerToUs = (question: string | undefined, { questions = [] }: OrderNames): boolean =>
  question !== undefined && questions.includes(question)
