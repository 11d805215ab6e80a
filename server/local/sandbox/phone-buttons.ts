import { html } from 'ghtml'
import type { TransactionType } from '../../domain/provider.ts'
import { transactionUrl } from './inbox-filter.ts'
import { visible } from './inbox-text.ts'
import type { PhoneDecision } from './phone.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

interface OnPhone {
  readonly internalReference: string
  readonly merchantReference: string
  readonly type: TransactionType
}

const TEXTS = {
  COLLECTION: { approve: "Approve on the customer's phone", decline: "Decline on the customer's phone" },
  PAYOUT: { approve: 'Pay the recipient', decline: 'Decline for the recipient' },
} as const satisfies Record<TransactionType, Record<PhoneDecision, string>>

/** What ends a payment that waits for its phone: one form for each decision. */
export const phoneButtons = ({ internalReference, merchantReference, type }: OnPhone): string =>
  html`<div class="phone">!${(['approve', 'decline'] as const).map(
    (decision) =>
      html`<form method="post" action="${transactionUrl(internalReference)}/${decision}"><button class="button" type="submit">${TEXTS[type][decision]}<span class="unseen"> for ${visible(merchantReference)}</span></button></form>`,
  )}</div>`

/** What follows from a decision, for the page that is shown after it. */
export const DECIDED: Readonly<Record<PhoneDecision, string>> = {
  approve: 'Approved. The operator reports it within a second.',
  decline: 'Declined. The operator reports it within a second.',
}
