import type { Clock } from '../../../../openapi/operators/simulator/world/clock.ts'
import type { Scheduler } from '../scheduler.ts'

/** The operator's time: that of the schedule, plus this offset. */
export const operatorClock = (scheduler: Scheduler, aheadMs: number): Clock => ({
  now: () => new Date(scheduler.nowMs + aheadMs),
  after: (ms, task) => void scheduler.after(ms, task),
  advance() {
    throw new Error('the time of a schedule is its own')
  },
  nextDue: () => undefined,
  stop: () => undefined,
})
