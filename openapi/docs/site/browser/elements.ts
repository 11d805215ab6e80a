/** The element of this id, if the page has it and it is of this kind. */
export function found<Kind extends Element>(id: string, kind: new () => Kind): Kind | undefined {
  const element = document.getElementById(id)
  return element instanceof kind ? element : undefined
}

/** A new element, with attributes and content; what is text stays text. */
export function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...content)
  return element
}
