/** Randomness and time, as the client uses them: set by tests, the real ones otherwise. */
export interface WaitingTools {
  /** A number from 0 to 1, 1 excluded: jitter that spreads the waits of many clients. */
  readonly random: () => number
  /** Resolves after this many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds since some fixed moment; only differences are used. */
  readonly elapsedMs: () => number
}

/** The clock, timers and random numbers of the machine. */
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

/** The initial wait of a backoff, its factor, and its maximum. */
export interface BackOff {
  readonly firstMs: number
  readonly factor: number
  readonly mostMs: number
}

/**
 * Backoff with jitter: the wait after this many attempts, at random between half and the whole of its growing bound;
 * never shorter than the server requested.
 */
export function waitMs({ firstMs, factor, mostMs }: BackOff, tries: number, random: number, retryAfterMs = 0): number {
  const bound = Math.min(mostMs, firstMs * factor ** (tries - 1))
  return Math.max(bound * (0.5 + random / 2), retryAfterMs)
}
