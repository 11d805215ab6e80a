import { cancelPayout } from '../../actions/cancel-payout.ts'
import { accepted } from '../envelope.ts'
import { REPLAYED } from '../failures.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const cancelPayoutHandler =
  (deps: HandlerDeps): Handler<'cancelPayout'> =>
  async ({ merchant, body, idempotency }) => {
    const { internalReference, merchantReference, replayed } = await cancelPayout(
      deps,
      merchant,
      body.merchant_reference,
      idempotency,
    )
    return accepted(
      'Payout cancelled',
      { internal_reference: internalReference, merchant_reference: merchantReference },
      replayed ? REPLAYED : undefined,
    )
  }
