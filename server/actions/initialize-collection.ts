import { checkAmountLimits } from '../domain/amount-limits.ts'
import { chargeOf, creditOf } from '../domain/charge.ts'
import type { Merchant } from '../domain/merchant.ts'
import { moneyFromWire, type Currency } from '../domain/money.ts'
import { newSession, withOtp } from '../domain/payment-session.ts'
import { phoneNumberFor } from '../domain/phone.ts'
import type { PaymentOption, TransactionMethod } from '../domain/provider.ts'
import { checkRedirectHost } from '../domain/redirect-hosts.ts'
import { checkRedirectUrl } from '../domain/redirect-url.ts'
import { newInternalReference, newMerchantReference } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { acceptTransaction, inCurrencyOf } from './accept-transaction.ts'
import { findOption } from './find-option.ts'
import { once, type Once } from './idempotency.ts'
import type { Acceptance, Accepted, Clock, IdempotencyClaim, IdempotencyStore, NewTransaction, OneTimePasswords, Random, ReferenceData, Wake } from './ports.ts'

export interface CollectionRequest {
  readonly method: TransactionMethod
  readonly providerCode: string
  /** Absent: the gateway makes one (`auto` on the wire). */
  readonly merchantReference?: string
  readonly msisdn?: string
  /** Mobile money through the hosted page; bank collections always use it. */
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
  readonly otps: OneTimePasswords
  readonly clock: Clock
  readonly random: Random
  readonly wake: Wake
  /** http to loopback is allowed as redirect_url: sandbox mode. */
  readonly allowLoopbackRedirect: boolean
  /** Whether the sandbox asks this customer for an OTP even where the provider needs none. */
  readonly accountAsksForOtp: (account: string) => boolean
}

/**
 * Accepts a collection: one commit stores it with its first work; the rail, or the customer's phone, hears of it afterwards.
 * @throws Refusal for every business rule it breaks; StorageUnavailable when the database is away
 */
export const initializeCollection = (deps: InitializeCollectionDeps, merchant: Merchant, request: CollectionRequest, claim?: IdempotencyClaim): Promise<Once> =>
  once(deps, claim, () => accept(deps, merchant, request, claim))

async function accept(deps: InitializeCollectionDeps, merchant: Merchant, request: CollectionRequest, claim?: IdempotencyClaim): Promise<Accepted> {
  const option = findOption(deps.reference, merchant, { providerCode: request.providerCode, type: 'COLLECTION', method: request.method })
  const { transaction, otp } = newCollection(deps, merchant, option, request, claim)
  await acceptTransaction(deps, transaction, option)
  if (otp !== undefined) await deps.otps.send(transaction.account, otp)
  deps.wake.wake(transaction.firstWork.kind)
  const { internalReference, merchantReference, session } = transaction
  return { internalReference, merchantReference, onPaymentPage: session !== undefined }
}

interface NewCollection {
  readonly transaction: NewTransaction
  /** To be sent to the customer once the collection is stored. */
  readonly otp?: number
}

function newCollection(deps: InitializeCollectionDeps, merchant: Merchant, option: PaymentOption, request: CollectionRequest, claim?: IdempotencyClaim): NewCollection {
  const onPage = request.onPaymentPage || request.method === 'BANK'
  const account = request.method === 'BANK' ? '' : phoneNumberFor(option, request.msisdn ?? '')
  const requested = moneyFromWire(request.amount, request.currency)
  const amount = inCurrencyOf(option, requested, deps.reference)
  checkAmountLimits(option, amount)
  const { customerName, customerEmail, redirectUrl } = request
  if (onPage && redirectUrl === undefined) throw new Refusal('missing_field', 'redirect_url is required')
  if (redirectUrl !== undefined) {
    checkRedirectUrl(redirectUrl, deps.allowLoopbackRedirect)
    checkRedirectHost(redirectUrl, merchant.redirectHosts)
  }

  const now = deps.clock.now()
  const internalReference = newInternalReference(deps.random)
  const otp = !onPage && (option.asksForOtp || deps.accountAsksForOtp(account)) ? deps.otps.issue() : undefined
  const session = otp !== undefined ? withOtp(newSession(now), deps.otps.digest(internalReference, otp), now) : onPage ? newSession(now) : undefined
  const chargeMinor = chargeOf(amount.amountMinor, option)
  const transaction: NewTransaction = {
    merchantId: merchant.id,
    merchantReference: request.merchantReference ?? newMerchantReference(deps.random),
    internalReference,
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
    createdAt: now,
    dailyLimitMinor: option.maxDailyAmountMinor,
    firstWork: session ? { kind: 'expirePage', dueAt: session.expiresAt } : { kind: 'submitToRail', dueAt: now },
    ...(session && { session }),
    ...(claim && { idempotency: claim }),
  }
  return { transaction, ...(otp !== undefined && { otp }) }
}
