/** An element with what is in it: only parts of a statement are kept as such, one at a time. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

export const all = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name)

export const textIn = (element: Element, name: string): string | undefined => all(element, name)[0]?.text.trim()

/** What stands at the end of a path of names, by the first of each. */
export function elementAt(element: Element, ...path: readonly string[]): Element | undefined {
  let at: Element | undefined = element
  for (const name of path) at = at && all(at, name)[0]
  return at
}

/** @returns undefined for what is no boolean of XML Schema */
export function booleanIn(element: Element, name: string): boolean | undefined {
  const text = textIn(element, name)
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

/** Without the prefix of its namespace. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
