import { fieldsOf, type Fields } from '../harness/json.ts'
import type { ObservedExchange } from './observed-exchange.ts'

const LOOKUPS = new Set(['verifyTransaction', 'retrieveRefund'])

/** The record of a payment or refund in a look-up or a callback; empty when there is none. */
export function recordIn({
  direction,
  operation,
  exchange,
  requestBody: sent,
  replyBody: reported,
}: ObservedExchange): Fields {
  if (direction === 'received') return fieldsOf(fieldsOf(sent).payload)
  const isFound = LOOKUPS.has(operation?.id ?? '') && exchange.reply.status === 200
  return fieldsOf(isFound ? fieldsOf(reported).data : undefined)
}
