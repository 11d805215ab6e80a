/** The passing of time as waits need it: injected, so that a simulation decides when a wait is over. */
export interface Timers {
  /** @returns ends the wait */
  after(ms: number, run: () => void): () => void
  /** Milliseconds that only ever grow, from any beginning. */
  elapsedMs(): number
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  elapsedMs: () => performance.now(),
}
