import { checkAmountLimits, dailyLimitRefusal } from '../domain/amount-limits.ts'
import { chargeOf, creditOf } from '../domain/charge.ts'
import { convert } from '../domain/exchange.ts'
import type { Merchant } from '../domain/merchant.ts'
import { money, moneyFromWire, type Currency, type Money } from '../domain/money.ts'
import { phoneNumberFor } from '../domain/phone.ts'
import type { PaymentOption, TransactionMethod } from '../domain/provider.ts'
import { checkRedirectUrl } from '../domain/redirect-url.ts'
import { newInternalReference, newMerchantReference } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { findOption } from './find-option.ts'
import { IdempotencyKeyTaken, once, type Once } from './idempotency.ts'
import type { Acceptance, Accepted, Clock, IdempotencyClaim, IdempotencyStore, NewTransaction, Random, ReferenceData, Wake } from './ports.ts'

export interface CollectionRequest {
  readonly method: TransactionMethod
  readonly providerCode: string
  /** Absent: the gateway makes one (`auto` on the wire). */
  readonly merchantReference?: string
  readonly msisdn?: string
  readonly onPaymentPage: boolean
  readonly currency: Currency
  /** In major units, as it stood on the wire; read into minor units before anything is done with it. */
  readonly amount: number
  readonly description: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly redirectUrl?: string
  readonly chargeCustomer: boolean
  readonly allowFinalStatusChange: boolean
}

export interface InitializeCollectionDeps {
  readonly reference: ReferenceData
  readonly acceptance: Acceptance
  readonly idempotency: IdempotencyStore
  readonly clock: Clock
  readonly random: Random
  readonly wake: Wake
  /** http to loopback is allowed as redirect_url: sandbox mode. */
  readonly allowLoopbackRedirect: boolean
  /** Whether the sandbox would ask this customer for an OTP even where the provider needs none. */
  readonly accountAsksForOtp: (account: string) => boolean
}

/**
 * Accepts a collection: one commit stores it with the work to submit it; the rail hears of it afterwards.
 * @throws Refusal for every business rule it breaks; StorageUnavailable when the database is away
 */
export const initializeCollection = (deps: InitializeCollectionDeps, merchant: Merchant, request: CollectionRequest, claim?: IdempotencyClaim): Promise<Once> =>
  once(deps, claim, () => accept(deps, merchant, request, claim))

async function accept(deps: InitializeCollectionDeps, merchant: Merchant, request: CollectionRequest, claim?: IdempotencyClaim): Promise<Accepted> {
  const option = findOption(deps.reference, merchant, { providerCode: request.providerCode, type: 'COLLECTION', method: request.method })
  const transaction = newCollection(deps, merchant, option, request, claim)
  switch (await deps.acceptance.accept(transaction)) {
    case 'duplicate_reference':
      throw new Refusal('duplicate_reference', `merchant_reference (${transaction.merchantReference}) has already been used`)
    case 'daily_limit_exceeded':
      throw dailyLimitRefusal(money(option.maxDailyAmountMinor, option.currency))
    case 'idempotency_key_taken':
      throw new IdempotencyKeyTaken()
    case 'accepted':
      deps.wake.wake(transaction.firstWork)
      return { internalReference: transaction.internalReference, merchantReference: transaction.merchantReference }
  }
}

function newCollection(deps: InitializeCollectionDeps, merchant: Merchant, option: PaymentOption, request: CollectionRequest, claim?: IdempotencyClaim): NewTransaction {
  const account = payerAccount(deps, option, request)
  const requested = moneyFromWire(request.amount, request.currency)
  const amount = inCurrencyOf(option, requested, deps.reference)
  checkAmountLimits(option, amount)
  const chargeMinor = chargeOf(amount.amountMinor, option)
  const { customerName, customerEmail, redirectUrl } = request
  if (redirectUrl !== undefined) checkRedirectUrl(redirectUrl, deps.allowLoopbackRedirect)
  return {
    merchantId: merchant.id,
    merchantReference: request.merchantReference ?? newMerchantReference(deps.random),
    internalReference: newInternalReference(deps.random),
    type: 'COLLECTION',
    method: option.method,
    providerCode: option.providerCode,
    account,
    request: requested,
    amount,
    chargeMinor,
    totalMinor: creditOf(amount.amountMinor, chargeMinor, request.chargeCustomer),
    chargeCustomer: request.chargeCustomer,
    allowFinalStatusChange: request.allowFinalStatusChange,
    description: request.description,
    ...(customerName !== undefined && { customerName }),
    ...(customerEmail !== undefined && { customerEmail }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.pending,
    createdAt: deps.clock.now(),
    dailyLimitMinor: option.maxDailyAmountMinor,
    firstWork: 'submitToRail',
    ...(claim && { idempotency: claim }),
  }
}

function payerAccount(deps: InitializeCollectionDeps, option: PaymentOption, request: CollectionRequest): string {
  if (request.method === 'BANK') throw new Refusal('not_available_yet', 'Bank collections are not available yet')
  if (request.onPaymentPage) {
    if (request.redirectUrl === undefined) throw new Refusal('missing_field', 'redirect_url is required')
    throw new Refusal('not_available_yet', 'The hosted payment page is not available yet')
  }
  const account = phoneNumberFor(option, request.msisdn ?? '')
  if (option.asksForOtp || deps.accountAsksForOtp(account)) throw new Refusal('not_available_yet', 'Collections that ask for a one-time password are not available yet')
  return account
}

/** @throws Refusal `no_exchange_rate` when the request is in another currency and no rate is configured */
function inCurrencyOf(option: PaymentOption, requested: Money, reference: ReferenceData): Money {
  if (requested.currency === option.currency) return requested
  const rate = reference.rate(requested.currency, option.currency)
  if (!rate) throw new Refusal('no_exchange_rate', `No exchange rate from ${requested.currency} to ${option.currency} is configured`)
  return convert(requested, rate)
}
