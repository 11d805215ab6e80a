import { find, options } from './element.ts'
import { sendRequest, whyUnavailable } from './exchange.ts'
import {
  choose,
  chosen,
  filledNow,
  keysFor,
  model,
  operationNow,
  operationOf,
  renewReference,
  showRequest,
} from './form.ts'
import type { ConsoleOperation, FilledForm } from './model.ts'
import { showHistory, remember } from './history-list.ts'
import { operationNamed, referenceIn, requestOf } from './request.ts'
import { hideExchange, showReply, showSent } from './exchange-view.ts'

const dialog = find('try', HTMLDialogElement)
const form = find('try-form', HTMLFormElement)
const unavailable = find('try-unavailable', HTMLParagraphElement)
const sendButton = find('try-send', HTMLButtonElement)
const replyPart = find('try-reply', HTMLDivElement)

/** The last accepted reference, whose outcome the reader wants to see. */
let accepted: string | undefined
let sending = false

function chooseFresh(wanted: ConsoleOperation): void {
  const requestsForOne = wanted.parameters.some(
    ({ name, in: where }) => where === 'path' && name === 'merchant_reference',
  )
  hideExchange()
  choose(wanted, requestsForOne && accepted !== undefined ? { parameters: { merchant_reference: accepted } } : {})
}

async function open(wanted: ConsoleOperation): Promise<void> {
  chooseFresh(wanted)
  if (!dialog.open) dialog.showModal()
  const reason = await whyUnavailable()
  unavailable.textContent = reason ?? ''
  unavailable.hidden = reason === undefined
  form.hidden = reason !== undefined
  if (reason === undefined) chosen.focus()
}

/** Sends a call, shows exactly that request, and stores the exchange. */
async function send(operation: ConsoleOperation, filled: FilledForm): Promise<void> {
  if (sending) return
  sending = true
  sendButton.setAttribute('aria-disabled', 'true')
  find('try-renewed', HTMLParagraphElement).hidden = true
  const request = requestOf(operation, filled, location.origin)
  showSent(request)
  const reply = await sendRequest(request)
  showReply(operation, reply)
  const { parameters, body } = filled
  const { status, statusText, headers, text, fault } = reply
  remember(
    {
      at: new Date().toISOString(),
      operationId: operation.id,
      parameters,
      body,
      isShortened: false,
      status,
      statusText: fault ?? statusText,
      headers,
      reply: text,
    },
    replay,
  )
  if (status === 202) {
    accepted = referenceIn(reply.json) ?? accepted
    if (accepted !== undefined) renewReference(accepted)
  }
  sending = false
  sendButton.removeAttribute('aria-disabled')
  replyPart.focus({ preventScroll: true })
  replyPart.scrollIntoView({ block: 'start' })
}

/** Uses the current keys: none are stored. */
const replay = (operation: ConsoleOperation, filled: Omit<FilledForm, 'keys'>): void =>
  void send(operation, { ...filled, keys: keysFor(operation) })

/** The operation that the reader is looking at, or the usual first one. */
const shownOperation = (): ConsoleOperation =>
  model.operations.find(({ id }) => id === document.documentElement.dataset.operation) ??
  model.operations.find(({ id }) => location.hash.endsWith(`/${id.toLowerCase()}`)) ??
  model.operations.find(({ id }) => id === 'initializeCollection')!

function offerCopy(button: string, code: string): void {
  const shown = find(button, HTMLButtonElement)
  const usual = shown.textContent
  shown.addEventListener('click', () => {
    void navigator.clipboard.writeText(find(code, HTMLElement).textContent ?? '').then(() => {
      shown.textContent = 'Copied'
      setTimeout(() => (shown.textContent = usual), 2_000)
    })
  })
}

chosen.replaceChildren(...options(model.operations.map(({ id, summary }) => [id, summary])))
chosen.addEventListener('change', () => chooseFresh(operationOf(chosen.value)!))
form.addEventListener('input', showRequest)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(operationNow(), filledNow())
})
showHistory(replay)
offerCopy('try-copy', 'try-curl')
offerCopy('try-copy-sent', 'try-sent')
find('try-open', HTMLButtonElement).addEventListener('click', () => void open(shownOperation()))
find('try-close', HTMLButtonElement).addEventListener('click', () => dialog.close())
dialog.addEventListener('close', hideExchange)
// The docs behind the console have keyboard shortcuts: they must not receive what is typed here.
dialog.addEventListener('keydown', (event) => event.stopPropagation())
// Before the docs handle the click: they would search for a page of that name.
document.addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href*="#try/"]') : null
    const wanted = link instanceof HTMLAnchorElement ? operationNamed(model, link.hash) : undefined
    if (wanted === undefined) return
    event.preventDefault()
    event.stopPropagation()
    void open(wanted)
  },
  { capture: true },
)
addEventListener('hashchange', () => {
  const wanted = operationNamed(model, location.hash)
  if (wanted !== undefined) void open(wanted)
})
// In the single HTML file the address is already the operation's own by then; see places.ts.
const fromAddress =
  operationNamed(model, location.hash) ?? operationNamed(model, `#try/${document.documentElement.dataset.tried}`)
if (fromAddress !== undefined) void open(fromAddress)
