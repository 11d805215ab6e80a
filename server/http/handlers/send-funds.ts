import type { components } from '../../../generated/schema.d.ts'
import { sendFunds, type PayoutRequest } from '../../actions/send-funds.ts'
import { accepted } from '../envelope.ts'
import type { NumberTexts } from '../body.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

export const sendFundsHandler =
  (deps: HandlerDeps): Handler<'sendFunds'> =>
  async ({ merchant, body, numbers, idempotency, traceparent }) => {
    const request = { ...toPayoutRequest(body, numbers), traceparent }
    const payout = await sendFunds(deps, merchant, request, idempotency)
    return accepted('Payout accepted', referencesOf(payout), payout.replayed)
  }

/** A payout's body in domain terms. */
export const toPayoutRequest = (body: components['schemas']['PayoutRequest'], numbers: NumberTexts): PayoutRequest => ({
  merchantReference: body.merchant_reference,
  method: body.transaction_method,
  currency: body.currency,
  amount: numbers.get('amount') ?? body.amount,
  providerCode: body.provider_code,
  account: body.account_number,
  customerName: body.customer_name,
  description: body.description,
  ...(body.transaction_method === 'BANK' && {
    bankCode: body.extra_params.bank_code,
    ...(body.extra_params.branch_code !== undefined && { branchCode: body.extra_params.branch_code }),
  }),
})
