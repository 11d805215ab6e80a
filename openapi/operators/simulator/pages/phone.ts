import { html } from 'ghtml'
import type { Operator } from '../operator.ts'
import type { Order } from '../world/order.ts'
import type { PhoneMessage } from '../world/phones.ts'
import { layout, timeText } from './layout.ts'

/** The PIN of every virtual phone; any other is wrong. */
export const PIN = '1234'

export interface PhoneView {
  readonly operator: Operator
  readonly msisdn: string
  readonly now: Date
  /** Orders that the customer has to decide. */
  readonly waiting: readonly Order[]
  readonly messages: readonly PhoneMessage[]
  readonly balance: string | undefined
  /** The merchant's accounts, to pay to without a prompt. */
  readonly accounts: readonly string[]
  /** Why the last payment without a prompt was not made. */
  readonly unpaid?: string
  /** The error of the last form, and its order. */
  readonly fault?: { readonly orderId: string; readonly text: string }
}

/** The screen of one customer's phone. */
export const phonePage = (view: PhoneView): string =>
  layout({
    title: `Phone ${view.msisdn}`,
    isLive: true,
    content: html`<div class="phone">
<h1>Phone ${view.msisdn}</h1>
<p class="soft">${view.operator.title}, simulated. ${balanceText(view)}</p>
!${view.waiting.map((order) => promptCard(view, order)).join('')}
!${view.waiting.length === 0 ? html`<p class="card">No prompt is waiting.</p>` : ''}
<h2>Messages</h2>
!${messageList(view.messages)}
!${paymentForm(view)}
!${balanceForm(view)}
</div>`,
  })

function balanceText({ operator, balance }: PhoneView): string {
  return balance === undefined ? 'There is always enough money.' : `The balance is ${operator.currency} ${balance}.`
}

function promptCard({ operator, now, fault }: PhoneView, order: Order): string {
  const { title, text } = operator.prompt(order)
  const field = `pin-${order.id}`
  const faultText = fault?.orderId === order.id ? fault.text : undefined
  const secondsLeft = Math.max(0, Math.ceil((order.expiresAt.getTime() - now.getTime()) / 1_000))
  return html`<article class="card" aria-labelledby="title-${order.id}">
<h2 id="title-${order.id}">${title}</h2>
<p class="amount">${order.currency} ${order.amount}</p>
<p>${text}</p>
<p class="soft">Until ${timeText(order.expiresAt)}, ${secondsLeft} s from now.</p>
<form method="post" action="/phone/${order.msisdn}">
<input type="hidden" name="order" value="${order.id}">
<label for="${field}">PIN</label>
<input id="${field}" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="8" aria-describedby="help-${order.id}" !${faultText ? 'aria-invalid="true" autofocus' : ''}>
<p id="help-${order.id}" class="!${faultText ? 'bad' : 'soft'}">!${faultText ? html`<strong>${faultText}</strong> ` : ''}The PIN of every virtual phone is ${PIN}.</p>
<button name="decision" value="approved">Approve</button>
<button class="other" name="decision" value="wrong_pin">Enter a wrong PIN</button>
<div class="two"><button class="other" name="decision" value="cancelled">Cancel</button>
<button class="other" name="decision" value="expired">Let it expire</button></div>
</form></article>`
}

const messageList = (messages: readonly PhoneMessage[]): string =>
  messages.length === 0
    ? html`<p class="soft">None yet.</p>`
    : html`<ul class="plain">!${messages
        .map(({ at, text }) => html`<li>${text}<br><span class="soft">${timeText(at)}</span></li>`)
        .join('')}</ul>`

const paymentForm = ({
  msisdn,
  operator,
  accounts,
  unpaid,
}: PhoneView): string => html`<details class="card" !${unpaid ? 'open' : ''}>
<summary>Pay without being asked</summary>
<form method="post" action="/phone/${msisdn}/payments">
<label for="account">To</label>
<select id="account" name="account">!${accounts.map((account) => html`<option>${account}</option>`).join('')}</select>
<label for="amount">Amount in ${operator.currency}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required pattern="[0-9]+([.][0-9]{1,4})?">
<label for="reference">Account or reference</label>
<input id="reference" name="reference" autocomplete="off" required maxlength="20">
!${unpaid ? html`<p class="bad" role="alert">${unpaid}</p>` : ''}<button>Pay</button>
</form></details>`

const balanceForm = ({ msisdn, operator, balance }: PhoneView): string => html`<details class="card">
<summary>Change what this customer has</summary>
<form method="post" action="/phone/${msisdn}/balance">
<label for="balance">Balance in ${operator.currency}</label>
<input id="balance" name="balance" inputmode="decimal" autocomplete="off" required pattern="[0-9]+([.][0-9]{1,4})?" value="${balance ?? ''}">
<button>Set</button>
</form></details>`

/** Every phone with a prompt or a message. */
export const phonesPage = (
  phones: readonly { readonly msisdn: string; readonly waiting: number }[],
  fault?: string,
): string =>
  layout({
    title: 'Virtual phones',
    isLive: true,
    content: html`<div class="phone"><h1>Virtual phones</h1>
!${phones.length === 0 ? html`<p>No phone has received anything yet. Send an order to any number.</p>` : ''}
<ul class="plain">!${phones
      .map(
        ({ msisdn, waiting }) =>
          html`<li><a href="/phone/${msisdn}">${msisdn}</a> ${waiting > 0 ? `asks for ${waiting}` : ''}</li>`,
      )
      .join('')}</ul>
<form method="get" action="/phone/open" class="card">
<label for="msisdn">Number</label>
<input id="msisdn" name="msisdn" inputmode="numeric" autocomplete="off" required !${fault ? 'aria-invalid="true"' : ''} aria-describedby="msisdn-help">
<p id="msisdn-help" class="!${fault ? 'bad' : 'soft'}">${fault ?? 'With its country code, digits only.'}</p>
<button>Open this phone</button></form></div>`,
  })
