import { refundCollection } from '../../actions/refund-collection.ts'
import { accepted } from '../envelope.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

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
    const refund = await refundCollection(deps, merchant, request, idempotency)
    return accepted('Refund accepted', referencesOf(refund), refund.replayed)
  }
