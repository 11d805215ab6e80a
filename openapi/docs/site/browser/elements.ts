/** The element with this id, if the page has it and it is of this type. */
export function found<Kind extends Element>(id: string, kind: new () => Kind): Kind | undefined {
  const element = document.getElementById(id)
  return element instanceof kind ? element : undefined
}

/** Creates an element with attributes and content; text is never parsed as markup. */
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
