import { inboxOf, isGenuine, messageAddress, watchInbox, type InboxRow, type InboxPoll } from './callback.ts'
import { element, find } from './element.ts'
import type { ConsoleReply } from './exchange.ts'
import { choose, model, pretty } from './form.ts'
import type { ConsoleOperation } from './model.ts'
import { curlOf, followLink, referenceIn, type ConsoleRequest } from './request.ts'

const part = find('try-reply', HTMLDivElement)
const next = find('try-next', HTMLParagraphElement)
const callback = find('try-callback', HTMLDivElement)
const status = find('try-status', HTMLParagraphElement)
const text = (id: string, value: string): void => {
  find(id, HTMLElement).textContent = value
}

let stopWatching = (): void => {}

export function hideExchange(): void {
  stopWatching()
  part.hidden = true
}

/** The request as sent, shown before the reply arrives. */
export function showSent(request: ConsoleRequest): void {
  stopWatching()
  part.hidden = false
  next.replaceChildren()
  callback.replaceChildren()
  status.textContent = 'Sending …'
  text('try-reply-body', '')
  text('try-reply-headers', '')
  text('try-sent', curlOf(request))
}

/** The reply, the next requests, and the callback that Malipo sends afterwards. */
export function showReply(operation: ConsoleOperation, reply: ConsoleReply): void {
  const { status: code, statusText, headers, text: received, json, fault } = reply
  status.textContent = fault ?? `${code} ${statusText}`
  text('try-reply-body', json === undefined ? received : pretty(json))
  text('try-reply-headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n'))
  const reference = code >= 200 && code < 300 ? referenceIn(json) : undefined
  if (reference !== undefined) showCallback(reference)
  next.append(...nextSteps(operation, reply))
}

/** By the links of the contract: verify an accepted transaction, and so on. */
function nextSteps({ links }: ConsoleOperation, { status: code, json }: ConsoleReply): HTMLElement[] {
  return links
    .filter((link) => link.status === String(code))
    .flatMap((link) => {
      const filled = followLink(link, json)
      const target = model.operations.find(({ id }) => id === link.operationId)
      if (filled === undefined || target === undefined) return []
      const button = element('button', { type: 'button' }, `${link.summary} …`)
      button.addEventListener('click', () => {
        hideExchange()
        choose(target, {
          parameters: filled.parameters,
          ...(Object.keys(filled.body).length > 0 && { body: pretty(filled.body) }),
        })
        find('try', HTMLDialogElement).scrollTo({ top: 0 })
        find('try-operation', HTMLSelectElement).focus()
      })
      return [button]
    })
}

function showCallback(reference: string): void {
  const heading = element('h3', {}, 'What Malipo sent afterwards')
  const said = element('p', { role: 'status' }, 'Waiting for its callback …')
  const list = element('ul', { class: 'try-messages' })
  const inbox = element(
    'a',
    { href: inboxOf(reference), target: '_blank', rel: 'noopener' },
    'See its callback arrive in the inbox',
  )
  callback.replaceChildren(heading, said, list, element('p', { class: 'try-next' }, inbox))
  let shown = 0
  stopWatching = watchInbox(reference, ({ messages, is }: InboxPoll) => {
    said.textContent = SAID[is]
    if (messages.length === shown) return
    shown = messages.length
    list.replaceChildren(...messages.map(messageEntry))
  })
}

const SAID: Readonly<Record<InboxPoll['is'], string>> = {
  waiting: 'Waiting for its callback …',
  there: 'Its callback is there.',
  late: 'Nothing has come within a minute. Callbacks go to the URL of the merchant: the inbox has them only while it is that URL. Some test numbers never end, too.',
}

function messageEntry(message: InboxRow): HTMLLIElement {
  const { kind, event, transaction_status: outcome, received_at: at, body } = message
  const name = kind === 'handshake' ? 'Payout handshake' : (event ?? 'A callback')
  return element(
    'li',
    {},
    element(
      'p',
      {},
      element('a', { href: messageAddress(message), target: '_blank', rel: 'noopener' }, `Open ${name}`),
      ` ${[outcome, isGenuine(message) ? 'signatures good' : 'a signature is bad', timeOf(at)].filter((each) => each !== null).join(' · ')}`,
    ),
    ...(body === ''
      ? []
      : [
          element(
            'details',
            {},
            element('summary', {}, 'Its body'),
            element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Body of the callback' }, readable(body)),
          ),
        ]),
  )
}

/** The time of day in the reader's locale. */
export const timeOf = (iso: string): string => new Date(iso).toLocaleTimeString()

function readable(body: string): string {
  try {
    return pretty(JSON.parse(body))
  } catch {
    return body
  }
}
