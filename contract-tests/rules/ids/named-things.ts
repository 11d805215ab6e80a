import { fieldsOf } from '../../harness/json.ts'
import { onlyHeader, type ObservedExchange } from '../observed-exchange.ts'
import { recordIn } from '../record-in.ts'
import { acceptedPayment } from './accepted-payment.ts'

/** An id, what it is called, and the thing that it names. */
type NamedThing = readonly [what: string, id: string, thing: string]

/** What the ids of an exchange name. */
export function namedIn(seen: ObservedExchange): readonly NamedThing[] {
  const accepted = acceptedPayment(seen)
  if (accepted) {
    const { internalReference, merchantReference, what, isAuto } = accepted
    return [
      ['internal_reference', internalReference, `the ${what} ${merchantReference}`],
      ...(isAuto ? [['merchant_reference', merchantReference, `the payment ${internalReference}`] as const] : []),
    ]
  }
  const { id, internal_reference: reference, merchant_reference, transaction_type } = recordIn(seen)
  const what = transaction_type === 'REFUND' ? 'refund' : 'payment'
  const ids: readonly NamedThing[] =
    typeof reference === 'string'
      ? [
          ['id', String(id), `the ${what} ${reference}`],
          ['internal_reference', reference, `the ${what} ${String(merchant_reference)}`],
        ]
      : []
  return [...ids, ...webhookId(seen, String(reference))]
}

/** A message that is sent again has the id of the first attempt. */
function webhookId({ direction, exchange, requestBody, path, query }: ObservedExchange, reference: string) {
  const id = onlyHeader(exchange.request.headers, 'webhook-id')
  if (direction === 'asked' || id === undefined) return []
  const { event, payload } = fieldsOf(requestBody)
  const { batch_reference: batch } = fieldsOf(payload)
  const thing =
    typeof event === 'string' ? `${event} of ${typeof batch === 'string' ? batch : reference}` : `${path} ${query}`
  return [['webhook-id', id, thing] as const]
}
