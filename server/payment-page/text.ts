import { html } from 'ghtml'
import type { PaymentView } from '../actions/view-payment.ts'

// Characters that reorder, hide or break text (Unicode bidi controls, zero width, C0 and C1 controls). The joiners
// U+200C and U+200D stay: scripts and emoji need them.
const HIDDEN_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g

/**
 * A merchant's text as one plain line. Misleading characters are removed, because escapes do not help a customer;
 * `<bdi>` isolates its text direction.
 */
export const plainLine = (text: string): string =>
  text.toWellFormed().replace(HIDDEN_CHARACTERS, ' ').replace(/\s+/g, ' ').trim()

/** A name as markup with an isolated text direction. */
export const named = (name: string): string => html`<bdi>${plainLine(name)}</bdi>`

/** Who takes the money from the customer: the chosen bank, else the provider. */
export const payingThrough = ({ providerName, payment }: PaymentView): string =>
  payment.transaction.institutionName ?? providerName

export const strong = (text: string): string => html`<strong>${text}</strong>`

/**
 * The last digits of a phone or account number: enough for its owner to recognise it, too little for a shoulder
 * surfer.
 */
export const endOfAccount = (account: string): string => account.slice(-3)

/** The whole seconds until then, rounded up, never negative. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(0, Math.ceil((at.getTime() - now.getTime()) / 1000))
