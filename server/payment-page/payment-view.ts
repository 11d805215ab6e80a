import { html } from 'ghtml'
import { brandStyle } from './brand-colour.ts'
import { layout, type RenderedPage } from './layout.ts'
import { logoPath } from './logo-route.ts'
import type { PaymentPage } from './page.ts'
import { footer } from './page-footer.ts'
import { providerMark } from './provider-mark.ts'
import { sandboxBar } from './sandbox-bar.ts'
import type { Translator } from './speech.ts'
import { stepView } from './step-view.ts'
import { named, payingThrough, plainLine, secondsUntil } from './text.ts'
import { secondOf, waitedSeconds } from './waiting-steps.ts'

/** The current page of a payment for its customer, with the one next action. */
export function paymentPage(page: PaymentPage): RenderedPage {
  const { view, path, state, error, speech } = page
  const step = stepView(page)
  const waits = view.step.step === 'approve' || view.step.step === 'expired'
  const heading = error ? speech.text('errorTitle', { heading: step.heading }) : step.heading
  return layout({
    speech,
    path,
    brandStyle: brandStyle(view.brand.colour),
    title: `${heading} · ${plainLine(view.merchantName)}`,
    content: html`
!${sandboxBar(page)}
<div class="column">
!${order(page)}
<main>
  <div class="card !${step.tone}">
  !${error && !error.field ? html`<p class="alert" role="alert" id="error" tabindex="-1" autofocus>${error.message(speech)}</p>` : ''}
  !${delayNotice(page)}
  !${page.notice !== undefined ? html`<p class="notice" role="status">${page.notice}</p>` : ''}
  <h1>${step.heading}</h1>
  !${step.content}
  </div>
  !${step.mayCancel ? cancelForm(page) : ''}
</main>
!${footer(page)}
</div>`,
    ...refreshOf(page, waits),
    ...(view.step.step !== 'final' && { live: { page: path, state, waits } }),
  })
}

/** Shown while the customer waits for the operator, or is about to. */
function delayNotice({ view, speech: { say } }: PaymentPage): string {
  const { step } = view.step
  if (!view.isDelayed || (step !== 'approve' && step !== 'confirm_phone')) return ''
  const what = say(step === 'approve' ? 'delayedWaiting' : 'delayedBefore', { provider: named(payingThrough(view)) })
  return html`<p class="delay" role="status">!${what}</p>`
}

const SOON_S = 3
const LATER_S = 8
/** After this time a reply no longer takes just seconds: a page that reloads less often is easier to read. */
const LATER_AFTER_S = 60

function refreshOf(page: PaymentPage, waits: boolean): { readonly refresh?: string } {
  const { path, leaves, backTo, waitsSince } = page
  if (leaves && backTo !== undefined) return { refresh: html`<meta http-equiv="refresh" content="0;url=${backTo}">` }
  if (!waits) return {}
  const seconds = waitedSeconds(page) < LATER_AFTER_S ? SOON_S : LATER_S
  const url = `${path}?since=${secondOf(waitsSince)}`
  return { refresh: html`<noscript><meta http-equiv="refresh" content="${seconds};url=!${url}"></noscript>` }
}

/** From these lengths on, in a smaller font: an amount that wraps into two lines is misread. */
const SIZES = [
  { characters: 21, name: 'amount longest' },
  { characters: 16, name: 'amount long' },
] as const

function amountToPay(text: string): string {
  const size = SIZES.find(({ characters }) => text.length >= characters)?.name ?? 'amount'
  return html`<p class="!${size}">${text}</p>`
}

function order({ view, now, speech }: PaymentPage): string {
  const { merchantName, brand, description, requested, toPay, charge, expiresAt, step, payment } = view
  const { say, amount } = speech
  const shownDescription = plainLine(description)
  const open = ['choose_bank', 'confirm_phone', 'enter_otp', 'retry'].includes(step.step)
  const facts = [
    shownDescription === ''
      ? ''
      : html`<div><dt>!${say('forWhat')}</dt><dd dir="auto"><bdi>${shownDescription}</bdi></dd></div>`,
    requested.currency === toPay.currency
      ? ''
      : html`<div><dt>!${say('price')}</dt><dd>${speech.text('priceInOther', { price: amount(requested), currency: toPay.currency })}</dd></div>`,
    charge && charge.amountMinor > 0n
      ? html`<div><dt>!${say('charge')}</dt><dd>${speech.text('chargeIncluded', { charge: amount(charge) })}</dd></div>`
      : '',
    open || step.step === 'approve'
      ? html`<div><dt>!${say('payBy')}</dt><dd>!${providerMark(payment.transaction.providerCode, payingThrough(view))}</dd></div>`
      : '',
    open && expiresAt ? timeLeft(expiresAt, now, speech) : '',
  ].join('')
  return html`<header class="order">
  !${brand.logoDigest === undefined ? '' : html`<img class="logo" src="${logoPath(brand.logoDigest)}" alt="">`}
  <p class="merchant">!${named(merchantName)}</p>
  !${amountToPay(amount(toPay))}
  !${facts === '' ? '' : html`<dl>!${facts}</dl>`}
</header>`
}

/** A clock counts down by the second only below this: half an hour is no reason to hurry. */
const HURRY_S = 5 * 60

function timeLeft(expiresAt: Date, now: Date, { say, minutes }: Translator): string {
  const seconds = secondsUntil(expiresAt, now)
  const soon = seconds <= HURRY_S ? 'class="soon"' : ''
  const text = minutes(expiresAt.getTime() - now.getTime())
  return html`<div><dt>!${say('timeLeft')}</dt><dd><span !${soon} data-left="${seconds}" data-hurry="${HURRY_S}">${text}</span></dd></div>`
}

const cancelForm = ({ path, token, speech: { say } }: PaymentPage): string => html`
  <form class="cancel" method="post" action="${path}/cancel"><input type="hidden" name="token" value="${token}"><details><summary>!${say('cancel')}</summary><button type="submit">!${say('cancelYes')}</button></details></form>`
