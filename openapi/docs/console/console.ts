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
import { offerPast, remember } from './past.ts'
import { operationNamed, referenceIn, requestOf } from './request.ts'
import { hideExchange, showReply, showSent } from './shown.ts'

const dialog = find('try', HTMLDialogElement)
const form = find('try-form', HTMLFormElement)
const unavailable = find('try-unavailable', HTMLParagraphElement)
const sendButton = find('try-send', HTMLButtonElement)
const replyPart = find('try-reply', HTMLDivElement)

/** The reference that was accepted last: the one that people want to see the outcome of. */
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

/** Sends a call, shows exactly that, and keeps it. */
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

/** With the keys of now: none are kept. */
const replay = (operation: ConsoleOperation, filled: Omit<FilledForm, 'keys'>): void =>
  void send(operation, { ...filled, keys: keysFor(operation) })

/** What the reader looks at now, or the operation that everybody begins with. */
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
offerPast(replay)
offerCopy('try-copy', 'try-curl')
offerCopy('try-copy-sent', 'try-sent')
find('try-open', HTMLButtonElement).addEventListener('click', () => void open(shownOperation()))
find('try-close', HTMLButtonElement).addEventListener('click', () => dialog.close())
dialog.addEventListener('close', hideExchange)
// The docs behind the console have shortcuts of their own: what is typed here is not for them.
dialog.addEventListener('keydown', (event) => event.stopPropagation())
// Before the docs see the click, which would look for a page of that name.
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
// In the one file the address has been changed to the operation's own by then; see places.ts.
const fromAddress =
  operationNamed(model, location.hash) ?? operationNamed(model, `#try/${document.documentElement.dataset.tried}`)
if (fromAddress !== undefined) void open(fromAddress)
