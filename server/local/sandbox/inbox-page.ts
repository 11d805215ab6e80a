import { html } from 'ghtml'
import { block } from '../../admin/console/look/message.ts'
import { button, facts, section } from '../../admin/console/look/values.ts'
import type { InboxMessage } from '../../domain/received/message.ts'
import { visible } from '../../domain/received/text.ts'
import type { RenderedPage } from '../../payment-page/layout.ts'
import { card } from './inbox-card.ts'
import { filterQuery, filterUrl, INBOX_STATES, type InboxFilter, type InboxState } from './inbox-filter.ts'
import type { InboxCounts } from './inbox-store.ts'
import { inboxTexts, type SayInbox } from './inbox-texts.ts'
import { DEMO_MERCHANT } from './providers.ts'
import { unaskedForm } from './serve-unrequested.ts'
import type { PaidProvider } from './unrequested.ts'
import { backToInbox, sandboxPage, type Frame } from './sandbox-page.ts'

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
  /** The receipt of what was just paid without being asked. */
  readonly paid?: string
  readonly providers?: readonly PaidProvider[]
  /** Trusted markup: the payments that have not called back yet. */
  readonly waiting?: string
}

/** The list, newest first. */
export function inboxPage(frame: Frame, page: InboxPage): RenderedPage {
  const { viewer } = frame
  const { messages, filter, counts, version, baseUrl, sent, paid, providers = [], waiting = '' } = page
  const say = inboxTexts(viewer)
  return sandboxPage(frame, {
    title: say('inbox'),
    version,
    aside: html`<div class="buttons">!${button({ href: filterUrl(filter), text: say('refresh') })}<form method="post" action="/sandbox/inbox/clear"><button>${say('emptyInbox')}</button></form></div>`,
    ...(sent !== undefined && { flash: { kind: 'done' as const, text: say('resent', { id: sent }) } }),
    ...(paid !== undefined && { flash: { kind: 'done' as const, text: say('unaskedPaid', { receipt: paid }) } }),
    content: html`<p>${say('lead')}</p>
!${filterForm(say, filter)}
!${states(say, filter, counts)}
<p id="live" class="soft" role="status">${say('reload')}</p>
<div id="messages" class="list">!${waiting}!${
      messages.length > 0
        ? html`<p class="soft" id="count">${shownOf(say, messages.length)}</p>!${cards(messages, frame, page)}
<details id="another"><summary>${say('another')}</summary>!${tryIt(say, baseUrl)}</details>`
        : emptyOf(say, filter, baseUrl)
    }</div>
!${unaskedForm(say, providers)}<details><summary>${say('rehearse')}</summary>!${rehearsals(say, baseUrl)}</details>`,
  })
}

/** Links to a transaction lead to its newest message. */
function cards(messages: readonly InboxMessage[], { viewer }: Frame, { filter, baseUrl }: InboxPage): string[] {
  const led = new Set<string>()
  return messages.map((message) => {
    const references = [message.merchantReference, message.summary.internalReference].filter(
      (reference) => reference !== undefined,
    )
    const anchors = new Set(references.filter((reference) => !led.has(reference)))
    for (const reference of anchors) led.add(reference)
    return card(message, { viewer, baseUrl, where: 'list', anchors: [...anchors], query: filterQuery(filter) })
  })
}

/** One message, complete. */
export function messagePage(frame: Frame, message: InboxMessage, baseUrl: string): RenderedPage {
  const { id, merchantReference: reference } = message
  const query = filterQuery(reference === undefined ? {} : { reference })
  return sandboxPage(frame, {
    title: inboxTexts(frame.viewer)('message', { id: String(id) }),
    back: backToInbox(frame),
    content: card(message, { viewer: frame.viewer, baseUrl, where: 'single', anchors: [], query }),
  })
}

const shownOf = (say: SayInbox, shown: number): string =>
  shown < 100 ? say.counted('messages', shown) : say('newest', { count: String(shown) })

const filterForm = (say: SayInbox, { reference, state }: InboxFilter): string => html`
<form class="find" action="/sandbox/inbox"><div class="field"><label for="reference">${say('reference')}</label><input id="reference" name="reference" value="${visible(reference ?? '')}" maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false"></div>
!${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}<button>${say('show')}</button>
!${reference === undefined ? '' : button({ href: filterUrl(state ? { state } : {}), text: say('showAll') })}</form>`

function states(say: SayInbox, { reference, state }: InboxFilter, counts: InboxCounts): string {
  const view = (of: InboxState | undefined): string => {
    const url = filterUrl({ ...(reference !== undefined && { reference }), ...(of && { state: of }) })
    const key = of ?? 'all'
    return html`<li><a href="${url}" !${of === state ? 'aria-current="page"' : ''}>${say(key)}&nbsp;<small id="count-${key}" data-live>${counts[key]}</small></a></li>`
  }
  return html`<nav aria-label="${say('byState')}"><ul class="views">!${[undefined, ...INBOX_STATES].map(view)}</ul></nav>`
}

/** With a filter it does not explain how to trigger a callback, because the result might not match the filter. */
function emptyOf(say: SayInbox, { reference, state }: InboxFilter, baseUrl: string): string {
  const title = reference === undefined ? say('nothing') : say('nothingOf', { reference: visible(reference) })
  const isAll = reference === undefined && state === undefined
  const why = state === undefined ? '' : html`<p>${say('onlyState', { state: say(state) })}</p>`
  const rest = isAll
    ? tryIt(say, baseUrl)
    : html`<p>!${button({ href: filterUrl({}), text: say('showAllMessages') })}</p>`
  return html`<div id="nothing">!${section(isAll ? say('nothingYet') : title, `${why}${rest}`)}</div>`
}

const tryIt = (say: SayInbox, baseUrl: string): string => html`
    <p>${say('paste')}</p>
    !${block(say('command'), collectionCommand(baseUrl))}
    <p>${say('endings')}</p>`

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

const rehearsals = (say: SayInbox, baseUrl: string): string => html`
    <p>${say('rehearseText')}</p>
    !${facts([
      { name: say('fails'), value: html`<code>${baseUrl}/sandbox/inbox?answer=500</code>` },
      { name: say('slow'), value: html`<code>${baseUrl}/sandbox/inbox?delay=20000</code>` },
      { name: say('refuses'), value: html`<code>${baseUrl}/sandbox/inbox/handshake?answer=404</code>` },
    ])}
    <p>${say('asJson')}</p>
    !${block(say('jsonCommand'), `curl -H 'Accept: application/json' '${baseUrl}/sandbox/inbox?reference=YOUR-REFERENCE'`)}`
