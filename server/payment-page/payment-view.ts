import { html } from 'ghtml'
import { amountText } from './amount.ts'
import { layout } from './layout.ts'
import { sandboxBar } from './sandbox-bar.ts'
import { stepView, type PaymentPage } from './step-views.ts'
import { minutesText, plainLine, secondsUntil } from './text.ts'

/** A payment as its customer sees it now, with the one next thing to do. */
export function paymentPage(page: PaymentPage): string {
  const { view, path, state, error, leaves } = page
  const step = stepView(page)
  const waits = view.step.step === 'approve' || view.step.step === 'expired'
  return layout({
    title: `${error ? 'Error: ' : ''}${step.heading} · ${plainLine(view.merchantName)}`,
    content: html`
!${sandboxBar(page)}
<div class="column">
!${order(page)}
<main>
  <div class="card !${step.tone}">
  !${error && !error.field ? html`<p class="alert" role="alert" id="error" tabindex="-1" autofocus>${error.message}</p>` : ''}
  !${delayNotice(page)}
  !${page.notice !== undefined ? html`<p class="notice" role="status">${page.notice}</p>` : ''}
  <h1>${step.heading}</h1>
  !${step.content}
  </div>
  !${step.mayCancel ? cancelForm(page) : ''}
</main>
<footer><p>Payment by Malipo</p><p>Reference <code>${view.internalReference}</code></p></footer>
</div>`,
    ...refreshOf(path, waits, leaves),
    ...(view.step.step !== 'final' && { live: { page: path, state, waits } }),
  })
}

const DELAYED = {
  confirm_phone:
    'The operator does not answer at the moment. You may go on: the request comes to your phone when it is back, and nothing is taken twice.',
  approve:
    'The operator does not answer at the moment. Your payment waits and goes on by itself; nothing is taken twice.',
} as const

/** While somebody waits for the operator, or is about to. */
function delayNotice({ view: { isDelayed, step } }: PaymentPage): string {
  const isWaiting = step.step === 'approve' || step.step === 'confirm_phone'
  return isDelayed && isWaiting ? html`<p class="delay" role="status">${DELAYED[step.step]}</p>` : ''
}

const refreshOf = (path: string, waits: boolean, leaves: boolean): { readonly refresh?: string } => {
  if (leaves) return { refresh: html`<meta http-equiv="refresh" content="0;url=${path}">` }
  return waits ? { refresh: html`<noscript><meta http-equiv="refresh" content="3;url=${path}"></noscript>` } : {}
}

function order({ view, now }: PaymentPage): string {
  const { merchantName, description, requested, toPay, charge, expiresAt, step } = view
  const shownDescription = plainLine(description)
  const open = step.step === 'choose_bank' || step.step === 'confirm_phone' || step.step === 'enter_otp'
  const facts = [
    shownDescription === '' ? '' : html`<div><dt>For</dt><dd dir="auto"><bdi>${shownDescription}</bdi></dd></div>`,
    requested.currency === toPay.currency
      ? ''
      : html`<div><dt>Price</dt><dd>${amountText(requested)}, paid in ${toPay.currency}</dd></div>`,
    charge && charge.amountMinor > 0n ? html`<div><dt>Charge</dt><dd>${amountText(charge)}, included</dd></div>` : '',
    open && expiresAt
      ? html`<div><dt>Time left</dt><dd><span data-left="${secondsUntil(expiresAt, now)}">${minutesText(expiresAt.getTime() - now.getTime())}</span></dd></div>`
      : '',
  ].join('')
  return html`<header class="order">
  <p class="merchant"><bdi>${plainLine(merchantName)}</bdi></p>
  <p class="amount">${amountText(toPay)}</p>
  !${facts === '' ? '' : html`<dl>!${facts}</dl>`}
</header>`
}

const cancelForm = ({ path, token }: PaymentPage): string => html`
  <form class="cancel" method="post" action="${path}/cancel"><input type="hidden" name="token" value="${token}"><button type="submit">Cancel this payment</button></form>`
