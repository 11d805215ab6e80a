import { authorizeCollection } from '../../actions/authorize-collection.ts'
import { accepted } from '../envelope.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

export const authorizeCollectionHandler =
  (deps: HandlerDeps): Handler<'authorizeCollection'> =>
  async ({ merchant, body: { internal_reference, otp }, idempotency }) => {
    const given = { internalReference: internal_reference, otp }
    const collection = await authorizeCollection(deps, merchant, given, idempotency)
    return accepted(
      'One-time password accepted',
      { ...referencesOf(collection), payment_url: deps.paymentUrl(collection.internalReference) },
      collection.replayed,
    )
  }
