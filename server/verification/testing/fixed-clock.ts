import type { Clock } from '../../actions/ports/clock.ts'

/** A clock that stands still until a test advances it. */
export interface FixedClock extends Clock {
  advance(ms: number): void
}

export function fixedClock(start = new Date('2026-03-01T08:00:00Z')): FixedClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms
    },
  }
}
