import type { Timers } from '../../actions/ports/timers.ts'

interface HandTimers extends Timers {
  /** Advances the time: due timers run in order, and so do those that they start. */
  pass(ms: number): Promise<void>
}

/** Timers that only the test advances. */
export function handTimers(): HandTimers {
  let now = 0
  const waits = new Set<{ readonly at: number; readonly run: () => void }>()
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    elapsedMs: () => now,
    after(ms, run) {
      const wait = { at: now + ms, run }
      waits.add(wait)
      return () => waits.delete(wait)
    },
    async pass(ms) {
      const until = now + ms
      await settled()
      for (;;) {
        const [next] = [...waits].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)
        if (!next) break
        waits.delete(next)
        now = Math.max(now, next.at)
        next.run()
        await settled()
      }
      now = until
    },
  }
}
