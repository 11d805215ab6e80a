import { cancelPayout } from '../../actions/cancel-payout.ts'
import { accepted } from '../envelope.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

export const cancelPayoutHandler =
  (deps: HandlerDeps): Handler<'cancelPayout'> =>
  async ({ merchant, body, idempotency }) => {
    const payout = await cancelPayout(deps, merchant, body.merchant_reference, idempotency)
    return accepted('Payout cancelled', referencesOf(payout), payout.replayed)
  }
