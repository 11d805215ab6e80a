import { html } from 'ghtml'
import { section, statusBadge, when } from '../../admin/console/look/values.ts'
import type { Viewer } from '../../admin/console/look/viewer.ts'
import { visible } from '../../domain/received/text.ts'
import { transactionUrl } from './inbox-filter.ts'
import { inboxTexts } from './inbox-texts.ts'
import { phoneButtons } from './phone-buttons.ts'
import type { WaitingPayment } from './waiting-payments.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

/** The payments that have not called back yet, each with the reason; empty when there are none. */
export function waitingList(viewer: Viewer, payments: readonly WaitingPayment[], onPhone: ReadonlySet<string>): string {
  const say = inboxTexts(viewer)
  const entry = ({ transaction, delivery }: WaitingPayment): string => {
    const { internalReference, merchantReference, status, statusMessage, amount, createdAt } = transaction
    const why = delivery
      ? [say.counted('attempts', delivery.attempts), delivery.nextAttemptAt]
      : [say('since', { message: visible(statusMessage) }), createdAt]
    const [text, at] = why as [string, Date]
    const filled = text.replace('{fault}', visible(delivery?.fault ?? ''))
    return html`<li><div>!${statusBadge(status)} <span class="money">${viewer.money(amount)}</span>
<a class="quiet" href="${transactionUrl(internalReference)}"><bdi><code>${visible(merchantReference)}</code></bdi></a>
<p>${filled} !${when(viewer, at, true)}</p></div>!${onPhone.has(internalReference) ? phoneButtons(say, transaction) : ''}</li>`
  }
  return payments.length === 0
    ? ''
    : html`<div id="waiting">!${section(say('waiting'), html`<ul class="rows">!${payments.map(entry)}</ul>`)}</div>`
}
