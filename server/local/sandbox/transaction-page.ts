import { html } from 'ghtml'
import { amountToWire } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import type { TimelineStep } from '../../admin/queries/timeline.ts'
import type { StaffTransaction } from '../../admin/queries/transactions.ts'
import { filterUrl, transactionUrl } from './inbox-filter.ts'
import { amountText, readableTime, visible } from './inbox-text.ts'
import { DECIDED, phoneButtons } from './phone-buttons.ts'
import type { PhoneDecision } from './phone.ts'
import { sandboxPage } from './sandbox-page.ts'

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
export const transactionPage = (
  reference: string,
  reported: readonly TransactionTimeline[],
  decided?: PhoneDecision,
): string =>
  sandboxPage({
    title: `Transaction ${visible(reference)}`,
    content: html`
  <header class="top">
    <p class="back"><a href="/sandbox/inbox">← Inbox</a></p>
    <h1>Transaction</h1>
    <p class="lead"><bdi><code>${visible(reference)}</code></bdi></p>
    <nav class="tools" aria-label="Transaction">
      <a class="button" href="${transactionUrl(reference)}">Refresh</a>
      <a class="button" href="${filterUrl({ reference })}">Its messages</a>
    </nav>
    !${decided === undefined ? '' : html`<p class="notice" role="status">${DECIDED[decided]}</p>`}
  </header>
  <main>!${reported.map(section)}</main>`,
  })

const TONES: Readonly<Record<string, string>> = { COMPLETED: 'good', FAILED: 'bad' }

function section({ transaction, steps, isOnPhone, phonesUrl }: TransactionTimeline): string {
  const { id, status, amount, statusMessage, merchantName, providerCode, account, type } = transaction
  const code = (text: string): string => html`<code>${visible(text)}</code>`
  const facts: readonly (readonly [name: string, markup: string])[] = [
    ['Status message', html`${visible(statusMessage)}`],
    ['Merchant', html`${visible(merchantName)}`],
    ['Merchant reference', code(transaction.merchantReference)],
    ['Internal reference', code(transaction.internalReference)],
    [type === 'COLLECTION' ? 'From' : 'To', `${code(maskAccount(account))} by ${code(providerCode)}`],
  ]
  return html`
  <article class="card" aria-labelledby="title-${id}">
    <h2 id="title-${id}"><span class="badge !${TONES[status] ?? 'calm'}">${status}</span> <span class="amount">${amountText(amountToWire(amount.amountMinor, amount.currency), amount.currency)}</span></h2>
    <p class="meta">!${type === 'COLLECTION' ? 'Collection' : 'Payout'}, accepted <time datetime="${transaction.createdAt.toISOString()}">${readableTime(transaction.createdAt)}</time></p>
    <dl>!${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>!${value}</bdi></dd></div>`)}</dl>
    !${isOnPhone ? phoneButtons(transaction) : ''}
    !${phonesUrl === undefined ? '' : html`<p><a class="button" href="${phonesUrl}">The operator's phones</a></p>`}
    <h3>What happened</h3>
    <ol class="events">!${steps.map(step)}</ol>
  </article>`
}

const step = ({ at, kind, detail }: TimelineStep): string => html`
      <li><time datetime="${at.toISOString()}">${at.toISOString().replace('T', ' ').replace('Z', ' UTC')}</time> <strong>${kind.replaceAll('_', ' ')}</strong><p>${visible(detail)}</p></li>`
