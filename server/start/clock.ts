import type { Logger } from 'pino'
import type { Clock } from '../actions/ports/clock.ts'
import type { Pool } from '../storage/pool.ts'
import { CLOCK_SKEW_REPORTED_MS, createSharedClock, skewText, type SharedClock } from '../storage/shared-clock.ts'

/** The clock that all processes share, unless a clock is injected: that one is always right. */
export async function openClock(pool: Pool, given: Clock | undefined, logger: Logger): Promise<SharedClock> {
  if (given) return { now: () => given.now(), sync: async () => undefined, skewMs: () => 0 }
  const clock = await createSharedClock(pool)
  const skewMs = clock.skewMs()
  if (Math.abs(skewMs) > CLOCK_SKEW_REPORTED_MS)
    logger.warn({ skewMs }, `this machine's clock is ${skewText(skewMs)}: the database's is used, but correct this one`)
  return clock
}
