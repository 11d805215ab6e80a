/** The passing of time, as `server/work/timers.ts` has it. */
export interface Timers {
  /** @returns ends the wait */
  after(ms: number, run: () => void): () => void
  /** Milliseconds that only ever grow, from any beginning. */
  elapsedMs(): number
}
