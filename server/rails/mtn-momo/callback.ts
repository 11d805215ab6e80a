import { isObject } from '../../../openapi/reading/json.ts'
import { operatorContract } from '../operator-contract.ts'
import type { CallbackReading, RailWorld, ReceivedCallback } from '../rail-kind.ts'
import { amountRead } from './amount.ts'
import { isOrderKind, ORDER_CALLS } from './orders.ts'
import { fieldsOf, isInternational, outcomeIn, receiptsIn } from './results.ts'

/**
 * Reads a callback's claims. Callbacks are not signed, were observed only twice, and name their order by nothing but
 * our external id: a callback is only a hint to query the order now.
 * @returns undefined for a body that is not a JSON object, and for an address that takes no callbacks
 */
export function readCallback(
  { method, tail = '', body }: ReceivedCallback,
  { onDrift, failureCodes = new Map() }: Partial<Pick<RailWorld, 'onDrift' | 'failureCodes'>> = {},
): CallbackReading | undefined {
  if (!isOrderKind(tail)) return undefined
  const { callback, type, party } = ORDER_CALLS[tail]
  const read = operatorContract('mtn-momo').readCallback(callback, { method, body })
  if ('fault' in read || !isObject(read.value)) return undefined
  onDrift?.(callback, read.drift)
  const fields = fieldsOf(read.value, party)
  const { externalId: orderId, amount, currency, account } = fields
  const outcome = outcomeIn(fields, type, failureCodes)
  const claimed = amount !== undefined && currency !== undefined ? amountRead(amount, currency) : undefined
  return {
    ...(outcome && { outcome }),
    mayQuery: true,
    ...(orderId !== undefined && { orderId }),
    ...(claimed && { amount: claimed }),
    ...(account !== undefined && isInternational(account) && { account }),
    externalIds: {},
    ...receiptsIn(fields),
  }
}
