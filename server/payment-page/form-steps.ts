import { html } from 'ghtml'
import type { Field, PageError, PaymentPage, Step } from './page.ts'
import type { TextName } from './speech.ts'
import { endOfAccount, named, secondsUntil, strong } from './text.ts'

// Steps in which the customer sends a form.

export function chooseBank(
  page: PaymentPage,
  { banks }: Pick<Step<'choose_bank'>, 'banks'>,
  action: 'confirm' | 'retry' = 'confirm',
): string {
  const { view, path, token, entered, sandbox, speech } = page
  const { text, say } = speech
  const [first, ...others] = banks
  const chosen = entered?.bankCode ?? (first && others.length === 0 ? first.bankCode : '')
  const fields = html`
    <label for="bank_code">!${say('yourBank')}</label>!${alertAt(page, 'bank_code')}
    <select id="bank_code" name="bank_code" required !${faulty(page.error, 'bank_code')}>
      <option value="" !${chosen === '' ? 'selected' : ''}>!${say('chooseYourBank')}</option>
      !${banks.map(({ bankCode, bankName }) => html`<option value="${bankCode}" !${bankCode === chosen ? 'selected' : ''}>${bankName}</option>`)}
    </select>
    <label for="account_number">!${say('accountNumber')}</label>!${alertAt(page, 'account_number')}
    <input id="account_number" name="account_number" value="${entered?.accountNumber ?? ''}" inputmode="numeric" autocomplete="off" required maxlength="40" !${faulty(page.error, 'account_number', 'account-help')}>
    <span class="help" id="account-help">${text(sandbox ? 'sandboxAccountHelp' : 'accountHelp')}</span>`
  return html`
  <form method="post" action="${path}/${action}"><input type="hidden" name="token" value="${token}">
    !${sandbox ? html`<fieldset class="bank"><legend>!${say('sandboxSignIn')}</legend>!${fields}</fieldset>` : fields}
    <button class="primary" type="submit">${text('payAmount', { amount: speech.amount(view.toPay) })}</button>
  </form>`
}

export const confirmPhone = (
  { view, path, token, speech: { say } }: PaymentPage,
  { account, requiresOtp }: Step<'confirm_phone'>,
): string => html`
  <p>!${say(requiresOtp ? 'phoneGetsOtp' : 'phoneWillAsk', { provider: named(view.providerName), digits: strong(endOfAccount(account)) })}</p>
  <form method="post" action="${path}/confirm"><input type="hidden" name="token" value="${token}"><button class="primary" type="submit">!${say(requiresOtp ? 'sendOtp' : 'sendRequest')}</button></form>`

export function enterOtp(page: PaymentPage, step: Step<'enter_otp'>): string {
  const { path, token, now, speech } = page
  const { say } = speech
  const { triesLeft, otpExpiresAt, nextOtpAt } = step
  const isLate = otpExpiresAt !== undefined && otpExpiresAt <= now
  // The primary button: once the OTP has expired, it requests another one.
  const [confirm, another] = isLate && nextOtpAt ? ['second', 'primary'] : ['primary', 'second']
  return html`
  <p>!${whenSent(page, step)}</p>
  <form method="post" action="${path}/otp"><input type="hidden" name="token" value="${token}">
    <label for="otp">!${say('otpLabel')}</label>!${alertAt(page, 'otp')}
    <input class="otp" id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" enterkeyhint="done" required maxlength="12" !${faulty(page.error, 'otp', 'otp-help')}>
    <span class="help" id="otp-help">${triesLeft === 1 ? speech.text('lastTry') : speech.counted('triesLeft', triesLeft)}</span>
    <button class="!${confirm}" type="submit">!${say('otpConfirm')}</button>
  </form>
  <div class="more">!${nextOtpAt ? pollAgain(page, secondsUntil(nextOtpAt, now), another) : html`<p class="soft">!${say(whyNoOther(step, isLate))}</p>`}</div>`
}

function whyNoOther({ otpExpiresAt }: Step<'enter_otp'>, isLate: boolean): TextName {
  if (isLate) return 'otpStartAgain'
  return otpExpiresAt ? 'otpNoMore' : 'otpMayTakeAMoment'
}

function whenSent(
  { view, now, speech: { say, minutes } }: PaymentPage,
  { account, otpExpiresAt, nextOtpAt }: Step<'enter_otp'>,
): string {
  const digits = strong(endOfAccount(account))
  const isPhone = view.payment.transaction.method === 'MOBILE_MONEY'
  if (!otpExpiresAt) return say(isPhone ? 'otpOnItsWayToPhone' : 'otpOnItsWayTo', { digits })
  const validMs = otpExpiresAt.getTime() - now.getTime()
  const how =
    validMs > 0
      ? say('otpGoodFor', { time: html`${minutes(validMs)}` })
      : `<strong>${say('otpNoLongerGood')}</strong> ${nextOtpAt ? say('otpAskBelow') : ''}`
  return `${say(isPhone ? 'otpSentToPhone' : 'otpSentTo', { digits })} ${how}`
}

// Not disabled in the markup: without a script it would stay disabled. The server refuses an early click with a
// friendly text.
const pollAgain = (
  { path, token, speech: { say, seconds } }: PaymentPage,
  waitSeconds: number,
  rank: string,
): string => html`
    !${rank === 'primary' ? '' : html`<p class="soft">!${say('otpNothingArrived')}!${waitSeconds > 0 ? html`<noscript> !${say('otpAskIn', { time: seconds(waitSeconds) })}</noscript>` : ''}</p>`}
    <form method="post" action="${path}/otp/new"><input type="hidden" name="token" value="${token}"><button class="!${rank}" type="submit" data-wait="${waitSeconds}">!${say('otpSendNew')}</button></form>`

/** Directly above its field: the keyboard of a phone leaves room for little more. */
export const alertAt = ({ error, speech }: PaymentPage, field: Field): string =>
  error?.field === field ? html`<p class="alert" role="alert" id="error">${error.message(speech)}</p>` : ''

/** Attributes of a field: what describes it, and whether the error is about it. */
export function faulty(error: PageError | undefined, field: Field, help?: string): string {
  const describedBy = [error?.field === field ? 'error' : undefined, help].filter((id) => id !== undefined).join(' ')
  return `${describedBy === '' ? '' : `aria-describedby="${describedBy}"`} ${error?.field === field ? 'aria-invalid="true" autofocus' : ''}`
}
