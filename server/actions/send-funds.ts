import { destinationOf } from '../domain/destination.ts'
import type { Party } from '../domain/approvals.ts'
import { dailyLimitOf, type MerchantShare } from '../domain/amount-limits.ts'
import { chargeOf } from '../domain/charge.ts'
import { checkDescription, refuseDirectionControls } from '../domain/readable-text.ts'
import type { Merchant } from '../domain/merchant.ts'
import { phoneNumberFor } from '../domain/phone.ts'
import type { PaymentOption, TransactionMethod } from '../domain/provider.ts'
import { newInternalReference, type Random } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { acceptTransaction, amountsOf, type WireAmount, findOption } from './accept-transaction.ts'
import { once, type IdempotentAcceptance } from './idempotency.ts'
import type { Acceptance, NewTransaction } from './ports/acceptance.ts'
import type { Clock } from './ports/clock.ts'
import type { Acknowledgement, IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/** A merchant's request in domain terms. Its amount is as it was on the wire, in major units. */
export interface PayoutRequest extends WireAmount {
  readonly merchantReference: string
  readonly method: TransactionMethod
  readonly providerCode: string
  /** A phone number for mobile money, an account number at a bank. */
  readonly account: string
  readonly customerName: string
  readonly description: string
  /** Bank payouts only. */
  readonly bankCode?: string
  readonly branchCode?: string
  /** Who made it. Absent: whoever has the API key. */
  readonly maker?: Party
  /** The span of the request, if its trace is sampled. */
  readonly traceparent?: string | undefined
}

export interface SendFundsDeps {
  readonly reference: ReferenceData
  readonly acceptance: Acceptance
  readonly idempotency: IdempotencyStore
  readonly clock: Clock
  readonly random: Random
  readonly dailyLimitShare: MerchantShare
}

/**
 * Accepts a payout. Nothing moves yet: first its merchant's approver decides, if a rule covers it, then the merchant's
 * verification URL is called, then the money is held, then the order is sent to the rail.
 * @throws Refusal for every business rule it breaks. An empty wallet is not one of them: it fails the payout later
 */
export const sendFunds = (
  deps: SendFundsDeps,
  merchant: Merchant,
  request: PayoutRequest,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> => once(deps, claim, () => accept(deps, merchant, request, claim))

async function accept(
  deps: SendFundsDeps,
  merchant: Merchant,
  request: PayoutRequest,
  claim?: IdempotencyClaim,
): Promise<Acknowledgement> {
  const { payout, option } = preparePayout(deps, merchant, request, claim)
  await acceptTransaction(deps, payout, option)
  const { internalReference, merchantReference } = payout
  return { internalReference, merchantReference, onPaymentPage: false }
}

export interface PreparedPayout {
  readonly payout: NewTransaction
  readonly option: PaymentOption
}

/** A payout as it would be stored. @throws Refusal for every business rule that needs no look at other payments */
export function preparePayout(
  deps: Omit<SendFundsDeps, 'acceptance'>,
  merchant: Merchant,
  request: PayoutRequest,
  claim?: IdempotencyClaim,
): PreparedPayout {
  checkDescription(request.description)
  refuseDirectionControls({ customer_name: request.customerName, description: request.description })
  const option = findOption(deps.reference, merchant, {
    providerCode: request.providerCode,
    type: 'PAYOUT',
    method: request.method,
  })
  return { payout: newPayout(deps, merchant, option, request, claim), option }
}

function newPayout(
  deps: Omit<SendFundsDeps, 'acceptance'>,
  merchant: Merchant,
  option: PaymentOption,
  request: PayoutRequest,
  claim?: IdempotencyClaim,
): NewTransaction {
  const account = request.method === 'BANK' ? request.account : phoneNumberFor(option, request.account)
  if (request.method === 'BANK') checkBank(deps.reference, option, request.bankCode ?? '')
  const { requested, amount } = amountsOf(option, request, deps.reference)
  if (merchant.verificationUrl === undefined)
    throw new Refusal('no_verification_url', 'No verification URL is configured for payouts')
  const chargeMinor = chargeOf(amount.amountMinor, option)
  const now = deps.clock.now()
  return {
    merchantId: merchant.id,
    merchantReference: request.merchantReference,
    internalReference: newInternalReference(deps.random, now),
    type: 'PAYOUT',
    method: option.method,
    providerCode: option.providerCode,
    account,
    request: requested,
    amount,
    chargeMinor,
    totalMinor: amount.amountMinor + chargeMinor,
    chargeCustomer: false,
    allowFinalStatusChange: true,
    customerName: request.customerName,
    description: request.description,
    ...(request.bankCode !== undefined && { bankCode: request.bankCode }),
    ...(request.branchCode !== undefined && { branchCode: request.branchCode }),
    traceparent: request.traceparent,
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.pending,
    createdAt: now,
    dailyLimit: dailyLimitOf(option, deps.dailyLimitShare),
    firstJob: { kind: 'verifyPayout', dueAt: now, destination: destinationOf(merchant.id, 'VERIFICATION') },
    ...(claim && { idempotency: claim }),
    ...(request.maker && { maker: request.maker }),
  }
}

function checkBank(reference: ReferenceData, { providerCode }: PaymentOption, bankCode: string): void {
  const bank = reference.banks(providerCode).find((candidate) => candidate.bankCode === bankCode)
  if (!bank) throw new Refusal('invalid_bank', `Invalid bank code (${bankCode})`)
  if (!bank.isActive) throw new Refusal('invalid_bank', `Invalid bank code (${bankCode}): inactive`)
}
