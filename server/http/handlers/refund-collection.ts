import { refundCollection } from '../../actions/refund-collection.ts'
import { accepted } from '../envelope.ts'
import { REPLAYED } from '../failures.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const refundCollectionHandler =
  (deps: HandlerDeps): Handler<'refundCollection'> =>
  async ({ merchant, body, numbers, idempotency, traceparent }) => {
    const { amount } = body
    const request = {
      merchantReference: body.merchant_reference,
      collectionReference: body.collection_reference,
      ...(amount !== undefined && { amount: numbers.get('amount') ?? amount }),
      reason: body.reason,
      traceparent,
    }
    const { internalReference, merchantReference, replayed } = await refundCollection(
      deps,
      merchant,
      request,
      idempotency,
    )
    return accepted(
      'Refund accepted',
      { internal_reference: internalReference, merchant_reference: merchantReference },
      replayed ? REPLAYED : undefined,
    )
  }
