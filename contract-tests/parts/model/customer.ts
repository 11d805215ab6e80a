import { SANDBOX_OTP, WRONG_OTP } from '../../driver/customer.ts'
import { openPage, submitForm } from '../../../server/verification/testing/page-visit.ts'
import { accountOf } from './draft.ts'
import { asksForOtp, OTP_LIFETIME_MS, type Payment } from './payment.ts'
import { Violation } from './violation.ts'
import { knownLimitsOf, usageOf, type PaymentModel, type SystemUnderTest } from './world.ts'

/** Actions of a customer on the payment page; a bank's customer chooses an account with `confirm`. */
export type PageStep =
  | { readonly form: 'confirm'; readonly customer: number; readonly ending: string }
  | { readonly form: 'otp'; readonly right: boolean }
  | { readonly form: 'cancel' }

export function stepWords(step: PageStep): string {
  switch (step.form) {
    case 'otp':
      return `enters the ${step.right ? 'right' : 'wrong'} OTP`
    case 'confirm':
      return `confirms (…${step.ending})`
    case 'cancel':
      return 'cancels'
  }
}

export const otpIsGood = (sentAt: number | undefined, now: number): boolean =>
  sentAt === undefined || now < sentAt + OTP_LIFETIME_MS

/** Uses up an attempt; the last one ends the collection. */
export function otpFails(payment: Payment): void {
  payment.triesLeft -= 1
  if (payment.triesLeft === 0)
    payment.stage = { at: 'ended', status: 'FAILED', message: 'Too many wrong one-time passwords' }
}

/** The customer submits forms, perhaps concurrently. @returns the statuses; undefined: there is no page */
export async function sendForms(
  { target: { url } }: SystemUnderTest,
  payment: Payment,
  steps: readonly PageStep[],
  chosen: (step: PageStep) => Readonly<Record<string, string>>,
): Promise<readonly number[] | undefined> {
  const visit = payment.visit ?? (await open(url, payment))
  if (!visit) return undefined
  payment.visit = visit
  return Promise.all(
    steps.map(async (step) => {
      const response = await submitForm(url, visit, step.form, chosen(step))
      await response.arrayBuffer()
      return response.status
    }),
  )
}

async function open(url: string, payment: Payment): Promise<Payment['visit']> {
  try {
    return await openPage(url, payment.paymentUrl ?? '')
  } catch (error) {
    // A payment that needs nothing of its customer has no form.
    if (payment.stage.at === 'rail' || payment.stage.at === 'ended') return undefined
    throw new Violation(
      'the payment page lets the customer pay',
      `the page of ${payment.reference} (${payment.stage.at}): ${String(error)}`,
    )
  }
}

export function fieldsOf(
  model: PaymentModel,
  { draft: { way } }: Payment,
  step: PageStep,
): Readonly<Record<string, string>> {
  if (step.form === 'otp') return { otp: String(step.right ? SANDBOX_OTP : WRONG_OTP) }
  if (step.form === 'confirm' && way.bankCode !== undefined)
    return { bank_code: way.bankCode, account_number: accountOf(model, way, step.customer, step.ending) }
  return {}
}

/** Applies a step to the model. @returns the expected status of the form */
export function take(model: PaymentModel, real: SystemUnderTest, payment: Payment, step: PageStep): number {
  const { stage, draft } = payment
  if (stage.at !== 'confirmation' && stage.at !== 'otp') return 303
  if (step.form === 'cancel') {
    payment.stage = { at: 'ended', status: 'CANCELLED', message: 'The customer cancelled the payment' }
    return 303
  }
  if (step.form === 'otp') {
    if (stage.at !== 'otp') return 303
    if (step.right && otpIsGood(stage.sentAt, model.now)) payment.stage = { at: 'rail' }
    else otpFails(payment)
    return payment.stage.at === 'otp' ? 400 : 303
  }
  if (stage.at !== 'confirmation') return 303
  const account =
    draft.way.bankCode === undefined ? payment.account : accountOf(model, draft.way, step.customer, step.ending)
  const { atMost } = usageOf(model, real, { providerCode: draft.way.providerCode, type: 'COLLECTION', account })
  const { dailyMinor } = knownLimitsOf(real, draft)
  if (atMost + draft.amountMinor > dailyMinor) return 400
  payment.account = account
  payment.stage = asksForOtp(draft.way, account) ? { at: 'otp' } : { at: 'rail' }
  return 303
}
