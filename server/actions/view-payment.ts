import type { Brand } from '../domain/brand.ts'
import type { FailureCode } from '../domain/failure-code.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Money } from '../domain/money.ts'
import { money } from '../domain/money.ts'
import { nextOtpAt, OTP_LIFETIME_MS } from '../domain/payment-session.ts'
import type { Bank, PaymentOption, TransactionMethod } from '../domain/provider.ts'
import type { TransactionStatus } from '../domain/transaction.ts'
import type { Clock } from './ports/clock.ts'
import type { Lookups, Payment } from './ports/lookups.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import { retryOptions } from './retry-choice.ts'

/**
 * The customer's next step. An OTP without `otpExpiresAt` is still on its way. `requiresOtp`: an OTP comes first, and
 * the prompt after it. `expired`: the thirty minutes are over, the state follows in a moment. `suspended`: its merchant
 * is, so that no step can be taken now.
 */
export type PaymentStep =
  | { readonly step: 'choose_bank'; readonly banks: readonly Bank[] }
  | { readonly step: 'confirm_phone'; readonly account: string; readonly requiresOtp: boolean }
  | {
      readonly step: 'enter_otp'
      readonly account: string
      readonly triesLeft: number
      readonly otpExpiresAt?: Date
      readonly nextOtpAt?: Date
    }
  | {
      readonly step: 'approve'
      readonly method: TransactionMethod
      readonly account: string
      readonly institutionName?: string
    }
  | {
      readonly step: 'retry'
      /** Why the last attempt failed. */
      readonly statusMessage: string
      readonly failureCode?: FailureCode
      readonly account: string
      readonly providerCode: string
      /** The providers to choose from, for mobile money. */
      readonly options: readonly Pick<PaymentOption, 'providerCode' | 'providerName'>[]
      readonly banks: readonly Bank[]
    }
  | { readonly step: 'expired' }
  | { readonly step: 'suspended' }
  | {
      readonly step: 'final'
      readonly status: Extract<TransactionStatus, 'COMPLETED' | 'FAILED' | 'CANCELLED'>
      readonly statusMessage: string
      readonly failureCode?: FailureCode
    }

/** A collection as its customer sees it on the payment page: only what the customer knows or needs. */
export interface PaymentView {
  readonly internalReference: string
  readonly merchantName: string
  readonly brand: Brand
  readonly description: string
  readonly providerName: string
  /** The amount of the merchant's request, in the merchant's currency. */
  readonly requested: Money
  /** The customer's total, in the provider's currency. */
  readonly toPay: Money
  /** The charge within the total; absent when the merchant bears it. */
  readonly charge?: Money
  readonly expiresAt?: Date
  /** The operator does not answer now: the payment waits. */
  readonly isDelayed: boolean
  readonly step: PaymentStep
  /** The operator's own number of a completed payment, which its customer has by message too. */
  readonly receipt?: string
  /** For the redirect of a final collection. */
  readonly payment: Payment
}

interface ViewDeps {
  readonly lookups: Lookups
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly accountRequiresOtp: (account: string) => boolean
}

/** @returns undefined for a reference that does not exist, and for anything but a collection */
export async function viewPayment(deps: ViewDeps, internalReference: string): Promise<PaymentView | undefined> {
  const { lookups, reference, clock } = deps
  const payment = await lookups.payment(internalReference)
  if (payment?.transaction.type !== 'COLLECTION' || payment.transaction.isAttempt) return undefined
  const { transaction, session, description } = payment
  const { currency } = transaction.amount
  const option = reference.option(transaction.providerCode, 'COLLECTION')
  const merchant = await reference.merchantById(transaction.merchantId)
  const receipt = transaction.status === 'COMPLETED' ? receiptIn(await lookups.externalIds(transaction.id)) : undefined
  return {
    internalReference,
    merchantName: merchant?.name ?? '',
    brand: brandOf(merchant),
    description,
    providerName: option?.providerName ?? transaction.providerCode,
    requested: transaction.request,
    toPay: transaction.chargeCustomer
      ? money(transaction.amount.amountMinor + transaction.chargeMinor, currency)
      : transaction.amount,
    ...(transaction.chargeCustomer && { charge: money(transaction.chargeMinor, currency) }),
    ...(session && { expiresAt: session.expiresAt }),
    isDelayed: option?.isDown === true,
    step: stepOf(payment, merchant, deps, clock.now()),
    ...(receipt !== undefined && { receipt }),
    payment,
  }
}

/** The operators' names of the number that the customer sees too. */
const RECEIPTS = ['MpesaReceiptNumber', 'financialTransactionId', 'receipt'] as const

const receiptIn = (ids: Readonly<Record<string, string>>): string | undefined =>
  RECEIPTS.map((name) => ids[name]).find((receipt) => receipt !== undefined)

const brandOf = ({ brandColour, logoDigest, supportContact }: Partial<Merchant> = {}): Brand => ({
  ...(brandColour !== undefined && { colour: brandColour }),
  ...(logoDigest !== undefined && { logoDigest }),
  ...(supportContact !== undefined && { supportContact }),
})

function stepOf(
  { transaction, session, lastAttempt }: Payment,
  merchant: Merchant | undefined,
  deps: ViewDeps,
  now: Date,
): PaymentStep {
  const { reference, accountRequiresOtp } = deps
  const { status, statusMessage, failureCode, method, account, institutionName } = transaction
  if (status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED')
    return { step: 'final', status, statusMessage, ...(failureCode !== undefined && { failureCode }) }
  if (!session || session.awaits === 'nothing' || (status === 'PROCESSING' && !session.retries))
    return { step: 'approve', method, account, ...(institutionName !== undefined && { institutionName }) }
  if (now >= session.expiresAt) return { step: 'expired' }
  if (merchant?.suspendedAt) return { step: 'suspended' }
  if (session.awaits === 'otp') {
    const next = nextOtpAt(session)
    const sentAt = session.otp?.sentAt
    return {
      step: 'enter_otp',
      account,
      triesLeft: session.otpTriesLeft,
      ...(sentAt && { otpExpiresAt: new Date(sentAt.getTime() + OTP_LIFETIME_MS) }),
      ...(next && { nextOtpAt: next }),
    }
  }
  const banks = () => reference.banks(transaction.providerCode).filter(({ isActive }) => isActive)
  if (session.awaits === 'retry')
    return {
      step: 'retry',
      statusMessage: lastAttempt?.statusMessage ?? '',
      ...(lastAttempt?.failureCode !== undefined && { failureCode: lastAttempt.failureCode }),
      account,
      providerCode: transaction.providerCode,
      options:
        merchant && method !== 'BANK'
          ? retryOptions(deps, merchant, transaction).map(({ providerCode, providerName }) => ({
              providerCode,
              providerName,
            }))
          : [],
      banks: method === 'BANK' ? banks() : [],
    }
  if (method === 'BANK') return { step: 'choose_bank', banks: banks() }
  const requiresOtp =
    reference.option(transaction.providerCode, 'COLLECTION')?.requiresOtp === true || accountRequiresOtp(account)
  return { step: 'confirm_phone', account, requiresOtp }
}
