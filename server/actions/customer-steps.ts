import {
  cancelPayment,
  confirmPayment,
  retryPayment,
  sendNewOtp,
  submitOtp,
  type BankChoice,
  type PaymentStepDeps,
} from './payment-steps.ts'
import type { LegacySigner } from './ports/legacy-signer.ts'
import type { Lookups } from './ports/lookups.ts'
import { present } from '../domain/present.ts'
import { redirectCustomer } from './redirect-customer.ts'
import { chooseAgain, type RetryChoice } from './retry-choice.ts'
import { viewPayment } from './view-payment.ts'

/** What the payment page lets a customer do. */
export type PaymentSteps = ReturnType<typeof createPaymentSteps>

/**
 * The use cases of the payment page, with their dependencies bound. All throw Refusal when a business rule is broken.
 */
export const createPaymentSteps = (
  deps: PaymentStepDeps & { readonly lookups: Lookups; readonly signer: LegacySigner },
) => ({
  view: (internalReference: string) => viewPayment(deps, internalReference),
  confirm: (internalReference: string, choice?: BankChoice) => confirmPayment(deps, internalReference, choice),
  async retry(internalReference: string, choice: RetryChoice) {
    const payment = await deps.lookups.payment(internalReference)
    if (!payment) return 'gone' as const
    const merchant = present(await deps.reference.merchantById(payment.transaction.merchantId), 'the merchant')
    return retryPayment(deps, internalReference, (collection) => chooseAgain(deps, merchant, collection, choice))
  },
  submitOtp: (internalReference: string, otp: number) => submitOtp(deps, internalReference, otp),
  sendNewOtp: (internalReference: string) => sendNewOtp(deps, internalReference),
  cancel: (internalReference: string) => cancelPayment(deps, internalReference),
  /** Signed address of the merchant's own page, once the collection is final and has one. */
  async redirect(internalReference: string) {
    const payment = await deps.lookups.payment(internalReference)
    return payment && redirectCustomer(deps, payment)
  },
})
