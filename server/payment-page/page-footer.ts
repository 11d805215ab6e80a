import { html } from 'ghtml'
import { supportText } from '../domain/brand.ts'
import type { PaymentPage } from './page.ts'
import type { Translator } from './speech.ts'
import { named, plainLine } from './text.ts'

/** Below the payment: the contact for questions, the safety notes, and the reference. */
export function footer(page: PaymentPage): string {
  const { view, speech } = page
  const hasReceipt = view.step.step === 'final' && view.step.status === 'COMPLETED'
  return html`<footer>
!${questions(page)}
<p>!${LOCK}!${safety(page)}</p>
!${hasReceipt ? '' : html`<p>!${speech.say('reference')} <code>${view.internalReference}</code></p>`}
<p>!${speech.say('paymentBy')}</p>
</footer>`
}

/** On pages without a payment. */
export const smallFooter = ({ say }: Translator): string => html`<footer>
<p>!${LOCK}!${say('neverAsked')}</p>
<p>!${say('paymentBy')}</p>
</footer>`

/** Keeps a phone number on one line. */
const NO_BREAK = '\u00a0'

/** Allowed links, whatever is stored. */
const CONTACT = /^(?:tel:\+\d+|mailto:[^\s?]+|https:\/\/\S+)$/

function questions({ view, speech: { say } }: PaymentPage): string {
  const { supportContact = '' } = view.brand
  if (!CONTACT.test(supportContact)) return ''
  const text = html`${plainLine(supportText(supportContact)).replaceAll(' ', NO_BREAK)}`
  // A long address may wrap before its host.
  const contact = html`<a href="${supportContact}">!${text.replace('@', '<wbr>@')}</a>`
  return html`<p>!${say('questions', { merchant: named(view.merchantName), contact })}</p>`
}

/** Claims no encryption on an unencrypted connection, such as a developer's own machine. */
const safety = ({ secureHost, speech: { say } }: PaymentPage): string =>
  [
    secureHost === undefined ? '' : say('encryptedTo', { host: html`<strong>${secureHost}</strong>` }),
    say('neverAsked'),
  ]
    .filter(Boolean)
    .join(' ')

const LOCK =
  '<svg class="lock" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path fill="currentColor" d="M8 1a3.5 3.5 0 0 0-3.5 3.5V7H3.5A1 1 0 0 0 2.5 8v6a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V8a1 1 0 0 0-1-1h-1V4.5A3.5 3.5 0 0 0 8 1Zm2 6H6V4.5a2 2 0 1 1 4 0Z"/></svg>'
