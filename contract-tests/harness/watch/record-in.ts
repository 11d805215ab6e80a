import { fieldsOf, type Fields } from '../json.ts'
import type { ObservedExchange } from './seen.ts'

/** The record of a payment that verify or a callback tells; empty when there is none. */
export function recordIn({ direction, operation, exchange, sent, told: reported }: ObservedExchange): Fields {
  if (direction === 'received') return fieldsOf(fieldsOf(sent).payload)
  const isVerified = operation?.id === 'verifyTransaction' && exchange.reply.status === 200
  return fieldsOf(isVerified ? fieldsOf(reported).data : undefined)
}
