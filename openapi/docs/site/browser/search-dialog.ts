import { found, made } from './elements.ts'
import type { Hit } from '../search-hits.ts'

/** The address of the search script, with its library. Inserted by the build. */
declare const SEARCH_ADDRESS: string

interface Search {
  find(words: string): Promise<readonly Hit[]>
}
/** The search and its texts are loaded on first use. */
const find = async (words: string): Promise<readonly Hit[]> => {
  const search = (await import(SEARCH_ADDRESS)) as Search
  return search.find(words)
}

/** A dialog that finds pages, fields, errors and test numbers, by mouse or keyboard. */
export function offerSearch(): void {
  const button = found('search-open', HTMLButtonElement)
  if (button === undefined) return
  const input = made('input', {
    type: 'search',
    'aria-label': 'Search the docs',
    placeholder: 'refund, ngrok, 409 …',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const reported = made('p', { role: 'status' })
  const list = made('ul', { class: 'hits' })
  const close = made('button', { type: 'button' }, 'Close')
  const dialog = made(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    made('div', { class: 'search-field' }, input, close),
    reported,
    list,
  )
  document.body.append(dialog)
  const open = (): void => {
    if (!dialog.open) dialog.showModal()
    input.select()
    // The texts are loaded, or loading, when the first letter is typed.
    void find('').catch(() => undefined)
  }
  input.addEventListener('input', () => void show(input, reported, list))
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click()
  })
  dialog.addEventListener('keydown', (event) => step(event, [input, ...list.querySelectorAll('a')]))
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close()
  })
  close.addEventListener('click', () => dialog.close())
  button.hidden = false
  button.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault()
      open()
    }
  })
}

async function show(input: HTMLInputElement, reported: HTMLElement, list: HTMLElement): Promise<void> {
  const words = input.value.trim()
  try {
    const hits = words === '' ? [] : await find(words)
    // The text may have changed meanwhile.
    if (input.value.trim() !== words) return
    list.replaceChildren(...hits.map(hitLine))
    reported.textContent = words === '' ? '' : countText(words, hits.length)
  } catch {
    reported.textContent = 'The search could not be loaded: is the gateway still running?'
  }
}

function countText(words: string, count: number): string {
  if (count === 0) return `Nothing found for “${words}”. Try fewer or shorter words, the name of a field, or a status.`
  return count === 1 ? '1 result' : `${count} results, the best first`
}

const hitLine = ({ title, kind, page, about, address }: Hit): HTMLElement =>
  made(
    'li',
    {},
    made(
      'a',
      { href: address },
      made('strong', {}, title),
      made('small', {}, page === title ? kind : `${kind} · ${page}`),
      made('span', {}, ...about.map(({ text, isMarked }) => (isMarked ? made('mark', {}, text) : text))),
    ),
  )

/** Moves up and down between the field and the results. */
function step(event: KeyboardEvent, places: readonly HTMLElement[]): void {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (direction === undefined) return
  const now = places.findIndex((place) => place === document.activeElement)
  const next = places[now + direction]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
