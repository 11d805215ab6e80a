/** Chance and time, as the client uses them: given by tests, the real ones otherwise. */
export interface WaitingTools {
  /** A number from 0 to 1, 1 excluded: spreads the waits of many clients. */
  readonly random: () => number
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds from some fixed moment; only differences are used. */
  readonly elapsedMs: () => number
}

/** The clock, timers and chance of the machine. */
export const realWaiting: WaitingTools = {
  random: () => Math.random(),
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal.addEventListener('abort', stop, { once: true })
    }),
}

/** What a wait grows from, by how much, and up to what. */
export interface BackOff {
  readonly firstMs: number
  readonly factor: number
  readonly mostMs: number
}

/**
 * The wait after so many tries, between half and the whole of its growing bound by chance; never shorter than the
 * server asked for.
 */
export function waitMs({ firstMs, factor, mostMs }: BackOff, tries: number, random: number, retryAfterMs = 0): number {
  const bound = Math.min(mostMs, firstMs * factor ** (tries - 1))
  return Math.max(bound * (0.5 + random / 2), retryAfterMs)
}
