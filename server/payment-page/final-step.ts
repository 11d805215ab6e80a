import { html } from 'ghtml'
import type { FailureCode } from '../domain/failure-code.ts'
import { money } from '../domain/money.ts'
import { OTP_EXHAUSTED, PAGE_EXPIRED, PAGE_LIFETIME_MS } from '../domain/payment-session.ts'
import { backButton } from './back-button.ts'
import type { PaymentPage, Step, StepView } from './page.ts'
import { providerMark } from './provider-mark.ts'
import type { TextName } from './speech.ts'
import { endOfAccount, named, payingThrough, plainLine, strong } from './text.ts'

/** The outcome of a payment, and the way back to the merchant. */
export function finalStep(page: PaymentPage, step: Step<'final'>): StepView {
  const { status, statusMessage } = step
  const { view, speech } = page
  const { text, say } = speech
  const merchant = named(view.merchantName)
  const ended = (tone: StepView['tone'], heading: TextName, content: string): StepView => ({
    heading: text(heading),
    tone,
    content,
    mayCancel: false,
  })
  switch (status) {
    case 'COMPLETED':
      return ended(
        'good',
        'completedHeading',
        html`<p>!${say('youPaid', { amount: strong(speech.amount(view.toPay)), merchant })}</p>!${receipt(page)}!${wayBack(page, 'mayCloseNow')}`,
      )
    case 'FAILED':
      if (statusMessage === PAGE_EXPIRED.reason)
        return ended(
          'calm',
          'expiredHeading',
          html`<p>!${say('expiredText', { time: speech.minutes(PAGE_LIFETIME_MS) })}</p>!${wayBack(page, 'startAgain')}`,
        )
      return ended('bad', 'failedHeading', html`!${whyFailed(page, step)}!${wayBack(page, 'tryAgain')}`)
    case 'CANCELLED':
      return ended('calm', 'cancelledHeading', html`<p>!${say('nothingTaken')}</p>!${wayBack(page, 'stillWantToPay')}`)
  }
}

/** Codes that no collection has. */
const OF_PAYOUTS = [
  'handshake_unanswered',
  'approval_refused',
  'approval_expired',
  'merchant_cancelled',
  'no_float',
  'operator_unreachable',
] as const

const REASONS: Readonly<Record<Exclude<FailureCode, (typeof OF_PAYOUTS)[number]>, TextName>> = {
  insufficient_funds: 'failInsufficientFunds',
  declined: 'failDeclined',
  expired: 'failExpired',
  cancelled: 'failCancelled',
  limit_reached: 'failLimitReached',
  account_not_found: 'failAccountNotFound',
  account_blocked: 'failAccountBlocked',
  not_allowed: 'failNotAllowed',
  operator_error: 'failOperatorError',
}

type Failed = Pick<Step<'final'>, 'statusMessage' | 'failureCode'>

/** Uses our own wording for a known code: an operator's text is meant for integrators, such as `PAYER_NOT_FOUND`. */
export function whyFailed({ view, speech: { say } }: PaymentPage, step: Failed): string {
  const provider = named(payingThrough(view))
  const name = reasonOf(step)
  if (name === undefined) {
    const reason = html`<strong lang="en">${plainLine(step.statusMessage)}</strong>`
    return html`<p>!${say('providerSays', { provider, reason })}</p>`
  }
  // A customer who approves at the last moment may have paid although the operator did not report it in time.
  const money =
    name === 'failExpired' ? say('approvedLate', { merchant: named(view.merchantName) }) : say('nothingTaken')
  return html`<p><strong>!${say(name, { provider })}.</strong></p><p>!${money}</p>`
}

const isOfPayouts = (code: FailureCode): code is (typeof OF_PAYOUTS)[number] =>
  OF_PAYOUTS.some((other) => other === code)

function reasonOf({ statusMessage, failureCode }: Failed): TextName | undefined {
  if (statusMessage === OTP_EXHAUSTED.reason) return 'failTooManyOtps'
  return failureCode === undefined || isOfPayouts(failureCode) ? undefined : REASONS[failureCode]
}

/** A receipt that a customer can keep, or show to the merchant. */
function receipt({ view, speech }: PaymentPage): string {
  const { refundedMinor, transaction } = view.payment
  const { account, finalAt, createdAt, institutionName, providerCode, amount } = transaction
  const rows: readonly (readonly [TextName, string])[] = [
    ['receiptDate', html`${speech.moment(finalAt ?? createdAt, view.toPay.currency)}`],
    [
      'receiptPaidBy',
      institutionName === undefined ? providerMark(providerCode, view.providerName) : named(institutionName),
    ],
    ...(account === ''
      ? []
      : [['receiptAccount', speech.say('endingIn', { digits: html`${endOfAccount(account)}` })] as const]),
    ...(view.receipt === undefined ? [] : [['receiptOperator', html`<code>${view.receipt}</code>`] as const]),
    ...(refundedMinor === undefined
      ? []
      : [['receiptRefunded', html`${speech.amount(money(refundedMinor, amount.currency))}`] as const]),
  ]
  return html`<section class="receipt" aria-labelledby="receipt"><h2 id="receipt">!${speech.say('receipt')}</h2>
  <dl>!${rows.map(([name, value]) => html`<div><dt>!${speech.say(name)}</dt><dd>!${value}</dd></div>`)}
    <div class="wide"><dt>!${speech.say('reference')}</dt><dd><code>${view.internalReference}</code></dd></div></dl>
  <p class="soft">!${speech.say('receiptStays')}</p></section>`
}

function wayBack(page: PaymentPage, otherwise: TextName): string {
  const {
    view,
    leaves,
    backTo,
    speech: { say },
  } = page
  const merchant = named(view.merchantName)
  if (backTo === undefined) return html`<p>!${say(otherwise, { merchant })}</p>`
  return html`!${leaves ? html`<p>!${say('takingYouBack', { merchant })}</p>` : ''}!${backButton(page, backTo)}`
}
