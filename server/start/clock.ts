import type { Logger } from 'pino'
import type { Clock } from '../actions/ports/clock.ts'
import type { Config } from '../config.ts'
import type { VirtualClock } from '../local/sandbox/virtual-clock.ts'
import type { Pool } from '../storage/pool.ts'
import { CLOCK_SKEW_REPORTED_MS, createSharedClock, skewText, type SharedClock } from '../storage/shared-clock.ts'
import type { StartEnvironment } from './surroundings.ts'

/** The clock that all processes share, unless a clock is injected: that one is always right. */
async function openClock(pool: Pool, given: Clock | undefined, logger: Logger): Promise<SharedClock> {
  if (given) return { now: () => given.now(), sync: async () => undefined, skewMs: () => 0 }
  const clock = await createSharedClock(pool)
  const skewMs = clock.skewMs()
  if (Math.abs(skewMs) > CLOCK_SKEW_REPORTED_MS)
    logger.warn({ skewMs }, `this machine's clock is ${skewText(skewMs)}: the database's is used, but correct this one`)
  return clock
}

/** The sandbox's own clock, which may be ahead of the real one. Its module loads only there: live mode has none. */
export async function openVirtualClock(
  pool: Pool,
  real: SharedClock,
  isSandbox: boolean,
  processId?: string,
): Promise<VirtualClock | undefined> {
  if (!isSandbox) return undefined
  const { createVirtualClock } = await import('../local/sandbox/virtual-clock.ts')
  return createVirtualClock(pool, real, processId)
}

/** The clocks of a process: `clock` is the sandbox's where there is one. */
export async function openClocks(
  pool: Pool,
  { mode }: Pick<Config, 'mode'>,
  { clock: given, logger }: Pick<StartEnvironment, 'clock' | 'logger'>,
  processId: string,
) {
  const realClock = await openClock(pool, given, logger)
  const virtualClock = await openVirtualClock(pool, realClock, mode === 'sandbox', processId)
  return { realClock, virtualClock, clock: virtualClock ?? realClock }
}
