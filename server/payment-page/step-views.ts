import { html } from 'ghtml'
import type { PaymentStep, PaymentView } from '../actions/view-payment.ts'
import { amountText } from './amount.ts'
import { endOfAccount, minutesText, plainLine, secondsUntil } from './text.ts'

export type Field = 'bank_code' | 'account_number' | 'otp'

/** Why what the customer sent was not taken, in words for the customer. */
export interface PageError {
  readonly message: string
  readonly field?: Field
}

/** What the customer typed, given back with an error. Never the one-time password. */
export interface Entered {
  readonly bankCode: string
  readonly accountNumber: string
}

export interface PaymentPage {
  readonly view: PaymentView
  readonly now: Date
  readonly path: string
  readonly token: string
  readonly state: string
  readonly sandbox: boolean
  readonly hint?: string
  /** What has just been done. */
  readonly notice?: string
  readonly error?: PageError
  readonly entered?: Entered
  /** The page goes on to the merchant's site by itself. */
  readonly leaves: boolean
}

export interface StepView {
  readonly heading: string
  /** Markup. */
  readonly content: string
  readonly tone: '' | 'good' | 'bad' | 'calm'
  /** Nothing has gone to the rail yet. */
  readonly mayCancel: boolean
}

type Step<Name extends PaymentStep['step']> = Extract<PaymentStep, { step: Name }>

/** What stands in the middle of the page: one next thing to do. */
export function stepView(page: PaymentPage): StepView {
  const { step } = page.view
  switch (step.step) {
    case 'choose_bank':
      return { heading: 'Pay from your bank account', content: chooseBank(page, step), tone: '', mayCancel: true }
    case 'confirm_phone':
      return { heading: 'Pay with your phone', content: confirmPhone(page, step), tone: '', mayCancel: true }
    case 'enter_otp':
      return { heading: 'Enter your one-time password', content: enterOtp(page, step), tone: '', mayCancel: true }
    case 'approve':
      return step.method === 'BANK'
        ? { heading: 'Waiting for your bank', content: waitForBank(page, step), tone: '', mayCancel: false }
        : { heading: 'Approve on your phone', content: approveOnPhone(page, step), tone: '', mayCancel: false }
    case 'expired':
      return { heading: 'Time is up', content: expired(page), tone: 'calm', mayCancel: false }
    case 'final':
      return final(page, step)
  }
}

function chooseBank(
  { view, path, token, error, entered, sandbox }: PaymentPage,
  { banks }: Step<'choose_bank'>,
): string {
  const [first, ...others] = banks
  const chosen = entered?.bankCode ?? (first && others.length === 0 ? first.bankCode : '')
  const fields = html`
    <label for="bank_code">Your bank</label>!${alertAt(error, 'bank_code')}
    <select id="bank_code" name="bank_code" required !${faulty(error, 'bank_code')}>
      <option value="" !${chosen === '' ? 'selected' : ''}>Choose your bank</option>
      !${banks.map(({ bankCode, bankName }) => html`<option value="${bankCode}" !${bankCode === chosen ? 'selected' : ''}>${bankName}</option>`)}
    </select>
    <label for="account_number">Account number</label>!${alertAt(error, 'account_number')}
    <input id="account_number" name="account_number" value="${entered?.accountNumber ?? ''}" inputmode="numeric" autocomplete="off" required maxlength="40" !${faulty(error, 'account_number', 'account-help')}>
    <span class="help" id="account-help">!${sandbox ? 'Any 6 to 20 digits. Not your real account number.' : '6 to 20 digits'}</span>`
  return html`
  <form method="post" action="${path}/confirm"><input type="hidden" name="token" value="${token}">
    !${sandbox ? html`<fieldset class="bank"><legend>Simulated bank sign-in</legend>!${fields}</fieldset>` : fields}
    <button class="primary" type="submit">Pay ${amountText(view.toPay)}</button>
  </form>`
}

const confirmPhone = ({ view, path, token }: PaymentPage, { account }: Step<'confirm_phone'>): string => html`
  <p><bdi>${plainLine(view.providerName)}</bdi> will ask you to approve the payment on the phone number ending in <strong>${endOfAccount(account)}</strong>. Keep that phone at hand.</p>
  <form method="post" action="${path}/confirm"><input type="hidden" name="token" value="${token}"><button class="primary" type="submit">Send the request to my phone</button></form>`

function enterOtp(
  { path, token, error, now }: PaymentPage,
  { account, triesLeft, otpExpiresAt, nextOtpAt }: Step<'enter_otp'>,
): string {
  return html`
  <p>!${otpExpiresAt ? whenSent(account, otpExpiresAt.getTime() - now.getTime()) : html`A password of 6 digits is on its way to the account ending in <strong>${endOfAccount(account)}</strong>.`}</p>
  <form method="post" action="${path}/otp"><input type="hidden" name="token" value="${token}">
    <label for="otp">One-time password</label>!${alertAt(error, 'otp')}
    <input class="otp" id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" !${faulty(error, 'otp', 'otp-help')}>
    <span class="help" id="otp-help">!${triesLeft === 1 ? 'This is your last try.' : html`${triesLeft} tries left.`}</span>
    <button class="primary" type="submit">Confirm the payment</button>
  </form>
  <div class="more">!${nextOtpAt ? askAgain(path, token, secondsUntil(nextOtpAt, now)) : html`<p class="soft">${otpExpiresAt ? NO_MORE_PASSWORDS : ON_ITS_WAY}</p>`}</div>`
}

const NO_MORE_PASSWORDS = 'No more passwords can be sent. If none arrived, cancel and start again in the shop.'
const ON_ITS_WAY = 'It may take a moment. Another one can be asked for when it has been sent.'

const whenSent = (
  account: string,
  validMs: number,
): string => html`We sent 6 digits to the account ending in <strong>${endOfAccount(account)}</strong>.
    !${validMs > 0 ? html`They are good for ${minutesText(validMs)}.` : '<strong>They are no longer good.</strong> Ask for a new password below.'}`

// Not disabled here: without a script it would stay so. A click that comes too soon is refused kindly by the server.
const askAgain = (path: string, token: string, waitSeconds: number): string => html`
    <p class="soft">Nothing arrived?!${waitSeconds > 0 ? html`<noscript> You can ask again in ${waitSeconds} seconds.</noscript>` : ''}</p>
    <form method="post" action="${path}/otp/new"><input type="hidden" name="token" value="${token}"><button class="second" type="submit" data-wait="${waitSeconds}">Send a new password</button></form>`

const approveOnPhone = ({ view }: PaymentPage, { account }: Step<'approve'>): string => html`
  <p>${view.isDelayed ? 'A request comes' : 'We sent a request'} to the phone number ending in <strong>${endOfAccount(account)}</strong>${view.isDelayed ? ', unless it is there already' : ''}.</p>
  <ol><li>Look at that phone: a message of <bdi>${plainLine(view.providerName)}</bdi> asks you to pay <strong>${amountText(view.toPay)}</strong>.</li><li>Enter your mobile money PIN there. Never enter it on a web page.</li></ol>
  !${waiting('Waiting for your approval. This page goes on by itself.')}
  <div class="more"><p><strong>No message came?</strong></p>
    <ul class="soft"><li>Check that the phone is on and has reception.</li><li>Open the mobile money menu and look for payments to approve.</li><li>Do not pay a second time: wait here for the answer.</li></ul></div>`

const waitForBank = ({ sandbox }: PaymentPage, { account, institutionName }: Step<'approve'>): string => html`
  <p><bdi>${plainLine(institutionName ?? 'Your bank')}</bdi> is looking at the payment from the account ending in <strong>${endOfAccount(account)}</strong>.
    !${sandbox ? 'The simulated bank answers by itself.' : 'If your bank asks you to approve it, in its app or by message, do so now.'}</p>
  !${waiting('Waiting for the bank. This page goes on by itself.')}
  <div class="more"><p class="soft">Do not pay a second time: wait here for the answer. It may take a few minutes.</p></div>`

const waiting = (text: string): string => html`
  <div class="wait"><span class="spin" aria-hidden="true"></span><p id="live" role="status" aria-live="polite">${text}</p></div>`

const expired = ({ view }: PaymentPage): string => html`
  <p>This payment was open for 30 minutes and has ended. Nothing was taken from your account.</p>
  <p>Go back to <bdi>${plainLine(view.merchantName)}</bdi> and start again.</p>
  <p class="soft" id="live" role="status" aria-live="polite"></p>`

function final({ view, leaves, path }: PaymentPage, { status, statusMessage }: Step<'final'>): StepView {
  const merchant = html`<bdi>${plainLine(view.merchantName)}</bdi>`
  const onward = leaves
    ? html`<p>Taking you back to !${merchant} …</p><p><a class="button primary" href="${path}">Go back to !${merchant}</a></p>`
    : ''
  switch (status) {
    case 'COMPLETED':
      return {
        heading: 'Payment complete',
        tone: 'good',
        mayCancel: false,
        content: html`<p>You paid <strong>${amountText(view.toPay)}</strong> to !${merchant}.</p>!${leaves ? onward : '<p>You can close this page.</p>'}`,
      }
    case 'FAILED':
      return {
        heading: 'The payment did not go through',
        tone: 'bad',
        mayCancel: false,
        content: html`<p>The reason: <strong>${plainLine(statusMessage)}</strong>.</p>!${leaves ? onward : html`<p>To try again, go back to !${merchant} and start a new payment.</p>`}`,
      }
    case 'CANCELLED':
      return {
        heading: 'Payment cancelled',
        tone: 'calm',
        mayCancel: false,
        content: html`<p>Nothing was taken from your account.</p>!${leaves ? onward : html`<p>If you still want to pay, go back to !${merchant} and start again.</p>`}`,
      }
  }
}

/** Right above its field: the keyboard of a phone leaves room for little more. */
const alertAt = (error: PageError | undefined, field: Field): string =>
  error?.field === field ? html`<p class="alert" role="alert" id="error">${error.message}</p>` : ''

/** Attributes of a field: what describes it, and whether it is what the error is about. */
function faulty(error: PageError | undefined, field: Field, help?: string): string {
  const describedBy = [error?.field === field ? 'error' : undefined, help].filter((id) => id !== undefined).join(' ')
  return `${describedBy === '' ? '' : `aria-describedby="${describedBy}"`} ${error?.field === field ? 'aria-invalid="true" autofocus' : ''}`
}
