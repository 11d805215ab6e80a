import { html } from 'ghtml'
import { alarm, block, bodyOf, headersOf, isBelieved, verdicts } from '../../admin/console/look/message.ts'
import { badge, facts, statusBadge, when, type Fact } from '../../admin/console/look/values.ts'
import type { Viewer } from '../../admin/console/look/viewer.ts'
import type { InboxMessage, Summary } from '../../domain/received/message.ts'
import { maskAccount } from '../../domain/phone.ts'
import { amountText, visible } from '../../domain/received/text.ts'
import { anchorOf, filterUrl, transactionUrl } from './inbox-filter.ts'
import { inboxTexts, type SayInbox } from './inbox-texts.ts'
import { opensslCommand } from './openssl-command.ts'
import { DEMO_MERCHANT } from './providers.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

interface CardPlace {
  readonly viewer: Viewer
  readonly baseUrl: string
  readonly where: 'list' | 'single'
  /** References whose links lead here. */
  readonly anchors: readonly string[]
  /** Query of the page that is shown again after a message was resent. */
  readonly query: string
}

/** One message: its content, whether its signatures are good, and how to check that. */
export function card(message: InboxMessage, { viewer, baseUrl, where, anchors, query }: CardPlace): string {
  const { id, kind, receivedAt, delivery, answered, checks } = message
  const say = inboxTexts(viewer)
  const isAlone = where === 'single'
  const mark = (text: string): string => badge(text, 'warn')
  const rest = html`<a href="/sandbox/inbox/${id}">${say('openMessage')}</a>`
  const others = otherFacts(say, message)
  return html`
  <article class="card !${isBelieved(checks) ? '' : 'wrong'}" id="message-${id}" aria-labelledby="title-${id}">
    !${anchors.map(anchor)}
    <h2 id="title-${id}">!${statusOf(message)} !${headline(say, message)}</h2>
    <p class="soft">!${whatItIs(say, message)} · !${when(viewer, receivedAt, true)}
      !${delivery > 1 ? mark(say('delivery', { count: String(delivery) })) : ''}!${answered === 200 ? '' : mark(say('answered', { status: String(answered) }))}</p>
    !${alarm(viewer, checks)}
    !${facts([...mainFacts(say, message), ...(isAlone ? others : [])])}
    !${verdicts(viewer, checks, isAlone)}
    <div class="folds">
      !${isAlone || others.length === 0 ? '' : html`<details><summary>${say('details')}</summary>!${facts(others)}</details>`}
      !${headersOf(viewer, message)}!${bodyOf(viewer, message, isAlone, rest)}
      !${kind === 'callback' ? ownCheck(say, message, baseUrl) : ''}
    </div>
    !${ways(say, message, where, query)}
  </article>`
}

function anchor(reference: string): string {
  const id = anchorOf(reference)
  return id === undefined ? '' : html`<span class="anchor" id="${id}"></span>`
}

/** Possible actions on a message. */
function ways(
  say: SayInbox,
  { id, kind, webhookId, merchantReference, summary }: InboxMessage,
  where: CardPlace['where'],
  query: string,
): string {
  const reference = summary.internalReference ?? merchantReference
  const which = html`<span class="unseen"> ${say('ofMessage', { id: String(id) })}</span>`
  const resend = html`<form method="post" action="/sandbox/inbox/${id}/resend${query}"><button>${say('sendAgain')}!${which}</button></form>`
  return html`<div class="buttons">
    !${where === 'list' ? html`<a class="button" href="/sandbox/inbox/${id}">${say('open')}!${which}</a>` : ''}
    !${reference === undefined || isOfBatch(summary) ? '' : html`<a class="button" href="${transactionUrl(reference)}">${say('events')}!${which}</a>`}
    !${kind === 'callback' && webhookId !== undefined ? resend : ''}</div>`
}

/** A forged success is not shown as good. */
function statusOf({ kind, checks, summary: { transactionStatus } }: InboxMessage): string {
  if (kind === 'handshake') return badge('HANDSHAKE', 'calm')
  const status = visible(transactionStatus ?? 'UNKNOWN')
  return isBelieved(checks) ? statusBadge(status) : badge(status, 'calm')
}

function whatItIs(say: SayInbox, { kind, summary: { event, transactionType } }: InboxMessage): string {
  if (kind === 'handshake') return html`${say(event === undefined ? 'handshake' : 'batchHandshake')}`
  const isKnown = transactionType === 'COLLECTION' || transactionType === 'PAYOUT'
  return html`${isKnown ? `${say(transactionType)} · ` : ''}<code>${visible(event ?? say('noEvent'))}</code>`
}

/** A batch is no transaction, whose events could be shown. */
const isOfBatch = ({ event = '' }: Summary): boolean => event.startsWith('payout_batch.')

function headline(say: SayInbox, { kind, summary }: InboxMessage): string {
  if (kind === 'handshake') return html`${say(isOfBatch(summary) ? 'isBatchYours' : 'isItYours')}`
  return html`<span class="money">${amountText(summary.amount, summary.currency) ?? say('noAmount')}</span>`
}

/** What distinguishes a message in the list. */
function mainFacts(
  say: SayInbox,
  { summary, merchantReference, webhookId, delivery, signer }: InboxMessage,
): readonly Fact[] {
  const link = (text: string): string =>
    html`<a class="quiet" href="${filterUrl({ reference: text })}"><bdi><code>${visible(text)}</code></bdi></a>`
  return [
    { name: say('statusMessage'), value: plain(summary.statusMessage) },
    { name: say('merchantReference'), value: merchantReference && link(merchantReference) },
    // Shared by all deliveries of one callback.
    { name: 'webhook-id', value: delivery > 1 ? code(webhookId) : undefined },
    { name: say('signedFor'), value: signer === DEMO_MERCHANT.name ? undefined : plain(signer) },
  ]
}

const otherFacts = (say: SayInbox, { summary }: InboxMessage): readonly Fact[] =>
  [
    { name: say('internalReference'), value: code(summary.internalReference) },
    { name: say('account'), value: code(summary.account === undefined ? undefined : maskAccount(summary.account)) },
    { name: say('provider'), value: code(summary.providerCode) },
    { name: say('charge'), value: plain(amountText(summary.charge, summary.currency)) },
  ].filter(({ value }) => value !== undefined)

const plain = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : html`<bdi>${visible(text)}</bdi>`
const code = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : html`<bdi><code>${visible(text)}</code></bdi>`

function ownCheck(say: SayInbox, { id, summary, headers }: InboxMessage, baseUrl: string): string {
  const command = opensslCommand(summary, headers, baseUrl)
  const { signedText } = summary
  if (command === undefined || signedText === undefined) return ''
  return html`<details><summary>${say('checkYourself')}</summary>
    <p>${say('openssl')}</p>
    !${block(say('signedText', { id: String(id) }), signedText)}
    <p>${say('tap')}</p>
    !${block(say('checkCommand', { id: String(id) }), command)}
    <p class="soft">${say('coversLittle')}</p></details>`
}
