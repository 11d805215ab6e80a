/** Measured by the true clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

const POLL_EVERY_MS = 100
const POLL_AGAIN_MS = 500
const REQUESTED_MAX = 60

/** @throws Error naming the condition that was not met in time */
export async function until(isSo: () => Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`)
    await pause(POLL_EVERY_MS)
  }
}

/** PostgreSQL may have been killed a moment ago: retry a query of the drill. */
export async function patiently<Value>(request: () => Promise<Value>): Promise<Value> {
  for (let requested = 1; ; requested += 1) {
    try {
      return await request()
    } catch (error) {
      if (requested >= REQUESTED_MAX) throw error
      await pause(POLL_AGAIN_MS)
    }
  }
}
