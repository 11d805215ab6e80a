import { element, options } from './element.ts'
import type { ConsoleParameter } from './model.ts'

const KEY = 'key'

/** A labelled field for one parameter; `data-name` has its name. */
export function parameterField({
  name,
  in: where,
  required,
  description,
  value,
  options: allowed,
}: ConsoleParameter): HTMLElement {
  const id = `try-parameter-${name}`
  const attributes = { id, 'data-name': name, 'aria-describedby': `${id}-about` }
  const input = allowed
    ? element(
        'select',
        attributes,
        ...options(
          [...(required ? [] : ([['', '']] as const)), ...allowed.map((each) => [each, each] as const)],
          value,
        ),
      )
    : textField(attributes, value)
  return element(
    'p',
    {},
    element('label', { for: id }, name, ' ', element('small', {}, `${where}${required ? '' : ', optional'}`)),
    input,
    element('small', { class: 'try-about', id: `${id}-about` }, description),
  )
}

/** A labelled field for one key. */
export function keyField(name: string, value: string): HTMLElement {
  const id = `try-${KEY}-${name}`
  return element('p', {}, element('label', { for: id }, name), textField({ id, 'data-name': name }, value))
}

function textField(attributes: Readonly<Record<string, string>>, value: string): HTMLInputElement {
  const input = element('input', {
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    ...attributes,
  })
  input.value = value
  return input
}

/** The values of the fields inside `place`, by name. */
export function valuesIn(place: HTMLElement): Readonly<Record<string, string>> {
  const fields = [...place.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-name]')]
  return Object.fromEntries(fields.map((field) => [field.dataset.name ?? '', field.value]))
}
