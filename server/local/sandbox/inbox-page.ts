import { html } from 'ghtml'
import { card } from './inbox-card.ts'
import { filterQuery, filterUrl, INBOX_STATES, type InboxFilter, type InboxState } from './inbox-filter.ts'
import type { InboxMessage } from './inbox-message.ts'
import type { InboxCounts } from './inbox-store.ts'
import { block, visible } from './inbox-text.ts'
import { DEMO_MERCHANT } from './providers.ts'
import { sandboxPage } from './sandbox-page.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

interface InboxPage {
  readonly messages: readonly InboxMessage[]
  readonly filter: InboxFilter
  readonly counts: InboxCounts
  readonly version: string
  readonly baseUrl: string
  /** The message that was just resent. */
  readonly sent?: string
  /** Trusted markup: the payments that have not called back yet. */
  readonly waiting?: string
}

/** The list, newest first. */
export const inboxPage = ({ messages, filter, counts, version, baseUrl, sent, waiting = '' }: InboxPage): string =>
  sandboxPage({
    title: 'Sandbox inbox',
    version,
    content: html`
  <header class="top">
    <h1>Sandbox inbox</h1>
    <p class="lead">What Malipo sent to the demo merchant: callbacks and payout handshakes, newest first, every signature checked.</p>
    <nav class="tools" aria-label="Inbox">
      <a class="button" href="${filterUrl(filter)}">Refresh</a>
      <form method="post" action="/sandbox/inbox/clear"><button class="button" type="submit">Empty inbox</button></form>
      <a class="button" href="/docs">API docs</a>
    </nav>
    !${filterForm(filter)}
    !${states(filter, counts)}
    <p id="live" class="live" role="status">What came since is here when the page is refreshed.</p>
    !${sent === undefined ? '' : html`<p class="notice">Message ${sent} goes out again under its webhook-id, to the callback URL that the merchant has now.</p>`}
  </header>
  <main>
    <div id="messages">!${waiting}!${
      messages.length > 0
        ? html`
      <p class="count" id="count">!${count(messages.length)}</p>
      !${cards(messages, filter, baseUrl)}
      <details class="help" id="another"><summary>Make another callback arrive</summary>!${tryIt(baseUrl)}</details>`
        : emptyState(filter, baseUrl)
    }</div>
    <details class="help"><summary>Rehearse failures, use a script</summary>!${rehearsals(baseUrl)}</details>
  </main>`,
  })

/** Links to a transaction lead to its newest message. */
function cards(messages: readonly InboxMessage[], filter: InboxFilter, baseUrl: string): string[] {
  const led = new Set<string>()
  return messages.map((message) => {
    const references = [message.merchantReference, message.summary.internalReference].filter(
      (reference) => reference !== undefined,
    )
    const anchors = new Set(references.filter((reference) => !led.has(reference)))
    for (const reference of anchors) led.add(reference)
    return card(message, { baseUrl, where: 'list', anchors: [...anchors], query: filterQuery(filter) })
  })
}

/** One message, complete. */
export const messagePage = ({
  message,
  baseUrl,
}: {
  readonly message: InboxMessage
  readonly baseUrl: string
}): string => {
  const { id, merchantReference: reference } = message
  return sandboxPage({
    title: `Message ${id} · Sandbox inbox`,
    content: html`
  <header class="top">
    <p class="back"><a href="/sandbox/inbox">← Inbox</a></p>
    <h1>Message ${id}</h1>
  </header>
  <main>!${card(message, { baseUrl, where: 'single', anchors: [], query: filterQuery(reference === undefined ? {} : { reference }) })}</main>`,
  })
}

function count(shown: number): string {
  if (shown === 1) return '1 message'
  return shown < 100 ? html`${shown} messages` : html`The newest ${shown} messages. The inbox keeps 500.`
}

const filterForm = ({ reference, state }: InboxFilter): string => html`
  <form class="filter" method="get" action="/sandbox/inbox" role="search">
    <label for="reference">Reference</label>
    <input id="reference" name="reference" value="${visible(reference ?? '')}" maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false">
    !${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}
    <button class="button" type="submit">Show</button>
    !${reference === undefined ? '' : html`<a class="button" href="${filterUrl(state ? { state } : {})}">Show all</a>`}
  </form>`

const STATE_NAMES: Readonly<Record<InboxState, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  handshakes: 'Handshakes',
  bad: 'Bad signatures',
}

function states({ reference, state }: InboxFilter, counts: InboxCounts): string {
  const chip = (name: string, of: InboxState | undefined): string => {
    const url = filterUrl({ ...(reference !== undefined && { reference }), ...(of && { state: of }) })
    const current = of === state ? ' aria-current="page"' : ''
    const key = of ?? 'all'
    return html`<li><a class="chip" href="${url}"!${current}>${name} <span class="size" id="count-${key}" data-live>${counts[key]}</span></a></li>`
  }
  return html`
    <nav aria-label="By state"><ul class="chips">!${chip('All', undefined)}!${INBOX_STATES.map((one) => chip(STATE_NAMES[one], one))}</ul></nav>`
}

/** With a filter it does not explain how to trigger a callback, because the result might not match the filter. */
function emptyState({ reference, state }: InboxFilter, baseUrl: string): string {
  const of = reference === undefined ? '' : html` of <bdi><code>${visible(reference)}</code></bdi>`
  const isAll = reference === undefined && state === undefined
  const why = state === undefined ? '' : html`<p>Only “${STATE_NAMES[state]}” is shown.</p>`
  return html`
  <section class="card" id="nothing">
    <h2>!${isAll ? 'Nothing has arrived yet' : html`Nothing!${of} here`}</h2>
    !${why}
    !${isAll ? tryIt(baseUrl) : html`<p><a class="button" href="${filterUrl({})}">Show all messages</a></p>`}
  </section>`
}

const tryIt = (baseUrl: string): string => html`
    <p>Paste this into a shell. A moment later the payment is complete and its callback is here.</p>
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
