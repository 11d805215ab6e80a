import { isObject } from '../../../openapi/reading/json.ts'
import { operatorContract } from '../operator-contract.ts'
import type { CallbackReading, RailWorld, ReceivedCallback } from '../rail-kind.ts'
import { amountRead } from './amount.ts'
import { isOrderKind, ORDER_CALLS } from './orders.ts'
import { fieldsOf, outcomeIn, receiptsIn } from './results.ts'

/**
 * What a callback claims. None is signed, it was seen twice, and it does not name its order beside our external id: it is
 * a hint to ask now, and no more.
 * @returns undefined for what is no JSON object, and for what comes where nothing does
 */
export function readCallback(
  { method, tail = '', body }: ReceivedCallback,
  { onDrift }: Pick<RailWorld, 'onDrift'> = {},
): CallbackReading | undefined {
  if (!isOrderKind(tail)) return undefined
  const { callback, type, party } = ORDER_CALLS[tail]
  const read = operatorContract('mtn-momo').readCallback(callback, { method, body })
  if ('fault' in read || !isObject(read.value)) return undefined
  onDrift?.(callback, read.drift)
  const fields = fieldsOf(read.value, party)
  const { externalId: orderId, amount, currency, account } = fields
  const outcome = outcomeIn(fields, type)
  const claimed = amount !== undefined && currency !== undefined ? amountRead(amount, currency) : undefined
  return {
    ...(outcome && { outcome }),
    mayAsk: true,
    ...(orderId !== undefined && { orderId }),
    ...(claimed && { amount: claimed }),
    ...(account !== undefined && { account }),
    theirs: {},
    ...receiptsIn(fields),
  }
}
