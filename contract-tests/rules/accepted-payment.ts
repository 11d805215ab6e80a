import type { ObservedExchange } from './observed-exchange.ts'

/** A payment or a refund that a reply says was created, by this request or by the one that it repeats. */
interface AcceptedPayment {
  readonly internalReference: string
  readonly merchantReference: string
  readonly type: string
  /** The merchant left its reference to the server: `auto`. */
  readonly isAuto: boolean
}

const TYPE_OF: Readonly<Record<string, string>> = {
  initializeCollection: 'COLLECTION',
  expectPayment: 'COLLECTION',
  sendFunds: 'PAYOUT',
  refundCollection: 'REFUND',
}

/** Undefined for any other exchange. */
export function acceptedPayment({ operation, exchange, sent, data }: ObservedExchange): AcceptedPayment | undefined {
  const type = TYPE_OF[operation?.id ?? '']
  const { internal_reference: internalReference, merchant_reference: merchantReference } = data
  if (type === undefined || exchange.reply.status !== 202) return undefined
  if (typeof internalReference !== 'string' || typeof merchantReference !== 'string') return undefined
  return { internalReference, merchantReference, type, isAuto: sent.merchant_reference === 'auto' }
}
