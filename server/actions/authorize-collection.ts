import { wrongOtpRefusal } from '../domain/account-bounds.ts'
import { idempotencyWindowStart } from '../domain/idempotency.ts'
import type { Merchant } from '../domain/merchant.ts'
import { INVALID_OTP } from '../domain/payment-session.ts'
import { Refusal } from '../domain/refusal.ts'
import { IdempotencyKeyTaken, once, type IdempotentAcceptance } from './idempotency.ts'
import { submitOtp, type PaymentStepDeps } from './payment-steps.ts'
import type {
  Acknowledgement,
  FirstOutcome,
  IdempotencyClaim,
  IdempotencyStore,
  IdempotencyWrites,
} from './ports/idempotency.ts'
import type { Lookups } from './ports/lookups.ts'

export type AuthorizeDeps = PaymentStepDeps & { readonly lookups: Lookups; readonly idempotency: IdempotencyStore }

interface AuthorizeRequest {
  readonly internalReference: string
  readonly otp: number
}

/**
 * Submits an OTP through the merchant's own form.
 * @throws Refusal `unknown_reference` (also for another merchant's), `not_awaiting_otp`, `invalid_otp`,
 *   `too_many_wrong_otps`, `too_many_prompts`
 */
export const authorizeCollection = (
  deps: AuthorizeDeps,
  merchant: Merchant,
  request: AuthorizeRequest,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> => once(deps, claim, () => authorize(deps, merchant, request, claim))

async function authorize(
  deps: AuthorizeDeps,
  merchant: Merchant,
  { internalReference, otp }: AuthorizeRequest,
  claim?: IdempotencyClaim,
): Promise<Acknowledgement> {
  const payment = await deps.lookups.payment(internalReference)
  const isCollection = payment?.transaction.type === 'COLLECTION' && !payment.transaction.isAttempt
  if (!isCollection || payment.transaction.merchantId !== merchant.id)
    throw new Refusal('unknown_reference', `Collection (${internalReference}) was not found`)
  const accepted: Acknowledgement = {
    internalReference,
    merchantReference: payment.transaction.merchantReference,
    onPaymentPage: true,
  }
  const now = deps.clock.now()
  // A wrong OTP is stored under the idempotency key like a right one: a repeat of the request after a lost reply must
  // not use up another try.
  const whenTried = async (unit: IdempotencyWrites, wasRight: boolean) => {
    if (!claim) return
    const outcome: FirstOutcome = wasRight
      ? { result: 'accepted', accepted }
      : { result: 'refused', code: 'invalid_otp' }
    if (!(await unit.rememberOutcome(claim, outcome, now))) throw new IdempotencyKeyTaken()
  }
  switch (await submitOtp(deps, internalReference, otp, whenTried)) {
    case 'done':
      return accepted
    case 'gone':
      // A concurrent duplicate of this request may have been faster: then its reply is the reply to this one too.
      if (claim && (await deps.idempotency.find(claim, idempotencyWindowStart(now)))) throw new IdempotencyKeyTaken()
      throw new Refusal('not_awaiting_otp', `Collection (${internalReference}) is not waiting for a one-time password`)
    case 'blocked':
      throw wrongOtpRefusal()
    case 'wrong':
    case 'exhausted':
      throw new Refusal('invalid_otp', INVALID_OTP)
  }
}
