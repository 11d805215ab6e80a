/** An element with its content: only parts of a statement are held in memory like this, one at a time. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

export const all = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name)

export const textIn = (element: Element, name: string): string | undefined => all(element, name)[0]?.text.trim()

/** The element at the end of a path of names, taking the first of each name. */
export function elementAt(element: Element, ...path: readonly string[]): Element | undefined {
  let at: Element | undefined = element
  for (const name of path) at = at && all(at, name)[0]
  return at
}

/** @returns undefined for a value that is not an XML Schema boolean */
export function booleanIn(element: Element, name: string): boolean | undefined {
  const text = textIn(element, name)
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

/** The name without its namespace prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
