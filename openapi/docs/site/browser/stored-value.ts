/** Reads a stored value; undefined also where the browser stores nothing. */
export function storedValue(
  name: string,
  store: 'localStorage' | 'sessionStorage' = 'localStorage',
): string | undefined {
  try {
    return globalThis[store].getItem(`malipo-docs-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value; an empty one is deleted. */
export function storeValue(
  name: string,
  value: string,
  store: 'localStorage' | 'sessionStorage' = 'localStorage',
): void {
  try {
    if (value === '') globalThis[store].removeItem(`malipo-docs-${name}`)
    else globalThis[store].setItem(`malipo-docs-${name}`, value)
  } catch {
    // The value then lasts until the page is closed.
  }
}
