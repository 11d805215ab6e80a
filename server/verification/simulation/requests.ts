import { initializeCollection, type CollectionRequest } from '../../actions/initialize-collection.ts'
import type { IdempotencyClaim } from '../../actions/ports/idempotency.ts'
import { sendFunds, type PayoutRequest } from '../../actions/send-funds.ts'
import type { Party } from '../../domain/approvals.ts'
import type { Steps } from './habits.ts'
import type { SimulatedDeps } from './process.ts'
import { BANK_PROVIDER, OTP_PROVIDER, PHONE_PROVIDER } from './reference.ts'
import type { Stage } from './stage.ts'

/** A merchant's knowledge of one of its requests. */
export interface SentRequest {
  readonly merchantId: bigint
  readonly reference: string
  /** `unknown`: no reply ever arrived, so the payment may or may not exist. */
  outcome: 'accepted' | 'refused' | 'unknown'
  internalReference?: string
}

export type Send = (deps: SimulatedDeps, claim?: IdempotencyClaim) => Promise<{ readonly internalReference: string }>

/** Sends a merchant's request for a payout. */
export function payout(
  stage: Stage,
  { merchantId, reference }: SentRequest,
  amount: number,
  account: string,
  maker?: Party,
): Send {
  const request: PayoutRequest = {
    merchantReference: reference,
    method: 'MOBILE_MONEY',
    currency: stage.gateway.reference.market.currency,
    amount,
    providerCode: PHONE_PROVIDER,
    account,
    customerName: 'Amina Nakato',
    description: 'a payout of a schedule',
    ...(maker && { maker }),
  }
  return (deps, claim) => sendFunds(deps, stage.gateway.reference.merchant(merchantId), request, claim)
}

/** Sends a merchant's request for a collection that its customer pays in this way. */
export function collection(
  stage: Stage,
  { merchantId, reference }: SentRequest,
  amount: number,
  kind: 'collection' | Steps,
  msisdn: string,
): Send {
  const request: CollectionRequest = {
    method: kind === 'bank' ? 'BANK' : 'MOBILE_MONEY',
    providerCode: {
      collection: PHONE_PROVIDER,
      hosted: PHONE_PROVIDER,
      otp: OTP_PROVIDER,
      otp_page: OTP_PROVIDER,
      bank: BANK_PROVIDER,
    }[kind],
    merchantReference: reference,
    onPaymentPage: kind === 'hosted' || kind === 'otp_page',
    currency: stage.gateway.reference.market.currency,
    amount,
    description: 'a collection of a schedule',
    chargeCustomer: stage.choices.rarely(0.3) === 1,
    allowFinalStatusChange: stage.choices.rarely(0.2) === 0,
    ...(kind !== 'bank' && { msisdn }),
    ...(kind !== 'collection' && kind !== 'otp' && { redirectUrl: 'https://shop.example/' }),
  }
  return (deps, claim) => initializeCollection(deps, stage.gateway.reference.merchant(merchantId), request, claim)
}
