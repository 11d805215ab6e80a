import type { Logger } from 'pino'
import {
  countMonthsAhead,
  MonthMissing,
  MONTHS_AHEAD,
  MONTHS_AHEAD_MIN,
  monthsAhead,
  type MakeMonths,
} from '../storage/months.ts'
import { available, type Pool } from '../storage/pool.ts'
import type { SharedClock } from '../storage/shared-clock.ts'

/** Partitions for the payments of the coming months, as far as this process may create them. */
export interface Months {
  /** Rejects with MonthMissing where this process may not create them. */
  readonly make: MakeMonths
  /** Creates what it may, then counts what exists. */
  keep(): Promise<void>
  /** The message for `/health/ready`. */
  fault(): string | undefined
}

interface MonthsOptions {
  readonly pool: Pool
  readonly clock: SharedClock
  readonly logger: Logger
  readonly make: MakeMonths
}

/**
 * Payments get 503 when the partition of their month is missing: the log reports it while a few months are still left.
 */
export function keepsMonths({ pool, clock, logger, make }: MonthsOptions): Months {
  let fault: string | undefined
  return {
    make,
    async keep() {
      const now = clock.now()
      await make(monthsAhead(now, MONTHS_AHEAD), now).catch(ignoreMissing)
      const found = faultOf(await available(() => countMonthsAhead(pool, now)))
      if (found !== undefined && found !== fault) logger.error(found)
      fault = found
    },
    fault: () => fault,
  }
}

/** Where this process may not create them, `malipo months` does. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof MonthMissing)) throw error
}

function faultOf(ahead: number): string | undefined {
  if (ahead >= MONTHS_AHEAD_MIN) return undefined
  if (ahead < 0) return 'the database has no partitions for this month: payments get 503 until malipo months has run'
  return `the database has partitions for few months after this one (${ahead}): run malipo months, which makes them`
}
