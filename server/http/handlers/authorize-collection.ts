import type { components } from '../../../generated/schema.d.ts'
import { authorizeCollection } from '../../actions/authorize-collection.ts'
import { accepted } from '../envelope.ts'
import { REPLAYED } from '../failures.ts'
import type { HandlerDeps, OperationHandler } from './handler.ts'

export const authorizeCollectionHandler =
  (deps: HandlerDeps): OperationHandler =>
  async ({ merchant, body, idempotency }) => {
    const { internal_reference, otp } = body as components['schemas']['AuthorizeCollectionRequest']
    const { internalReference, merchantReference, replayed } = await authorizeCollection(
      deps,
      merchant,
      { internalReference: internal_reference, otp },
      idempotency,
    )
    const data: components['schemas']['CollectionAuthorization'] = {
      internal_reference: internalReference,
      merchant_reference: merchantReference,
      payment_url: deps.paymentUrl(internalReference),
    }
    return accepted('One-time password accepted', data, replayed ? REPLAYED : undefined)
  }
