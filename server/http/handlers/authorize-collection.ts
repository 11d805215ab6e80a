import { authorizeCollection } from '../../actions/authorize-collection.ts'
import { accepted } from '../envelope.ts'
import { REPLAYED } from '../failures.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const authorizeCollectionHandler =
  (deps: HandlerDeps): Handler<'authorizeCollection'> =>
  async ({ merchant, body: { internal_reference, otp }, idempotency }) => {
    const { internalReference, merchantReference, replayed } = await authorizeCollection(
      deps,
      merchant,
      { internalReference: internal_reference, otp },
      idempotency,
    )
    return accepted(
      'One-time password accepted',
      {
        internal_reference: internalReference,
        merchant_reference: merchantReference,
        payment_url: deps.paymentUrl(internalReference),
      },
      replayed ? REPLAYED : undefined,
    )
  }
