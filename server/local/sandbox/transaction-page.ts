import { html } from 'ghtml'
import type { RenderedPage } from '../../payment-page/layout.ts'
import { button, facts, section, statusBadge, timeline, when } from '../../admin/console/look/values.ts'
import { maskAccount } from '../../domain/phone.ts'
import { visible } from '../../domain/received/text.ts'
import type { TimelineStep } from '../../admin/queries/timeline.ts'
import type { StaffTransaction } from '../../admin/queries/transactions.ts'
import { filterUrl, transactionUrl } from './inbox-filter.ts'
import { inboxTexts } from './inbox-texts.ts'
import { phoneButtons } from './phone-buttons.ts'
import type { PhoneDecision } from './phone.ts'
import { backToInbox, sandboxPage, type Frame } from './sandbox-page.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

/** A transaction with its events. */
export interface TransactionTimeline {
  readonly transaction: StaffTransaction
  readonly steps: readonly TimelineStep[]
  /** Whether its customer, or recipient, decides on a simulated phone. */
  readonly isOnPhone: boolean
  /** The phones of its operator, for an order on the wire. */
  readonly phonesUrl?: string
}

/**
 * All transactions with a reference, each with its events: several when merchants use the same one.
 * @param decided on the phone just now
 */
export function transactionPage(
  frame: Frame,
  reference: string,
  reported: readonly TransactionTimeline[],
  decided?: PhoneDecision,
): RenderedPage {
  const say = inboxTexts(frame.viewer)
  return sandboxPage(frame, {
    title: `${say('transaction')} ${visible(reference)}`,
    back: backToInbox(frame),
    aside: html`<p class="buttons">!${button({ href: transactionUrl(reference), text: say('refresh') })}!${button({ href: filterUrl({ reference }), text: say('itsMessages') })}</p>`,
    ...(decided && { flash: { kind: 'done' as const, text: say(decided === 'approve' ? 'approved' : 'declined') } }),
    content: reported.map((one) => partOf(frame, one)).join(''),
  })
}

function partOf({ viewer }: Frame, { transaction, steps, isOnPhone, phonesUrl }: TransactionTimeline): string {
  const say = inboxTexts(viewer)
  const { status, amount, statusMessage, merchantName, providerCode, account, type, createdAt } = transaction
  const code = (text: string): string => html`<bdi><code>${visible(text)}</code></bdi>`
  return html`<div class="columns">!${section(
    viewer.money(amount),
    html`!${facts([
      { name: say('statusMessage'), value: html`<bdi>${visible(statusMessage)}</bdi>` },
      { name: say('merchant'), value: html`<bdi>${visible(merchantName)}</bdi>` },
      { name: say('merchantReference'), value: code(transaction.merchantReference) },
      { name: say('internalReference'), value: code(transaction.internalReference) },
      {
        name: say(type === 'COLLECTION' ? 'from' : 'to'),
        value: html`!${code(maskAccount(account))} !${code(providerCode)}`,
      },
      { name: say('accepted'), value: html`${say(type)}, !${when(viewer, createdAt, true)}` },
    ])}!${isOnPhone ? phoneButtons(say, transaction) : ''}!${phonesUrl === undefined ? '' : html`<p>!${button({ href: phonesUrl, text: say('phones') })}</p>`}`,
    statusBadge(status),
  )}!${section(
    say('happened'),
    timeline(
      viewer,
      steps.map(({ at, kind, detail }) => ({
        at,
        title: kind.replaceAll('_', ' '),
        detail: html`${visible(detail)}`,
      })),
    ),
  )}</div>`
}
