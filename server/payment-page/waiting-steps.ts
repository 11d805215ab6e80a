import { html } from 'ghtml'
import { PAGE_LIFETIME_MS } from '../domain/payment-session.ts'
import { backButton } from './back-button.ts'
import { dialCodeOf } from './dial-codes.ts'
import type { PaymentPage, Step } from './page.ts'
import type { TextName } from './speech.ts'
import { endOfAccount, named, strong } from './text.ts'

// Steps in which the customer only waits.

/** After this time an operator's message rarely arrives. */
const REQUEST_THE_MERCHANT_AFTER_S = 5 * 60

export const approveOnPhone = (page: PaymentPage, { account }: Step<'approve'>): string => {
  const {
    view,
    speech: { say, amount },
  } = page
  const digits = strong(endOfAccount(account))
  return html`
  <p>!${say(view.isDelayed ? 'requestComes' : 'requestSent', { digits })}</p>
  <ol><li>!${say('lookAtPhone', { provider: named(view.providerName), amount: strong(amount(view.toPay)) })}</li><li>!${say('enterPinThere')}</li></ol>
  !${waiting(page, 'waitingForApproval')}
  !${whatIfNothing(page, ['checkReception', 'lookInMenu', 'neverTwice', 'mayClose'])}`
}

export const waitForBank = (page: PaymentPage, { account, institutionName }: Step<'approve'>): string => {
  const {
    sandbox,
    speech: { say, text },
  } = page
  const bank = named(institutionName ?? text('yourBank'))
  return html`
  <p>!${say('bankIsLooking', { bank, digits: strong(endOfAccount(account)) })}
    !${say(sandbox ? 'sandboxBankAnswers' : 'bankMayAsk')}</p>
  !${waiting(page, 'waitingForBank')}
  !${whatIfNothing(page, ['lookInBankApp', 'neverTwice', 'mayClose'])}`
}

/** How many seconds the customer has waited, from the time that we know. */
export const waitedSeconds = ({ now, waitsSince }: PaymentPage): number =>
  Math.max(0, Math.floor((now.getTime() - waitsSince.getTime()) / 1000))

/** The time in the address of a waiting page, so that it continues counting after a reload. */
export const secondOf = (at: Date): number => Math.floor(at.getTime() / 1000)

// The time is outside of the live region: nobody wants to hear every second announced.
function waiting(page: PaymentPage, what: TextName): string {
  const { say, span } = page.speech
  const seconds = waitedSeconds(page)
  const time = html`<span data-since="${seconds}" data-at="${secondOf(page.waitsSince)}">${span(seconds)}</span>`
  return html`
  <div class="wait"><span class="spin" aria-hidden="true"></span><div><p id="live" role="status" aria-live="polite">!${say(what)}</p><p class="since">!${say('waitingFor', { time })}</p></div></div>`
}

function dialled({ view, speech: { say } }: PaymentPage): string {
  const code = dialCodeOf(view.payment.transaction.providerCode)
  return code === undefined ? '' : ` ${say('dialCode', { code: html`<bdi>${code}</bdi>` })}`
}

const whatIfNothing = (page: PaymentPage, advice: readonly TextName[]): string => {
  const {
    view,
    speech: { say, span },
  } = page
  return html`
  <div class="more"><h2>!${say('whatIfNothing')}</h2>
    <ul class="soft">!${advice.map((name) => html`<li>!${say(name)}!${name === 'lookInMenu' ? dialled(page) : ''}</li>`)}<li>!${say('afterMinutes', { time: span(REQUEST_THE_MERCHANT_AFTER_S), merchant: named(view.merchantName) })}</li></ul></div>`
}

export function expired(page: PaymentPage): string {
  const {
    view,
    backTo,
    speech: { say, minutes },
  } = page
  const merchant = named(view.merchantName)
  return html`
  <p>!${say('expiredText', { time: minutes(PAGE_LIFETIME_MS) })}</p>
  !${backTo === undefined ? html`<p>!${say('startAgain', { merchant })}</p>` : backButton(page, backTo)}
  <p class="soft" id="live" role="status" aria-live="polite"></p>`
}

export const suspended = ({ view, speech: { say } }: PaymentPage): string => html`
  <p>!${say('suspendedText', { merchant: named(view.merchantName) })}</p>
  <p class="soft" id="live" role="status" aria-live="polite"></p>`
