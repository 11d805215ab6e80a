/** Elapsed time and timers for waits: injected, so that a simulation decides when a wait is over. */
export interface Timers {
  /** @returns cancels the timer */
  after(ms: number, run: () => void): () => void
  /** Monotonic milliseconds from an arbitrary origin. */
  elapsedMs(): number
}
