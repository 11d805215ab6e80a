const closings: Array<() => unknown> = []

/**
 * Has something ended after the last test of the file that runs now. For helpers that a test calls at any time: a hook
 * that a helper sets where it is imported would be set for the first of the files that share a process.
 */
export const atEndOfFile = (close: () => unknown): void => void closings.push(close)

/** Ends what was left to it, what came last first. */
export async function endOfFile(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close()
}
