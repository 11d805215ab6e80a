import { html } from 'ghtml'
import { amountToWire } from '../../domain/money.ts'
import { transactionUrl } from './inbox-filter.ts'
import { amountText, readableTime, visible } from './inbox-text.ts'
import { phoneButtons } from './phone-buttons.ts'
import type { WaitingPayment } from './waiting-payments.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

/** The payments that have not called back yet, each with the reason; empty when there are none. */
export const waitingList = (payments: readonly WaitingPayment[], onPhone: ReadonlySet<string>): string =>
  payments.length === 0
    ? ''
    : html`
  <section class="card" id="waiting" aria-labelledby="waiting-title">
    <h2 id="waiting-title">Waiting for a callback</h2>
    <ul class="events">!${payments.map((payment) => entry(payment, onPhone.has(payment.transaction.internalReference)))}</ul>
  </section>`

function entry({ transaction, delivery }: WaitingPayment, isOnPhone: boolean): string {
  const { internalReference, merchantReference, status, amount } = transaction
  return html`
      <li><span class="badge calm">${status}</span> <span class="amount">${amountText(amountToWire(amount.amountMinor, amount.currency), amount.currency)}</span>
        <a href="${transactionUrl(internalReference)}"><bdi><code>${visible(merchantReference)}</code></bdi></a>
        <p>!${delivery ? retries(delivery) : html`${visible(transaction.statusMessage)}, since !${time(transaction.createdAt)}`}</p>!${isOnPhone ? phoneButtons(transaction) : ''}</li>`
}

function retries({ attempts, fault, nextAttemptAt }: NonNullable<WaitingPayment['delivery']>): string {
  const failed = attempts === 1 ? 'The first attempt failed' : `${attempts} attempts failed`
  return html`${failed} (${visible(fault)}); the next is at !${time(nextAttemptAt)}`
}

const time = (at: Date): string => html`<time datetime="${at.toISOString()}">${readableTime(at)}</time>`
