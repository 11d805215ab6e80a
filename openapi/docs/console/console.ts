import { element, find, options } from './element.ts'
import { keyField, parameterField, valuesIn } from './field.ts'
import type { ConsoleModel, ConsoleOperation, ConsoleParameter } from './model.ts'
import {
  curlOf,
  followLink,
  freshReference,
  operationNamed,
  requestOf,
  withFreshReference,
  type ConsoleRequest,
} from './request.ts'
import { sendRequest, whyUnavailable, type ConsoleReply } from './exchange.ts'

const model: ConsoleModel = JSON.parse(find('try-model', HTMLScriptElement).textContent ?? '')
const dialog = find('try', HTMLDialogElement)
const form = find('try-form', HTMLFormElement)
const unavailable = find('try-unavailable', HTMLParagraphElement)
const chosen = find('try-operation', HTMLSelectElement)
const example = find('try-example', HTMLSelectElement)
const body = find('try-body', HTMLTextAreaElement)
const keys = find('try-keys', HTMLDivElement)
const parameters = find('try-parameters', HTMLDivElement)
const sendButton = find('try-send', HTMLButtonElement)
const replyPart = find('try-reply', HTMLDivElement)
const next = find('try-next', HTMLParagraphElement)
const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2)

let operation: ConsoleOperation
/** The reference that was accepted last: the one that people want to see the outcome of. */
let accepted: string | undefined
let sending = false

const requestNow = (): ConsoleRequest =>
  requestOf(operation, { keys: valuesIn(keys), parameters: valuesIn(parameters), body: body.value }, location.origin)

function showRequest(): void {
  find('try-address', HTMLElement).textContent = `${operation.method} ${operation.path}`
  find('try-curl', HTMLElement).textContent = curlOf(requestNow())
}

/** Puts an operation into the form, prefilled so that Send works at once. */
function choose(wanted: ConsoleOperation, filled: Readonly<Record<string, string>> = {}): void {
  operation = wanted
  chosen.value = wanted.id
  keys.replaceChildren(...wanted.keys.map((name) => keyField(name, valuesIn(keys)[name] ?? model.keys[name] ?? '')))
  const valueFor = ({ name, in: where, value }: ConsoleParameter): string =>
    filled[name] ?? (where === 'path' && name === 'merchant_reference' ? accepted : undefined) ?? value
  const fields = (areRequired: boolean) =>
    wanted.parameters
      .filter(({ required }) => required === areRequired)
      .map((parameter) => parameterField({ ...parameter, value: valueFor(parameter) }))
  parameters.replaceChildren(
    ...fields(true),
    element('details', {}, element('summary', {}, 'Optional parameters'), ...fields(false)),
  )
  example.replaceChildren(...options(wanted.bodies.map(({ name, summary }) => [name, summary])))
  find('try-body-part', HTMLFieldSetElement).hidden = wanted.bodies.length === 0
  replyPart.hidden = true
  showExample()
}

function showExample(): void {
  const found = operation.bodies.find(({ name }) => name === example.value)
  body.value =
    found === undefined ? '' : pretty(withFreshReference(found.value, freshReference(Date.now(), Math.random())))
  showRequest()
}

async function open(wanted: ConsoleOperation): Promise<void> {
  choose(wanted)
  if (!dialog.open) dialog.showModal()
  const reason = await whyUnavailable()
  unavailable.textContent = reason ?? ''
  unavailable.hidden = reason === undefined
  form.hidden = reason !== undefined
  if (reason === undefined) chosen.focus()
}

async function send(): Promise<void> {
  if (sending) return
  sending = true
  sendButton.setAttribute('aria-disabled', 'true')
  replyPart.hidden = false
  next.replaceChildren()
  find('try-status', HTMLParagraphElement).textContent = 'Sending …'
  showReply(await sendRequest(requestNow()))
  sending = false
  sendButton.removeAttribute('aria-disabled')
  replyPart.focus({ preventScroll: true })
  replyPart.scrollIntoView({ block: 'start' })
}

function showReply({ status, statusText, headers, text, json, fault }: ConsoleReply): void {
  find('try-status', HTMLParagraphElement).textContent = fault ?? `${status} ${statusText}`
  find('try-reply-body', HTMLElement).textContent = json === undefined ? text : pretty(json)
  find('try-reply-headers', HTMLElement).textContent = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const reference =
    status === 202
      ? followLink(
          {
            status: '202',
            operationId: '',
            summary: '',
            parameters: { reference: '$response.body#/data/merchant_reference' },
            body: {},
          },
          json,
        )?.parameters.reference
      : undefined
  if (reference !== undefined) {
    accepted = reference
    next.append(
      element(
        'a',
        { href: `/sandbox/inbox?reference=${encodeURIComponent(reference)}`, target: '_blank', rel: 'noopener' },
        'See its callback arrive in the inbox',
      ),
    )
    renewReference(reference)
  }
  for (const link of operation.links.filter((each) => each.status === String(status))) {
    const filled = followLink(link, json)
    const target = model.operations.find(({ id }) => id === link.operationId)
    if (filled === undefined || target === undefined) continue
    const button = element('button', { type: 'button' }, `${link.summary} …`)
    button.addEventListener('click', () => {
      choose(target, filled.parameters)
      if (Object.keys(filled.body).length > 0) body.value = pretty(filled.body)
      showRequest()
      dialog.scrollTo({ top: 0 })
      chosen.focus()
    })
    next.append(button)
  }
}

/** A reference is accepted once: the next Send shall be another payment, and not a 409. */
function renewReference(used: string): void {
  body.value = body.value.replace(`"${used}"`, `"${freshReference(Date.now(), Math.random())}"`)
  showRequest()
}

/** What the reader looks at now, or the operation that everybody begins with. */
const shownOperation = (): ConsoleOperation =>
  model.operations.find(({ id }) => id === document.documentElement.dataset.operation) ??
  model.operations.find(({ id }) => location.hash.endsWith(`/${id.toLowerCase()}`)) ??
  model.operations.find(({ id }) => id === 'initializeCollection')!

chosen.replaceChildren(...options(model.operations.map(({ id, summary }) => [id, summary])))
chosen.addEventListener('change', () => choose(model.operations.find(({ id }) => id === chosen.value)!))
example.addEventListener('change', showExample)
form.addEventListener('input', showRequest)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})
find('try-open', HTMLButtonElement).addEventListener('click', () => void open(shownOperation()))
find('try-close', HTMLButtonElement).addEventListener('click', () => dialog.close())
find('try-copy', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
  void navigator.clipboard.writeText(curlOf(requestNow())).then(() => {
    if (currentTarget instanceof HTMLElement) currentTarget.textContent = 'Copied'
  })
})
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
// In the one file the address has been changed to the operation's own by then; see places.ts.
const fromAddress =
  operationNamed(model, location.hash) ?? operationNamed(model, `#try/${document.documentElement.dataset.tried}`)
if (fromAddress !== undefined) void open(fromAddress)
