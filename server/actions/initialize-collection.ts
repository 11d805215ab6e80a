import { openPage, otpSend, prompt, type AccountBounds } from '../domain/account-bounds.ts'
import { dailyLimitOf, type MerchantShare } from '../domain/amount-limits.ts'
import { collectionChargeOf, creditOf } from '../domain/charge.ts'
import { checkDescription, refuseDirectionControls } from '../domain/readable-text.ts'
import type { Merchant } from '../domain/merchant.ts'
import { beginsOnPage, newSession, nextSend, withOtp } from '../domain/payment-session.ts'
import { phoneNumberFor } from '../domain/phone.ts'
import type { PaymentOption, TransactionMethod } from '../domain/provider.ts'
import { checkRedirectHost, checkRedirectUrl } from '../domain/redirect-url.ts'
import { newInternalReference, newMerchantReference, type Random } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { acceptTransaction, amountsOf, type WireAmount, findOption } from './accept-transaction.ts'
import { once, type IdempotentAcceptance } from './idempotency.ts'
import type { Acceptance, NewTransaction } from './ports/acceptance.ts'
import type { Clock } from './ports/clock.ts'
import type { Acknowledgement, IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'
import type { OneTimePasswords } from './ports/one-time-passwords.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/** A merchant's request in domain terms. Its amount is as it was on the wire, in major units. */
export interface CollectionRequest extends WireAmount {
  readonly method: TransactionMethod
  readonly providerCode: string
  /** Absent: the gateway generates one (`auto` on the wire). */
  readonly merchantReference?: string
  readonly msisdn?: string
  /** Mobile money through the hosted page; bank collections always use it. */
  readonly onPaymentPage: boolean
  readonly description: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly redirectUrl?: string
  readonly chargeCustomer: boolean
  readonly allowFinalStatusChange: boolean
  /** The span of the request, if its trace is sampled. */
  readonly traceparent?: string | undefined
}

export interface InitializeCollectionDeps {
  readonly reference: ReferenceData
  readonly acceptance: Acceptance
  readonly idempotency: IdempotencyStore
  readonly otps: OneTimePasswords
  readonly clock: Clock
  readonly random: Random
  /** Sandbox mode: redirect_url may be http to loopback. */
  readonly allowLoopbackRedirect: boolean
  /** Sandbox: whether this customer needs an OTP even where the provider requires none. */
  readonly accountRequiresOtp: (account: string) => boolean
  readonly accountBounds: AccountBounds
  readonly dailyLimitShare: MerchantShare
}

/**
 * Accepts a collection. One commit stores it with its first job; only afterwards does the rail, or the customer's
 * phone, receive anything.
 * @throws Refusal for every business rule it breaks; StorageUnavailable when the database is unavailable
 */
export const initializeCollection = (
  deps: InitializeCollectionDeps,
  merchant: Merchant,
  request: CollectionRequest,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> => once(deps, claim, () => accept(deps, merchant, request, claim))

async function accept(
  deps: InitializeCollectionDeps,
  merchant: Merchant,
  request: CollectionRequest,
  claim?: IdempotencyClaim,
): Promise<Acknowledgement> {
  checkDescription(request.description)
  refuseDirectionControls({ description: request.description, customer_name: request.customerName })
  const option = findOption(deps.reference, merchant, {
    providerCode: request.providerCode,
    type: 'COLLECTION',
    method: request.method,
  })
  const transaction = newCollection(deps, merchant, option, request, claim)
  await acceptTransaction(deps, transaction, option)
  const { internalReference, merchantReference, session } = transaction
  return { internalReference, merchantReference, onPaymentPage: beginsOnPage(session) }
}

function newCollection(
  deps: InitializeCollectionDeps,
  merchant: Merchant,
  option: PaymentOption,
  request: CollectionRequest,
  claim?: IdempotencyClaim,
): NewTransaction {
  const onPage = request.onPaymentPage || request.method === 'BANK'
  const account = request.method === 'BANK' ? '' : phoneNumberFor(option, request.msisdn ?? '')
  const { requested, amount } = amountsOf(option, request, deps.reference)
  const { customerName, customerEmail, redirectUrl } = request
  if (onPage && redirectUrl === undefined) throw new Refusal('missing_field', 'redirect_url is required')
  if (redirectUrl !== undefined) {
    checkRedirectUrl(redirectUrl, deps.allowLoopbackRedirect)
    checkRedirectHost(redirectUrl, merchant.redirectHosts)
  }

  const now = deps.clock.now()
  const internalReference = newInternalReference(deps.random, now)
  const requiresOtp = !onPage && (option.requiresOtp || deps.accountRequiresOtp(account))
  const chargeMinor = collectionChargeOf(amount.amountMinor, option, request.chargeCustomer)
  return {
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
    traceparent: request.traceparent,
    status: 'PENDING',
    statusMessage: requiresOtp ? STATUS_MESSAGES.awaitingOtp : STATUS_MESSAGES.pending,
    createdAt: now,
    ...(onPage
      ? onThePage(deps, merchant, account, now)
      : {
          dailyLimit: dailyLimitOf(option, deps.dailyLimitShare),
          ...(requiresOtp ? throughOtp(deps, internalReference, now) : straightToRail(deps, now)),
        }),
    ...(claim && { idempotency: claim }),
  }
}

/** The next step of a collection after acceptance. */
type NextSteps = Pick<NewTransaction, 'session' | 'uses' | 'firstJob' | 'furtherJob'>

/** Its prompt counts from here: the order goes to the rail in a moment. */
const straightToRail = ({ accountBounds }: InitializeCollectionDeps, now: Date): NextSteps => ({
  uses: [prompt(accountBounds, now)],
  firstJob: { kind: 'submitToRail', dueAt: now },
})

/**
 * Counts toward the daily limit only when its customer confirms. Until then the number of open pages per account
 * number is bounded instead: a third party can open pages.
 */
function onThePage(
  { accountBounds }: InitializeCollectionDeps,
  { pageRetries }: Merchant,
  account: string,
  now: Date,
): NextSteps {
  const session = { ...newSession(now), ...(pageRetries === true && { retries: true as const }) }
  // A bank's account number is not known yet.
  return {
    session,
    firstJob: { kind: 'expirePage', dueAt: session.expiresAt },
    ...(account !== '' && { uses: [openPage(session, accountBounds)] }),
  }
}

function throughOtp(
  { otps, accountBounds }: InitializeCollectionDeps,
  internalReference: string,
  now: Date,
): NextSteps {
  const session = newSession(now)
  const send = nextSend(session)
  return {
    session: withOtp(session, otps.digest(internalReference, otps.issue(internalReference, send))),
    uses: [otpSend(send, accountBounds, now)],
    firstJob: { kind: 'expirePage', dueAt: session.expiresAt },
    furtherJob: { kind: 'sendOtp', dueAt: now },
  }
}
