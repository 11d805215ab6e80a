import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { PaymentSteps } from '../actions/customer-steps.ts'
import type { PaymentView } from '../actions/view-payment.ts'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'
import type { EnteredAccount, Field, PageError, Step } from './page.ts'
import type { TextName } from './speech.ts'
import { secondsUntil } from './text.ts'

export type FormName = 'confirm' | 'retry' | 'otp' | 'newOtp' | 'cancel'

export type FormOutcome =
  /** Done, or no longer possible: the page shows the current state of the payment. */
  | { readonly result: 'next'; readonly from: 'form' | 'new-password' }
  | {
      readonly result: 'again'
      readonly status: 400 | 409 | 429
      readonly error: PageError
      readonly entered?: EnteredAccount
      readonly retryAfterSeconds?: number
    }

/** The actions of a payment's customer, and their limits. */
export interface FormDeps extends Pick<PaymentSteps, 'confirm' | 'retry' | 'submitOtp' | 'sendNewOtp' | 'cancel'> {
  readonly clock: { now(): Date }
}

/** Applies a form to its payment. */
export type Form = (view: PaymentView, fields: URLSearchParams) => Promise<FormOutcome>

const OTP_POSTS_PER_MINUTE = 10
const FIELD_MAX_CHARACTERS = 40
const next: FormOutcome = { result: 'next', from: 'form' }

/** The action of each form on the page. None throws a Refusal: a refusal shows the same step again with an error. */
export function createForms(deps: FormDeps): Readonly<Record<FormName, Form>> {
  const otpPosts = new RateLimiterMemory({ points: OTP_POSTS_PER_MINUTE, duration: 60 })
  return {
    async confirm({ internalReference, step }, fields) {
      if (step.step !== 'choose_bank' && step.step !== 'confirm_phone') return next
      const entered = step.step === 'choose_bank' ? enteredIn(fields) : undefined
      try {
        await (entered
          ? deps.confirm(internalReference, {
              bankCode: entered.bankCode,
              accountNumber: digitsOf(entered.accountNumber),
            })
          : deps.confirm(internalReference))
        return next
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const refused = refusedWith(error, 400, step.step === 'choose_bank')
        return { ...refused, ...(entered && { entered }) }
      }
    },

    retry: retryForm(deps),

    async otp({ internalReference, step }, fields) {
      if (step.step !== 'enter_otp') return next
      const wait = await secondsToWait(otpPosts, internalReference)
      if (wait !== undefined)
        return again(
          429,
          { message: ({ text, seconds }) => text('tooManyTries', { time: seconds(wait) }), field: 'otp' },
          wait,
        )
      const digits = digitsOf(fields.get('otp') ?? '')
      if (!/^\d{6}$/.test(digits)) return again(400, said('otpNeedsDigits', 'otp'))
      const result = await deps.submitOtp(internalReference, Number(digits)).catch(refusalOf)
      if (result instanceof Refusal) return refusedWith(result, 400)
      if (result === 'blocked') return again(400, said('tooManyWrong', 'otp'))
      if (result !== 'wrong') return next
      const tooLate = step.otpExpiresAt !== undefined && deps.clock.now() >= step.otpExpiresAt
      const late = step.nextOtpAt ? 'lateOtp' : 'lateOtpNoMore'
      return again(400, said(tooLate ? late : 'wrongOtp', 'otp'))
    },

    async newOtp({ internalReference, step }) {
      if (step.step !== 'enter_otp') return next
      try {
        return (await deps.sendNewOtp(internalReference)) === 'done' ? { result: 'next', from: 'new-password' } : next
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.code === 'otp_too_soon') return again(409, tooSoon(step, deps.clock.now()))
        return refusedWith(error, 409)
      }
    },

    async cancel({ internalReference }) {
      await deps.cancel(internalReference)
      return next
    },
  }
}

const retryForm =
  (deps: Pick<FormDeps, 'retry'>): Form =>
  async ({ internalReference, step }, fields) => {
    if (step.step !== 'retry') return next
    const byBank = step.banks.length > 0
    const entered = enteredIn(fields)
    const { bankCode, accountNumber, phone } = entered
    const provider = fields.get('provider')
    try {
      await deps.retry(internalReference, {
        ...(phone !== undefined && { phone }),
        ...(provider && { providerCode: provider }),
        ...(byBank && { bank: { bankCode, accountNumber: digitsOf(accountNumber) } }),
      })
      return next
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { ...refusedWith(error, 400, byBank), entered }
    }
  }

type RepeatedForm = Extract<FormOutcome, { result: 'again' }>

const again = (status: 400 | 409 | 429, error: PageError, retryAfterSeconds?: number): RepeatedForm => ({
  result: 'again',
  status,
  error,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})

// The refusal's own text is for the merchant: for a customer, `amount` and `account number` are not fields of a
// request.
const WHERE_ACCOUNT_IS_CHOSEN: Partial<Readonly<Record<RefusalCode, readonly [TextName, Field]>>> = {
  invalid_bank: ['bankMissing', 'bank_code'],
  invalid_account_number: ['accountMissing', 'account_number'],
  daily_limit_exceeded: ['accountOverLimit', 'account_number'],
  too_many_otps: ['accountTooManyOtps', 'account_number'],
  too_many_open_pages: ['accountTooManyPages', 'account_number'],
}
// The shop has chosen the number: it cannot be changed here.
const WHERE_PHONE_IS_GIVEN: Partial<Readonly<Record<RefusalCode, readonly [TextName, Field?]>>> = {
  invalid_phone_number: ['phoneWrong', 'phone'],
  daily_limit_exceeded: ['phoneOverLimit'],
  too_many_otps: ['phoneTooManyOtps'],
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Shows the same step again; when a retry is possible later, the reply says when. */
const refusedWith = (refusal: Refusal, status: 400 | 409, choosesAccount = false): RepeatedForm =>
  again(refusal.code === 'too_many_prompts' ? 429 : status, errorOf(refusal, choosesAccount), refusal.retryAfterSeconds)

/** @param choosesAccount whether the customer can enter another account on this page */
function errorOf({ code, retryAfterSeconds }: Refusal, choosesAccount = false): PageError {
  if (code === 'too_many_prompts')
    return { message: ({ text, wait }) => text('phoneTooManyPrompts', { time: wait(retryAfterSeconds ?? 60) }) }
  const [name, field] = (choosesAccount ? WHERE_ACCOUNT_IS_CHOSEN : WHERE_PHONE_IS_GIVEN)[code] ?? ['notNow']
  return said(name, field)
}

const said = (name: TextName, field?: Field): PageError => ({
  message: ({ text }) => text(name),
  ...(field && { field }),
})

/** Why no other OTP is sent now. */
function tooSoon({ nextOtpAt, otpExpiresAt }: Step<'enter_otp'>, now: Date): PageError {
  if (!nextOtpAt) return said(otpExpiresAt ? 'otpNoMore' : 'otpMayTakeAMoment')
  const wait = secondsUntil(nextOtpAt, now)
  return { message: ({ text, seconds }) => text('waitForPassword', { time: seconds(wait) }) }
}

/** Truncated, so that the page never repeats more than a person types. */
const enteredIn = (fields: URLSearchParams): EnteredAccount => ({
  bankCode: (fields.get('bank_code') ?? '').slice(0, FIELD_MAX_CHARACTERS),
  accountNumber: (fields.get('account_number') ?? '').slice(0, FIELD_MAX_CHARACTERS),
  ...(fields.has('phone') && { phone: (fields.get('phone') ?? '').slice(0, FIELD_MAX_CHARACTERS) }),
})

/** People group digits for reading. */
const digitsOf = (text: string): string => text.replace(/[\s.-]/g, '')

/** Counts a try. @returns undefined when there are tries left in this minute */
async function secondsToWait(limiter: RateLimiterMemory, reference: string): Promise<number | undefined> {
  try {
    await limiter.consume(reference)
    return undefined
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return Math.max(Math.ceil(error.msBeforeNext / 1000), 1)
  }
}
