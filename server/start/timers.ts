import type { Timers } from '../actions/ports/timers.ts'

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  elapsedMs: () => performance.now(),
}
