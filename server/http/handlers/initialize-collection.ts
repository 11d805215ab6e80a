import type { components } from '../../../generated/schema.d.ts'
import { initializeCollection, type CollectionRequest } from '../../actions/initialize-collection.ts'
import { accepted } from '../envelope.ts'
import type { NumberTexts } from '../body.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

export const initializeCollectionHandler =
  (deps: HandlerDeps): Handler<'initializeCollection'> =>
  async ({ merchant, body, numbers, idempotency, traceparent }) => {
    const request = { ...toRequest(body, numbers), traceparent }
    const collection = await initializeCollection(deps, merchant, request, idempotency)
    return accepted(
      'Collection accepted',
      {
        ...referencesOf(collection),
        ...(collection.onPaymentPage && { payment_url: deps.paymentUrl(collection.internalReference) }),
      },
      collection.replayed,
    )
  }

/** Drops card_cipher: no card provider exists, and what is never copied cannot leak. */
const toRequest = (body: components['schemas']['CollectionRequest'], numbers: NumberTexts): CollectionRequest => ({
  method: body.transaction_method,
  providerCode: body.provider_code,
  ...(body.merchant_reference !== 'auto' && { merchantReference: body.merchant_reference }),
  ...(body.msisdn !== undefined && { msisdn: body.msisdn }),
  onPaymentPage: body.mobile_money_hpp ?? false,
  currency: body.currency,
  amount: numbers.get('amount') ?? body.amount,
  description: body.description,
  ...(body.customer_name !== undefined && { customerName: body.customer_name }),
  ...(body.customer_email !== undefined && { customerEmail: body.customer_email }),
  ...(body.redirect_url !== undefined && { redirectUrl: body.redirect_url }),
  chargeCustomer: body.charge_customer ?? false,
  allowFinalStatusChange: body.allow_final_status_change ?? true,
})
