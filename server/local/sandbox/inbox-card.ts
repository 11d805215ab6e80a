import { html } from 'ghtml'
import type { Check, InboxMessage } from './inbox-message.ts'
import { anchorOf, filterUrl, transactionUrl } from './inbox-filter.ts'
import { amountText, block, bytes, maskAccount, ordinal, readableTime, visible } from './inbox-text.ts'
import { opensslCommand } from './openssl-command.ts'
import { DEMO_MERCHANT } from './providers.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

interface CardPlace {
  readonly baseUrl: string
  readonly where: 'list' | 'single'
  /** References whose links lead here. */
  readonly anchors: readonly string[]
  /** Query of the page that is shown again after a message was resent. */
  readonly query: string
}

/** One message: its content, whether its signatures are good, and how to check that. */
export function card(message: InboxMessage, { baseUrl, where, anchors, query }: CardPlace): string {
  const { id, kind, receivedAt, delivery, answered } = message
  const badChecks = badChecksOf(message)
  const title = html`<span class="badge !${tone(message)}">${visible(statusOf(message))}</span> !${headline(message)}`
  return html`
  <article class="!${badChecks > 0 ? 'card wrong' : 'card'}" id="message-${id}" aria-labelledby="title-${id}">
    !${anchors.map(anchor)}
    <h2 id="title-${id}">!${title}</h2>
    <p class="meta">
      !${whatItIs(message)} · <time datetime="${receivedAt.toISOString()}">${readableTime(receivedAt)}</time>
      !${delivery > 1 ? html`<strong class="again">${ordinal(delivery)} delivery</strong>` : ''}
      !${answered === 200 ? '' : html`<strong class="again">answered ${answered}</strong>`}
    </p>
    !${badChecks > 0 ? html`<p class="alarm"><strong>${badChecks === 1 ? 'A signature is bad.' : `${badChecks} signatures are bad.`}</strong> A merchant must not believe this message.</p>` : ''}
    !${where === 'list' ? inShort(message) : inFull(message)}
    <div class="folds">
      !${where === 'list' ? moreFacts(message) : ''}
      !${headerDetails(message)}
      !${bodyDetails(message, where)}
      !${kind === 'callback' ? ownCheck(message, baseUrl) : ''}
    </div>
    !${ways(message, where, query)}
  </article>`
}

function anchor(reference: string): string {
  const id = anchorOf(reference)
  return id === undefined ? '' : html`<span class="anchor" id="${id}"></span>`
}

/** Possible actions on a message. */
function ways(
  { id, kind, webhookId, merchantReference, summary }: InboxMessage,
  where: CardPlace['where'],
  query: string,
) {
  const reference = summary.internalReference ?? merchantReference
  const resend = html`<form method="post" action="/sandbox/inbox/${id}/resend${query}"><button class="button" type="submit">Send again<span class="unseen"> message ${id}</span></button></form>`
  const events = html`<a href="${transactionUrl(reference ?? '')}">Events<span class="unseen"> of the transaction of message ${id}</span></a>`
  return html`<div class="ways">
    !${where === 'list' ? html`<a href="/sandbox/inbox/${id}">Open<span class="unseen"> message ${id}</span></a>` : ''}
    !${reference === undefined ? '' : events}
    !${kind === 'callback' && webhookId !== undefined ? resend : ''}</div>`
}

const statusOf = ({ kind, summary }: InboxMessage): string =>
  kind === 'handshake' ? 'HANDSHAKE' : (summary.transactionStatus ?? 'UNKNOWN')

const badChecksOf = ({ checks }: InboxMessage): number =>
  Object.values(checks).filter(({ verdict }) => verdict === 'bad').length

function tone(message: InboxMessage): string {
  const { transactionStatus } = message.summary
  // A forged success is not shown as good.
  if (message.kind === 'handshake' || badChecksOf(message) > 0) return 'calm'
  if (transactionStatus === 'COMPLETED') return 'good'
  return transactionStatus === 'FAILED' ? 'bad' : 'calm'
}

function whatItIs({ kind, summary: { event, transactionType } }: InboxMessage): string {
  if (kind === 'handshake') return 'Payout handshake'
  const type = { COLLECTION: 'Collection · ', PAYOUT: 'Payout · ' }[transactionType ?? ''] ?? ''
  return html`!${type}<code>${visible(event ?? 'no event')}</code>`
}

function headline({ kind, summary }: InboxMessage): string {
  if (kind === 'handshake') return html`<span class="amount">Is this payout yours?</span>`
  const amount = amountText(summary.amount, summary.currency)
  return amount === undefined
    ? html`<span class="amount none">no amount</span>`
    : html`<span class="amount">${amount}</span>`
}

type CardRow = readonly [name: string, markup: string]

/** What distinguishes a message in the list; good signatures do not need a line each. */
const inShort = (message: InboxMessage): string => html`
    !${table(mainFacts(message))}
    !${verdicts(message, 'bad') || html`<p class="verified">!${GOOD_MARK} Every signature is <strong>good</strong></p>`}`

const inFull = (message: InboxMessage): string => html`
    !${table([...mainFacts(message), ...otherFacts(message)])}
    <h3>Signatures</h3>
    !${verdicts(message)}`

function moreFacts(message: InboxMessage): string {
  const facts = otherFacts(message)
  return facts.length === 0 ? '' : html`<details><summary>Details</summary>!${table(facts)}</details>`
}

const table = (facts: readonly CardRow[]): string =>
  html`<dl>!${facts.map(([name, markup]) => html`<div><dt>${name}</dt><dd>!${markup}</dd></div>`)}</dl>`

function mainFacts({ summary, merchantReference, webhookId, delivery, signer }: InboxMessage): CardRow[] {
  const facts: readonly (CardRow | undefined)[] = [
    fact('Status message', summary.statusMessage),
    merchantReference === undefined
      ? undefined
      : [
          'Merchant reference',
          html`<a href="${filterUrl({ reference: merchantReference })}"><bdi><code>${visible(merchantReference)}</code></bdi></a>`,
        ],
    // Shared by all deliveries of one callback.
    delivery > 1 ? code('webhook-id', webhookId) : undefined,
    signer !== undefined && signer !== DEMO_MERCHANT.name ? fact('Signed for', signer) : undefined,
  ]
  return facts.filter((one) => one !== undefined)
}

const otherFacts = ({ summary }: InboxMessage): CardRow[] =>
  [
    code('Internal reference', summary.internalReference),
    code('Account', summary.account === undefined ? undefined : maskAccount(summary.account)),
    code('Provider', summary.providerCode),
    fact('Charge', amountText(summary.charge, summary.currency)),
  ].filter((one) => one !== undefined)

const fact = (name: string, value: string | undefined) =>
  value === undefined ? undefined : ([name, html`<bdi>${visible(value)}</bdi>`] as const)
const code = (name: string, value: string | undefined) =>
  value === undefined ? undefined : ([name, html`<bdi><code>${visible(value)}</code></bdi>`] as const)

const GOOD_MARK = '<span aria-hidden="true">✓</span>'

/** @param only shows only this verdict, and returns an empty text if there is none; undefined: every verdict */
function verdicts({ checks }: InboxMessage, only?: Check['verdict']): string {
  const named = [
    ['webhook-signature', checks.webhook],
    ['hmac-signature', checks.hmac],
    ['rsa-signature', checks.rsa],
  ] as const
  const list = named.filter(([, { verdict }]) => verdict !== 'not_expected')
  const isReported = only === undefined || list.some(([, { verdict }]) => verdict === only)
  return isReported ? html`<ul class="verdicts">!${list.map(([name, check]) => verdict(name, check))}</ul>` : ''
}

function verdict(name: string, check: Check): string {
  if (check.verdict !== 'bad')
    return html`<li class="good">!${GOOD_MARK} <code>${name}</code> is <strong>good</strong></li>`
  return html`<li class="bad"><span aria-hidden="true">✗</span> <code>${name}</code> is <strong>bad</strong>
    <p>${check.why}.</p>!${check.expected === undefined ? '' : html`<p>Expected: <code>${check.expected}</code></p>`}</li>`
}

function headerDetails({ id, headers }: InboxMessage): string {
  const entries = Object.entries(headers)
  return html`<details><summary>Headers <span class="size">${entries.length}</span></summary>
    !${block(`Headers of message ${id}`, entries.map(([name, value]) => `${name}: ${value}`).join('\n'))}</details>`
}

function bodyDetails({ id, body, bodyBytes, kind }: InboxMessage, where: 'list' | 'single'): string {
  if (bodyBytes === 0)
    return html`<p class="none">!${kind === 'handshake' ? 'A handshake has no body: its signature covers webhook-id and webhook-timestamp.' : 'The body is empty.'}</p>`
  const text = body.toString('utf8')
  const pretty = body.length === bodyBytes ? prettyJson(text) : undefined
  const rest =
    body.length < bodyBytes
      ? html`<p class="none">The first ${bytes(body.length)} of ${bytes(bodyBytes)}. <a href="/sandbox/inbox/${id}">Open the message</a> for the rest.</p>`
      : ''
  return html`<details !${where === 'single' ? 'open' : ''}><summary>Body <span class="size">${bytes(bodyBytes)}</span></summary>!${block(`Body of message ${id}`, pretty ?? text)}!${rest}</details>
    !${where === 'single' && pretty !== undefined ? html`<details><summary>Body, byte for byte</summary>!${block(`Body of message ${id} as it was sent`, text)}</details>` : ''}`
}

/** Larger bodies are not indented: it helps no reader, and deep nesting would make the size quadratic. */
const PRETTY_MAX_CHARACTERS = 65_536
const PRETTY_MAX_DEPTH = 32

function prettyJson(text: string): string | undefined {
  if (text.length > PRETTY_MAX_CHARACTERS || depthOf(text) > PRETTY_MAX_DEPTH) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** An upper bound: brackets inside strings count too. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

function ownCheck({ id, summary, headers }: InboxMessage, baseUrl: string): string {
  const command = opensslCommand(summary, headers, baseUrl)
  const { signedText } = summary
  if (command === undefined || signedText === undefined) return ''
  return html`<details><summary>Check it yourself</summary>
    <p>openssl alone checks <code>rsa-signature</code>. Signed is this text:</p>
    !${block(`Text that message ${id} signs`, signedText)}
    <p>Tap the command to select it, then paste it into a shell. It prints <code>Verified OK</code> when the signature is good.</p>
    !${block(`Command that checks message ${id}`, command)}
    <p class="none">This text covers neither amount nor time. <code>webhook-signature</code> covers the whole message: rely on that one.</p></details>`
}
