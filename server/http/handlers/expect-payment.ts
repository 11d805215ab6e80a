import { expectPayment } from '../../actions/expect-payment.ts'
import { present } from '../../domain/present.ts'
import { accepted } from '../envelope.ts'
import { referencesOf, type Handler, type HandlerDeps } from './handler.ts'

const EXPIRES_IN = 86_400

export const expectPaymentHandler =
  (deps: HandlerDeps): Handler<'expectPayment'> =>
  async ({ merchant, body, numbers, idempotency, traceparent }) => {
    const { amount, min_amount: min, max_amount: max, customer_name: name, customer_email: email } = body
    const request = {
      providerCode: body.provider_code,
      ...(body.merchant_reference !== 'auto' && { merchantReference: body.merchant_reference }),
      ...(body.customer_reference !== 'auto' && { reference: body.customer_reference }),
      currency: body.currency,
      ...(amount !== undefined && { amount: numbers.get('amount') ?? amount }),
      ...(min !== undefined && { minAmount: numbers.get('min_amount') ?? min }),
      ...(max !== undefined && { maxAmount: numbers.get('max_amount') ?? max }),
      expiresInSeconds: body.expires_in ?? EXPIRES_IN,
      description: body.description,
      ...(name !== undefined && { customerName: name }),
      ...(email !== undefined && { customerEmail: email }),
      traceparent,
    }
    const payment = await expectPayment(deps, merchant, request, idempotency)
    const { reference, expiresAt } = present(payment.typed, 'the reference to be typed')
    return accepted(
      'Payment expected',
      { ...referencesOf(payment), customer_reference: reference, expires_at: expiresAt },
      payment.replayed,
    )
  }
