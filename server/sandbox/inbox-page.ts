import { createHash } from 'node:crypto'
import { html } from 'ghtml'
import { card } from './inbox-card.ts'
import type { InboxMessage } from './inbox-message.ts'
import { STYLE } from './inbox-style.ts'
import { block, filterUrl, visible } from './inbox-text.ts'
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

const filterForm = (merchantReference: string | undefined): string => html`
  <form class="filter" method="get" action="/sandbox/inbox" role="search">
    <label for="reference">Merchant reference</label>
    <input id="reference" name="reference" value="${visible(merchantReference ?? '')}" maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false">
    <button class="button" type="submit">Show</button>
    !${merchantReference === undefined ? '' : '<a class="button" href="/sandbox/inbox">Show all</a>'}
  </form>`

const emptyState = (merchantReference: string | undefined, baseUrl: string): string => html`
  <section class="card">
    <h2>!${merchantReference === undefined ? 'Nothing has arrived yet' : html`Nothing with the reference <bdi><code>${visible(merchantReference)}</code></bdi>`}</h2>
    !${tryIt(baseUrl)}
  </section>`

const tryIt = (baseUrl: string): string => html`
    <p>Paste this into a shell. A moment later the payment is complete and its callback is here: refresh this page.</p>
    !${block('Command that makes a callback arrive', collectionCommand(baseUrl))}
    <p>The end of the phone number chooses what happens: <code>123</code> completes, <code>002</code> fails for lack of money, <code>004</code> is declined by the customer. <a href="/docs">All test numbers</a> are in the docs.</p>`

const collectionCommand = (baseUrl: string): string => `curl ${baseUrl}/collections/initialize \\
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
