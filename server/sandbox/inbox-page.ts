import { createHash } from 'node:crypto'
import { html } from 'ghtml'
import { decimalsOf } from '../domain/money.ts'
import { RSA_KEY_ID } from './inbox-checks.ts'
import type { Check, InboxMessage, Summary } from './inbox-message.ts'
import { STYLE } from './inbox-style.ts'
import { DEMO_MERCHANT } from './providers.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here. A literal text must therefore never end in an
// exclamation mark.

/** Nothing is loaded, nothing runs, nobody frames it: only our own style (by its digest) and forms back to us. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

export interface InboxPage {
  readonly messages: readonly InboxMessage[]
  /** Only messages of this reference are shown. */
  readonly merchantReference: string | undefined
  readonly baseUrl: string
}

/** The list, newest first. */
export const inboxPage = ({ messages, merchantReference, baseUrl }: InboxPage): string =>
  page(
    'Sandbox inbox · Malipo',
    html`
  <header class="top">
    <h1>Sandbox inbox</h1>
    <p class="lead">What Malipo sent to the demo merchant: callbacks and payout handshakes, newest first, every signature checked.</p>
    <nav class="tools" aria-label="Inbox">
      <a class="button" href="!${merchantReference === undefined ? '/sandbox/inbox' : filterUrl(merchantReference)}">Refresh</a>
      !${messages.length > 0 ? html`<form method="post" action="/sandbox/inbox/clear"><button class="button" type="submit">Empty the inbox</button></form>` : ''}
      <a class="button" href="/docs">API docs</a>
    </nav>
    !${messages.length > 0 || merchantReference !== undefined ? filterForm(merchantReference) : ''}
  </header>
  <main>
    !${
      messages.length > 0
        ? html`
      <p class="count">!${count(messages.length)}</p>
      !${messages.map((message) => card(message, baseUrl, 'list'))}
      <details class="help"><summary>Make another callback arrive</summary>!${tryIt(baseUrl)}</details>`
        : emptyState(merchantReference, baseUrl)
    }
    <details class="help"><summary>Rehearse failures, read it from a script</summary>!${rehearsals(baseUrl)}</details>
  </main>`,
  )

/** One message, complete. */
export const messagePage = ({
  message,
  baseUrl,
}: {
  readonly message: InboxMessage
  readonly baseUrl: string
}): string =>
  page(
    `Message ${message.id} · Sandbox inbox · Malipo`,
    html`
  <header class="top">
    <p><a href="/sandbox/inbox">← Inbox</a></p>
    <h1>Message ${message.id}</h1>
  </header>
  <main>!${card(message, baseUrl, 'single')}</main>`,
  )

const page = (title: string, content: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>!${STYLE}</style>
</head>
<body>!${content}
</body>
</html>
`

function count(shown: number): string {
  if (shown === 1) return '1 message'
  return shown < 100 ? html`${shown} messages` : html`The newest ${shown} messages. The inbox keeps 500.`
}

const filterUrl = (merchantReference: string): string =>
  html`/sandbox/inbox?reference=${encodeURIComponent(merchantReference.toWellFormed())}`

const filterForm = (merchantReference: string | undefined): string => html`
  <form class="filter" method="get" action="/sandbox/inbox" role="search">
    <label for="reference">Merchant reference</label>
    <input id="reference" name="reference" value="${visible(merchantReference ?? '')}" maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false">
    <button class="button" type="submit">Show</button>
    !${merchantReference === undefined ? '' : '<a class="button" href="/sandbox/inbox">Show all</a>'}
  </form>`

function card(message: InboxMessage, baseUrl: string, where: 'list' | 'single'): string {
  const { id, kind, receivedAt, delivery, answered } = message
  const badChecks = Object.values(message.checks).filter(({ verdict }) => verdict === 'bad').length
  const title = html`<span class="badge !${tone(message)}">${visible(statusOf(message))}</span> !${headline(message)}`
  return html`
  <article class="!${badChecks > 0 ? 'card wrong' : 'card'}" aria-labelledby="title-${id}">
    <h2 id="title-${id}">!${title}</h2>
    <p class="meta">
      !${whatItIs(message)} · <time datetime="${receivedAt.toISOString()}">${readableTime(receivedAt)}</time>
      !${delivery > 1 ? html`<strong class="again">${ordinal(delivery)} delivery</strong>` : ''}
      !${answered === 200 ? '' : html`<strong class="again">answered ${answered}</strong>`}
    </p>
    !${badChecks > 0 ? html`<p class="alarm"><strong>${badChecks === 1 ? 'A signature is bad.' : `${badChecks} signatures are bad.`}</strong> A merchant must not believe this message.</p>` : ''}
    !${facts(message)}
    <h3>Signatures</h3>
    !${verdicts(message)}
    !${headerDetails(message)}
    !${bodyDetails(message, where)}
    !${kind === 'callback' ? ownCheck(message, baseUrl) : ''}
    !${where === 'list' ? html`<p class="open"><a href="/sandbox/inbox/${id}">Open message ${id}</a></p>` : ''}
  </article>`
}

const statusOf = ({ kind, summary }: InboxMessage): string =>
  kind === 'handshake' ? 'HANDSHAKE' : (summary.transactionStatus ?? 'UNKNOWN')

function tone({ kind, summary: { transactionStatus } }: InboxMessage): string {
  if (kind === 'handshake') return 'calm'
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

function amountText(amount: number | undefined, currency: string | undefined): string | undefined {
  if (amount === undefined) return undefined
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return visible(`${amount} ${currency ?? ''}`)
  const decimals = decimalsOf(currency)
  return `${new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 6) }).format(amount)} ${currency}`
}

function facts(message: InboxMessage): string {
  const { summary, merchantReference, webhookId, delivery, signer } = message
  const charge = amountText(summary.charge, summary.currency)
  const list: readonly (readonly [name: string, markup: string] | undefined)[] = [
    fact('Status message', summary.statusMessage),
    merchantReference === undefined
      ? undefined
      : [
          'Merchant reference',
          html`<a href="!${filterUrl(merchantReference)}"><bdi><code>${visible(merchantReference)}</code></bdi></a>`,
        ],
    code('Internal reference', summary.internalReference),
    code('Account', summary.account === undefined ? undefined : maskAccount(summary.account)),
    code('Provider', summary.providerCode),
    fact('Charge', charge),
    delivery > 1 && webhookId !== undefined
      ? ['Delivery', html`${ordinal(delivery)} delivery of <code>${visible(webhookId)}</code>`]
      : undefined,
    signer !== undefined && signer !== DEMO_MERCHANT.name ? fact('Signed for', signer) : undefined,
  ]
  return html`<dl>!${list.filter((entry) => entry !== undefined).map(([name, markup]) => html`<div><dt>${name}</dt><dd>!${markup}</dd></div>`)}</dl>`
}

const fact = (name: string, value: string | undefined) =>
  value === undefined ? undefined : ([name, html`<bdi>${visible(value)}</bdi>`] as const)
const code = (name: string, value: string | undefined) =>
  value === undefined ? undefined : ([name, html`<bdi><code>${visible(value)}</code></bdi>`] as const)

/** All but the last three digits are hidden: the summary may be on a screen that others see. */
export const maskAccount = (account: string): string => {
  const characters = [...account]
  return characters.length <= 3
    ? '•'.repeat(characters.length)
    : '•'.repeat(characters.length - 3) + characters.slice(-3).join('')
}

function verdicts({ checks }: InboxMessage): string {
  const list = [
    ['webhook-signature', checks.webhook],
    ['hmac-signature', checks.hmac],
    ['rsa-signature', checks.rsa],
  ] as const
  return html`<ul class="verdicts">!${list.filter(([, check]) => check.verdict !== 'not_expected').map(([name, check]) => verdict(name, check))}</ul>`
}

function verdict(name: string, check: Check): string {
  if (check.verdict !== 'bad')
    return html`<li class="good"><span aria-hidden="true">✓</span> <code>${name}</code> is <strong>good</strong></li>`
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

/** Beyond this, indentation helps no reader, and deep nesting would make it quadratic. */
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

// Only what Malipo itself sends: these texts go into commands that people paste into a shell.
const PLAIN_TEXT = /^[A-Za-z0-9._~:-]+$/
const PLAIN_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

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

/**
 * Downloads the public key and verifies the signature with openssl; absent when the message holds a character that
 * Malipo never sends.
 */
export function opensslCommand(
  { signedText }: Summary,
  { 'rsa-signature': signature, 'rsa-key-id': keyId }: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
): string | undefined {
  if (
    signedText === undefined ||
    signature === undefined ||
    keyId === undefined ||
    !PLAIN_TEXT.test(signedText) ||
    !PLAIN_BASE64.test(signature) ||
    !RSA_KEY_ID.test(keyId)
  )
    return undefined
  return `curl -sf ${baseUrl}/.well-known/malipo-rsa/${keyId}.pem -o malipo-rsa.pem
printf %s '${signature}' | openssl base64 -d -A -out signature.bin
printf %s '${signedText}' | openssl dgst -sha256 -verify malipo-rsa.pem -signature signature.bin`
}

const emptyState = (merchantReference: string | undefined, baseUrl: string): string => html`
  <section class="card">
    <h2>!${merchantReference === undefined ? 'Nothing has arrived yet' : html`Nothing with the reference <bdi><code>${visible(merchantReference)}</code></bdi>`}</h2>
    !${tryIt(baseUrl)}
  </section>`

const tryIt = (baseUrl: string): string => html`
    <p>Paste this into a shell. A moment later the payment is complete and its callback is here: refresh this page.</p>
    !${block('Command that makes a callback arrive', curlLine(baseUrl))}
    <p>The end of the phone number chooses what happens: <code>123</code> completes, <code>002</code> fails for lack of money, <code>004</code> is declined by the customer. <a href="/docs">All test numbers</a> are in the docs.</p>`

const curlLine = (baseUrl: string): string => `curl ${baseUrl}/collections/initialize \\
  -H 'public-key: ${DEMO_MERCHANT.keys.publicKey}' \\
  -H 'secret-key: ${DEMO_MERCHANT.keys.secretKey}' \\
  -H 'x-api-version: 1' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "transaction_method": "MOBILE_MONEY",
    "provider_code": "mtn_ug",
    "merchant_reference": "auto",
    "msisdn": "256772000123",
    "currency": "UGX",
    "amount": 5000,
    "description": "Sandbox test",
    "charge_customer": false,
    "allow_final_status_change": false
  }'`

const rehearsals = (baseUrl: string): string => html`
    <p>The inbox acknowledges everything with 200. Give a merchant another callback URL to see what Malipo does when a server misbehaves; the messages are shown here all the same:</p>
    <dl>
      <div><dt>It fails, deliveries are repeated</dt><dd><code>${baseUrl}/sandbox/inbox?answer=500</code></dd></div>
      <div><dt>It is too slow (Malipo waits 15 seconds)</dt><dd><code>${baseUrl}/sandbox/inbox?delay=20000</code></dd></div>
      <div><dt>It refuses a payout (verification URL)</dt><dd><code>${baseUrl}/sandbox/inbox/handshake?answer=404</code></dd></div>
    </dl>
    <p>Scripts and tests read the same messages as JSON:</p>
    !${block('Command that reads the inbox as JSON', `curl -H 'Accept: application/json' '${baseUrl}/sandbox/inbox?reference=YOUR-REFERENCE'`)}`

/** Text to read and copy; long ones scroll inside, also by keyboard. */
const block = (label: string, text: string): string =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${visible(text)}</pre>`

// Characters that reorder, hide or break text (Unicode bidi controls, zero width, C0 and C1 controls): shown as
// escapes, so that what is read is what was sent.
const HIDDEN_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
const visible = (text: string): string =>
  text.replace(HIDDEN_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const readableTime = (at: Date): string => `${TIME.format(at)} UTC`
const bytes = (size: number): string => `${size.toLocaleString('en')} bytes`

const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' })
const ORDINAL_ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (n: number): string => `${n}${ORDINAL_ENDINGS[ORDINAL_RULES.select(n)] ?? 'th'}`
