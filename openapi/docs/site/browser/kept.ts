/** What the browser keeps for us under a name; undefined also where it keeps nothing. */
export function keptValue(name: string, store: 'localStorage' | 'sessionStorage' = 'localStorage'): string | undefined {
  try {
    return globalThis[store].getItem(`malipo-docs-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a value; an empty one is forgotten. */
export function keepValue(
  name: string,
  value: string,
  store: 'localStorage' | 'sessionStorage' = 'localStorage',
): void {
  try {
    if (value === '') globalThis[store].removeItem(`malipo-docs-${name}`)
    else globalThis[store].setItem(`malipo-docs-${name}`, value)
  } catch {
    // Then it holds until the page is left.
  }
}
