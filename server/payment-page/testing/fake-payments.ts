import { randomBytes } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { METHODS } from 'node:http'
import type { BankChoice } from '../../actions/payment-steps.ts'
import type { PaymentStep, PaymentView } from '../../actions/view-payment.ts'
import { money } from '../../domain/money.ts'
import { present } from '../../domain/present.ts'
import { Refusal } from '../../domain/refusal.ts'
import { servePaymentPage, type PaymentPageDeps } from '../payment-page.ts'
import { refusal } from '../../verification/testing/refusal.ts'

// For tests: payments in memory behind the real page, so that each step can be tested without the rest of the gateway.

export const NOW = new Date('2026-11-20T10:00:00Z')
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000)
const bank = (bankCode: string, bankName: string) => ({ providerCode: 'bank_ng', bankCode, bankName, isActive: true })

export const STEPS = {
  choose_bank: {
    step: 'choose_bank',
    banks: [
      bank('access_bank_ng', 'Access Bank'),
      bank('gtbank_ng', 'Guaranty Trust Bank'),
      bank('uba_ng', 'United Bank for Africa'),
    ],
  },
  confirm_phone: { step: 'confirm_phone', account: '256772000123', requiresOtp: false },
  confirm_phone_otp: { step: 'confirm_phone', account: '233241234567', requiresOtp: true },
  enter_otp: {
    step: 'enter_otp',
    account: '233241234567',
    triesLeft: 5,
    otpExpiresAt: later(280),
    nextOtpAt: later(20),
  },
  approve_phone: { step: 'approve', method: 'MOBILE_MONEY', account: '256772000123' },
  approve_bank: { step: 'approve', method: 'BANK', account: '0123456789', institutionName: 'Access Bank' },
  retry: {
    step: 'retry',
    statusMessage: 'Insufficient balance on the customer account',
    failureCode: 'insufficient_funds',
    account: '256772000002',
    providerCode: 'mtn_ug',
    options: [
      { providerCode: 'mtn_ug', providerName: 'MTN Uganda' },
      { providerCode: 'airtel_ug', providerName: 'Airtel Uganda' },
    ],
    banks: [],
  },
  expired: { step: 'expired' },
  suspended: { step: 'suspended' },
  completed: { step: 'final', status: 'COMPLETED', statusMessage: 'Transaction Completed Successfully' },
  failed: {
    step: 'final',
    status: 'FAILED',
    statusMessage: 'Insufficient balance on the customer account',
    failureCode: 'insufficient_funds',
  },
  cancelled: { step: 'final', status: 'CANCELLED', statusMessage: 'The customer cancelled the payment' },
} as const satisfies Record<string, PaymentStep>

let counter = 0
/** Well-formed and new. */
export const newReference = (): string => `MLP${String(++counter).padStart(22, '0').replace(/^0/, 'Z')}`

export const LOGO_DIGEST = '0123456789abcdef0123456789abcdef'
/** A PNG of one pixel. */
export const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export interface FakePayments {
  readonly app: FastifyInstance
  /** The page's calls to the actions, in order. */
  readonly calls: { readonly name: string; readonly reference: string; readonly given?: unknown }[]
  /** @returns its reference */
  add(step: PaymentStep, changes?: Partial<PaymentView>, redirectUrl?: string): string
  /** Advances the payment, as if the rail or another tab had done it. */
  move(reference: string, step: PaymentStep): void
  advance(ms: number): void
}

/** The stored payments, and the recorded calls. */
interface FakeState {
  readonly views: Map<string, PaymentView>
  readonly calls: FakePayments['calls']
  now: number
}

function stepOf({ views }: FakeState, reference: string): PaymentStep {
  return present(views.get(reference), `payment ${reference}`).step
}

function move({ views }: FakeState, reference: string, step: PaymentStep): void {
  views.set(reference, { ...present(views.get(reference), `payment ${reference}`), step })
}

/** @param beforeConfirm for race tests: awaited before a confirmation takes effect */
export function fakePayments(
  changes: Partial<PaymentPageDeps> = {},
  beforeConfirm: () => Promise<void> = async () => {},
): FakePayments {
  const kept: FakeState = { views: new Map(), calls: [], now: NOW.getTime() }
  const deps: PaymentPageDeps = {
    view: async (reference) => kept.views.get(reference),
    async confirm(reference, choice) {
      kept.calls.push({ name: 'confirm', reference, ...(choice && { given: choice }) })
      await beforeConfirm()
      return confirm(kept, reference, choice)
    },
    async retry(reference, choice) {
      kept.calls.push({ name: 'retry', reference, given: choice })
      if (choice.phone === '0') throw new Refusal('invalid_phone_number', 'no number')
      return 'done'
    },
    submitOtp: async (reference, otp) => submitOtp(kept, reference, otp),
    sendNewOtp: async (reference) => sendNewOtp(kept, reference),
    cancel: async (reference) => cancel(kept, reference),
    redirect: async ({ payment: { redirectUrl: url }, step }) => {
      return url === undefined || step.step !== 'final' ? undefined : `${url}?transaction_status=${step.status}`
    },
    logo: async (digest) => (digest === LOGO_DIGEST ? { mediaType: 'image/png', bytes: ONE_PIXEL } : undefined),
    csrfKey: randomBytes(32),
    random: { bytes: (size) => randomBytes(size) },
    clock: { now: () => new Date(kept.now) },
    sandbox: true,
    guessed: async () => undefined,
    sandboxForecast: (account) => (account === '' ? undefined : 'pays'),
    ...changes,
  }
  return {
    app: appWith(deps),
    calls: kept.calls,
    move: (reference, step) => move(kept, reference, step),
    advance: (ms) => {
      kept.now += ms
    },
    add(step, viewChanges = {}, redirectUrl) {
      const reference = newReference()
      const view = newView(reference, step, viewChanges)
      kept.views.set(reference, redirectUrl === undefined ? view : redirecting(view, redirectUrl))
      return reference
    },
  }
}

function appWith(deps: PaymentPageDeps): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false })
  for (const method of METHODS)
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.register(async (scope) => servePaymentPage(scope, deps))
  return app
}

const approve = (method: 'BANK' | 'MOBILE_MONEY', account: string, institutionName?: string): PaymentStep => ({
  step: 'approve',
  method,
  account,
  ...(institutionName !== undefined && { institutionName }),
})

function confirm(kept: FakeState, reference: string, choice: BankChoice | undefined): 'done' | 'gone' {
  const step = stepOf(kept, reference)
  if (step.step === 'confirm_phone') {
    move(kept, reference, approve('MOBILE_MONEY', step.account))
    return 'done'
  }
  if (step.step !== 'choose_bank') return 'gone'
  const chosen = step.banks.find(({ bankCode }) => bankCode === choice?.bankCode)
  if (!choice || !chosen) throw new Refusal('invalid_bank', 'Choose your bank')
  if (!/^[0-9]{6,20}$/.test(choice.accountNumber))
    throw new Refusal('invalid_account_number', 'Enter your account number: 6 to 20 digits')
  if (choice.accountNumber.endsWith('999'))
    throw new Refusal('daily_limit_exceeded', refusal('amount_daily', { '7000000': '2000000', UGX: 'NGN' }))
  move(kept, reference, approve('BANK', choice.accountNumber, chosen.bankName))
  return 'done'
}

function submitOtp(kept: FakeState, reference: string, otp: number): 'done' | 'gone' | 'wrong' | 'exhausted' {
  kept.calls.push({ name: 'submitOtp', reference, given: otp })
  const step = stepOf(kept, reference)
  if (step.step !== 'enter_otp') return 'gone'
  if (otp === 123456) {
    move(kept, reference, approve('MOBILE_MONEY', step.account))
    return 'done'
  }
  const triesLeft = step.triesLeft - 1
  if (triesLeft > 0) {
    move(kept, reference, { ...step, triesLeft })
    return 'wrong'
  }
  move(kept, reference, { step: 'final', status: 'FAILED', statusMessage: 'Too many wrong one-time passwords' })
  return 'exhausted'
}

function sendNewOtp(kept: FakeState, reference: string): 'done' | 'gone' {
  kept.calls.push({ name: 'sendNewOtp', reference })
  const step = stepOf(kept, reference)
  if (step.step !== 'enter_otp') return 'gone'
  const { now } = kept
  if (!step.nextOtpAt || now < step.nextOtpAt.getTime())
    throw new Refusal('otp_too_soon', 'Wait 20 seconds before you ask for another password')
  move(kept, reference, { ...step, otpExpiresAt: new Date(now + 300_000), nextOtpAt: new Date(now + 30_000) })
  return 'done'
}

function cancel(kept: FakeState, reference: string): 'done' | 'gone' {
  kept.calls.push({ name: 'cancel', reference })
  const { step } = stepOf(kept, reference)
  if (step === 'final' || step === 'approve') return 'gone'
  move(kept, reference, STEPS.cancelled)
  return 'done'
}

const redirecting = (view: PaymentView, redirectUrl: string): PaymentView => ({
  ...view,
  payment: { ...view.payment, redirectUrl },
})

/** A currency of a country whose providers have such a step. */
function currencyOf(step: PaymentStep): 'NGN' | 'GHS' | 'UGX' {
  if (step.step === 'choose_bank' || (step.step === 'approve' && step.method === 'BANK')) return 'NGN'
  return step.step === 'enter_otp' || (step.step === 'confirm_phone' && step.requiresOtp) ? 'GHS' : 'UGX'
}

function newView(internalReference: string, step: PaymentStep, changes: Partial<PaymentView>): PaymentView {
  const currency = currencyOf(step)
  const toPay = money(currency === 'UGX' ? 5_000n : 500_000n, currency)
  const account = 'account' in step ? step.account : ''
  const description = 'Two coffees and a slice of cake'
  return {
    internalReference,
    merchantName: 'Duka la Mfano',
    brand: {},
    description,
    providerName: { NGN: 'Nigerian Banks', GHS: 'MTN Ghana', UGX: 'MTN Uganda' }[currency],
    requested: toPay,
    toPay,
    expiresAt: later(29 * 60 + 30),
    isDelayed: false,
    step,
    payment: {
      description,
      transaction: {
        id: 77_123n,
        merchantId: 1n,
        merchantReference: 'ORDER-SECRET-1',
        internalReference,
        type: 'COLLECTION',
        method: currency === 'NGN' ? 'BANK' : 'MOBILE_MONEY',
        providerCode: { NGN: 'bank_ng', GHS: 'mtn_gh', UGX: 'mtn_ug' }[currency],
        account,
        ...('institutionName' in step && { institutionName: step.institutionName }),
        request: toPay,
        amount: toPay,
        chargeMinor: 0n,
        totalMinor: toPay.amountMinor,
        chargeCustomer: false,
        allowFinalStatusChange: false,
        status: 'PENDING',
        statusMessage: '',
        createdAt: later(-30),
        finalAt: NOW,
      },
    },
    ...changes,
  }
}
