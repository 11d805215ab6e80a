import { element, find } from './element.ts'
import { asNew, choose, operationOf } from './form.ts'
import { forgetExchanges, storeExchange, storedExchanges, type HistoryEntry } from './history.ts'
import type { ConsoleOperation, FilledForm } from './model.ts'
import { hideExchange, showReply, showSent, timeOf } from './exchange-view.ts'
import { referenceIn, requestOf } from './request.ts'

/** Read each time: a browser with storage disabled throws on access. */
const store = {
  getItem: (name: string) => localStorage.getItem(name),
  setItem: (name: string, value: string) => localStorage.setItem(name, value),
  removeItem: (name: string) => localStorage.removeItem(name),
}
const part = find('try-history', HTMLElement)
const list = find('try-history-list', HTMLOListElement)

/** Sends a stored call again. */
type Replay = (operation: ConsoleOperation, filled: Omit<FilledForm, 'keys'>) => void

/** Stores one more exchange and shows it at the top. */
export function remember(one: HistoryEntry, replay: Replay): void {
  showEntries(storeExchange(store, one), replay)
}

/** Shows the stored exchanges, with a button that clears them. */
export function showHistory(replay: Replay): void {
  showEntries(storedExchanges(store), replay)
  find('try-forget', HTMLButtonElement).addEventListener('click', () => {
    forgetExchanges(store)
    showEntries([], replay)
    find('try-operation', HTMLSelectElement).focus()
  })
}

function showEntries(all: readonly HistoryEntry[], replay: Replay): void {
  list.replaceChildren(...all.flatMap((one) => entry(one, replay)))
  part.hidden = list.children.length === 0
}

function entry(one: HistoryEntry, replay: Replay): HTMLLIElement[] {
  const operation = operationOf(one.operationId)
  if (operation === undefined) return []
  const { status, statusText, at, isShortened, parameters, body } = one
  const reference = referenceIn(parsed(one.reply)) ?? referenceIn({ data: parsed(body) })
  const reported = [status === 0 ? 'no reply' : `${status} ${statusText}`, reference, when(at)]
  const button = (label: string, act: () => void): HTMLButtonElement => {
    const made = element(
      'button',
      { type: 'button', 'aria-label': `${label}: ${operation.summary}, ${when(at)}` },
      label,
    )
    made.addEventListener('click', act)
    return made
  }
  return [
    element(
      'li',
      {},
      element(
        'p',
        {},
        element('strong', {}, operation.summary),
        ` ${reported.filter((each) => each !== undefined).join(' · ')}`,
      ),
      element(
        'p',
        { class: 'try-next' },
        button('Show', () => show(operation, one)),
        ...(isShortened ? [] : [button('Replay', () => replay(operation, { parameters, body }))]),
        button('Edit as new', () => edit(operation, one)),
      ),
    ),
  ]
}

/** Keys are not stored, so they cannot be shown. */
function show(operation: ConsoleOperation, one: HistoryEntry): void {
  const keys = Object.fromEntries(operation.keys.map((name) => [name, '(not kept)']))
  const { status, statusText, headers, reply, parameters, body } = one
  showSent(requestOf(operation, { keys, parameters, body }, location.origin))
  const json = parsed(reply)
  showReply(operation, {
    status,
    statusText,
    headers,
    text: reply,
    ...(json !== undefined && { json }),
    ...(status === 0 && { fault: statusText }),
  })
  find('try-reply', HTMLDivElement).scrollIntoView({ block: 'start' })
  find('try-reply', HTMLDivElement).focus({ preventScroll: true })
}

function edit(operation: ConsoleOperation, { parameters, body }: HistoryEntry): void {
  hideExchange()
  choose(operation, { parameters, ...(operation.bodies.length > 0 && body !== '' && { body: asNew(body) }) })
  find('try', HTMLDialogElement).scrollTo({ top: 0 })
  find('try-operation', HTMLSelectElement).focus()
}

/** The time, and the day unless it is today. */
function when(at: string): string {
  const day = new Date(at).toLocaleDateString()
  return day === new Date().toLocaleDateString() ? timeOf(at) : `${day}, ${timeOf(at)}`
}

/** Undefined: not JSON, or cut off. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
