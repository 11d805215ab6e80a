import { fieldsOf } from '../../harness/json.ts'
import { onlyHeader, type ObservedExchange } from '../observed-exchange.ts'

/** A request that created a payment or a refund. */
export interface AcceptedPayment {
  readonly internalReference: string
  readonly merchantReference: string
  /** In words: a refund may have the merchant reference of a payment. */
  readonly what: 'payment' | 'refund'
  /** The merchant left its reference to the server: `auto`. */
  readonly isAuto: boolean
}

const CREATING = new Set(['initializeCollection', 'sendFunds', 'refundCollection', 'expectPayment'])

/** Undefined for any other exchange, and for the replay of an Idempotency-Key. */
export function acceptedPayment(seen: ObservedExchange): AcceptedPayment | undefined {
  const { operation, exchange, requestBody, replyBody } = seen
  if (!CREATING.has(operation?.id ?? '')) return undefined
  if (exchange.reply.status !== 202 || onlyHeader(exchange.reply.headers, 'idempotency-replayed') === 'true') return
  const { internal_reference, merchant_reference } = fieldsOf(fieldsOf(replyBody).data)
  if (typeof internal_reference !== 'string' || typeof merchant_reference !== 'string') return undefined
  return {
    internalReference: internal_reference,
    merchantReference: merchant_reference,
    what: operation?.id === 'refundCollection' ? 'refund' : 'payment',
    isAuto: fieldsOf(requestBody).merchant_reference === 'auto',
  }
}
