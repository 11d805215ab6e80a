import { found, made } from './elements.ts'
import { storeValue, storedValue } from './stored-value.ts'

/** Which keys a browser may see. Inserted by the build. */
declare const KEYS_TEXT: string

/** What a reader may enter values for. They are stored per tab only: other pages must not get keys. */
const VALUES = [
  {
    name: 'base-url',
    label: 'Base URL',
    isRight: isAddress,
    form: 'an http or https address without a path',
  },
  { name: 'public-key', label: 'Public key', isRight: isKey, form: 'letters, digits, _ and -' },
  { name: 'secret-key', label: 'Secret key', isRight: isKey, form: 'letters, digits, _ and -' },
] as const
const STORE = 'sessionStorage'

/** Samples are pasted into shells: values must not have quotes or blanks. */
function isKey(value: string): boolean {
  return /^[\w-]{1,128}$/.test(value)
}

function isAddress(value: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(value) && URL.canParse(value)
}

const written = new Map<Element, string>()

/** Puts the reader's values into the samples, and restores the original when a value is removed. */
function fillSamples(): void {
  for (const { name, isRight } of VALUES) {
    const value = storedValue(name, STORE) ?? ''
    for (const place of document.querySelectorAll(`[data-reader-value="${name}"]`)) {
      const first = written.get(place) ?? place.textContent ?? ''
      written.set(place, first)
      place.textContent = isRight(value) ? value : first
    }
  }
}

/** A button that asks for address and keys and puts them into every sample. */
export function offerReaderValues(): void {
  const button = found('reader-values-open', HTMLButtonElement)
  if (button === undefined) return
  fillSamples()
  const dialog = readerValuesDialog()
  document.body.append(dialog)
  button.hidden = false
  button.addEventListener('click', () => dialog.showModal())
}

function readerValuesDialog(): HTMLDialogElement {
  const fields = VALUES.map(({ name, label, isRight }) => {
    const isSecret = isRight === isKey
    const input = made('input', {
      id: `reader-values-${name}`,
      type: isSecret ? 'password' : 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
    })
    input.value = storedValue(name, STORE) ?? ''
    const shown = made('span', { class: 'shown' }, input, ...(isSecret ? [showButton(input, label)] : []))
    return { input, row: made('p', {}, made('label', { for: `reader-values-${name}` }, label), shown) }
  })
  const fault = made('p', { role: 'alert', class: 'fault' })
  const form = made(
    'form',
    { method: 'dialog', novalidate: '' },
    made('h2', { id: 'reader-values-title' }, 'Your address and keys'),
    made(
      'p',
      {},
      'They stand in every sample from now on, in every language. They stay in this tab, are sent nowhere, and are forgotten when you close it. Leave a field empty to have the demo value back.',
    ),
    made('p', {}, made('strong', {}, KEYS_TEXT)),
    ...fields.map(({ row }) => row),
    fault,
    made(
      'p',
      { class: 'buttons' },
      made('button', { type: 'submit' }, 'Put them in'),
      made('button', { type: 'submit', value: 'cancel' }, 'Cancel'),
    ),
  )
  form.addEventListener('submit', (event) => {
    if (event.submitter instanceof HTMLButtonElement && event.submitter.value === 'cancel') return
    const values = fields.map(({ input }) => input.value.trim().replace(/\/+$/, ''))
    const wrong = VALUES.find(({ isRight }, index) => values[index] !== '' && !isRight(values[index] ?? ''))
    fault.textContent = wrong ? `${wrong.label}: ${wrong.form}.` : ''
    if (wrong) {
      event.preventDefault()
      return
    }
    for (const [index, { name }] of VALUES.entries()) storeValue(name, values[index] ?? '', STORE)
    fillSamples()
  })
  return made('dialog', { class: 'reader-values', 'aria-labelledby': 'reader-values-title' }, form)
}

/** Shows what was typed, and hides it again. */
function showButton(input: HTMLInputElement, label: string): HTMLButtonElement {
  const button = made('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': `Show: ${label}` }, 'Show')
  button.addEventListener('click', () => {
    input.type = input.type === 'password' ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(input.type === 'text'))
  })
  return button
}
