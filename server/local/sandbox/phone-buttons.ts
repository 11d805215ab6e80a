import { html } from 'ghtml'
import type { OrderType } from '../../domain/provider.ts'
import { visible } from '../../domain/received/text.ts'
import { transactionUrl } from './inbox-filter.ts'
import type { SayInbox } from './inbox-texts.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

interface OnPhone {
  readonly internalReference: string
  readonly merchantReference: string
  readonly type: OrderType
}

/** What ends a payment that waits for its phone: one form for each decision. */
export const phoneButtons = (say: SayInbox, { internalReference, merchantReference, type }: OnPhone): string =>
  html`<div class="buttons">!${(['approve', 'decline'] as const).map(
    (decision) =>
      html`<form method="post" action="${transactionUrl(internalReference)}/${decision}"><button>${say(`${decision}${type}`)}<span class="unseen"> ${visible(merchantReference)}</span></button></form>`,
  )}</div>`
