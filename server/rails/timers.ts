/** Timers, like `server/jobs/timers.ts`. */
export interface Timers {
  /** @returns cancels the timer */
  after(ms: number, run: () => void): () => void
  /** Monotonic milliseconds, from an arbitrary start. */
  elapsedMs(): number
}
