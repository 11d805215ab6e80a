const closings: Array<() => unknown> = []

/**
 * Closes something after the last test of the current file. For helpers that a test may call at any time: a hook set
 * when a helper is imported would apply only to the first of the files that share a process.
 */
export const atEndOfFile = (close: () => unknown): void => void closings.push(close)

/** Closes everything registered, last in first out. */
export async function endOfFile(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close()
}
