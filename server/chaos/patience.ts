/** By the true clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

const LOOK_EVERY_MS = 100
const ASK_AGAIN_MS = 500
const ASKED_MAX = 60

/** @throws Error naming what did not come true in time */
export async function until(isSo: () => Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`)
    await pause(LOOK_EVERY_MS)
  }
}

/** PostgreSQL may have been killed a moment ago: a question of the drill is asked again. */
export async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask()
    } catch (error) {
      if (asked >= ASKED_MAX) throw error
      await pause(ASK_AGAIN_MS)
    }
  }
}
