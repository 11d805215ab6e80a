export { until } from '../testing/until.ts'

/** Measured by the true clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

const POLL_AGAIN_MS = 500
const REQUESTED_MAX = 60

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
