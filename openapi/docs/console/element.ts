/** DOM helpers: the console inserts everything as text through them, never as markup. */

export function find<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

/** Creates an element with attributes and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content)
  return made
}

/** Creates the options of a select. */
export const options = (
  entries: readonly (readonly [value: string, text: string])[],
  chosen?: string,
): HTMLOptionElement[] =>
  entries.map(([value, text]) => element('option', value === chosen ? { value, selected: '' } : { value }, text))
