const POLL_EVERY_MS = 50

/**
 * Polls until the condition is true or returns a value.
 * @returns that value
 * @throws Error naming the condition that was not met in time
 */
export async function until<Value>(
  poll: () => Value | Promise<Value>,
  timeoutMs: number,
  what: string,
): Promise<Exclude<Value, false | undefined>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const seen = await poll()
    if (isSo(seen)) return seen
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
  }
}

const isSo = <Value>(seen: Value): seen is Exclude<Value, false | undefined> => seen !== undefined && seen !== false
