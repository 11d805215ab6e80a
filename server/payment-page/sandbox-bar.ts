import { html } from 'ghtml'
import type { PaymentStep } from '../actions/view-payment.ts'
import { PAGE_EXPIRED } from '../domain/payment-session.ts'
import type { PaymentPage, SandboxForecast } from './page.ts'
import type { TextName } from './speech.ts'
import { endOfAccount, strong } from './text.ts'

const FORECASTS: Readonly<Record<SandboxForecast, TextName>> = {
  pays: 'sandboxPays',
  pays_slowly: 'sandboxPaysSlowly',
  pays_late: 'sandboxPaysLate',
  pays_once_reached: 'sandboxPaysOnceReached',
  asks_for_otp: 'sandboxRequiresOtp',
  lacks_money: 'sandboxLacksMoney',
  declines: 'sandboxDeclines',
  gives_no_answer: 'sandboxGivesNoAnswer',
  stays_open: 'sandboxStaysOpen',
}

/** The only OTP that the sandbox accepts. */
const OTP = '123456'

/** Shown above a sandbox payment: no money moves, and these test numbers decide the outcome. */
export function sandboxBar(page: PaymentPage): string {
  const {
    sandbox,
    speech: { say },
    view: { step },
  } = page
  if (!sandbox) return ''
  const otp = step.step === 'enter_otp' ? say('sandboxOtp', { otp: strong(OTP) }) : ''
  return html`
<aside class="sandbox" aria-labelledby="sandbox"><p><strong id="sandbox">!${say('sandboxNoMoney')}</strong> !${whatWillBe(page)} !${otp}</p></aside>`
}

/** Before a number is known it lists the most common outcomes. */
function whatWillBe({ forecast, speech: { say }, view: { step, payment } }: PaymentPage): string {
  if (isOverBeforeItWasSent(step)) return ''
  if (forecast === undefined) return step.step === 'choose_bank' ? say('sandboxTestNumbers') : ''
  return say(FORECASTS[forecast], { digits: html`${endOfAccount(payment.transaction.account)}` })
}

/** The number was never queried: its forecast is not shown. */
const isOverBeforeItWasSent = (step: PaymentStep): boolean =>
  step.step === 'expired' ||
  (step.step === 'final' && (step.status === 'CANCELLED' || step.statusMessage === PAGE_EXPIRED.reason))
