import { fieldsOf, type Fields } from '../harness/json.ts'
import type { ObservedExchange } from './observed-exchange.ts'

/** The payment record of a verify reply or callback; empty when there is none. */
export function recordIn({
  direction,
  operation,
  exchange,
  requestBody: sent,
  replyBody: reported,
}: ObservedExchange): Fields {
  if (direction === 'received') return fieldsOf(fieldsOf(sent).payload)
  const isVerified = operation?.id === 'verifyTransaction' && exchange.reply.status === 200
  return fieldsOf(isVerified ? fieldsOf(reported).data : undefined)
}
