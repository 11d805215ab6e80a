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

/** Room for the payments of the coming months, as far as this process may make some. */
export interface Months {
  /** Rejects with MonthMissing where this process may not. */
  readonly make: MakeMonths
  /** Makes what it may, and counts what is there then. */
  keep(): Promise<void>
  /** What is said of them at `/health/ready`. */
  fault(): string | undefined
}

interface MonthsOptions {
  readonly pool: Pool
  readonly clock: SharedClock
  readonly logger: Logger
  readonly make: MakeMonths
}

/** Payments of a month that is missing get 503: with few months ahead somebody is told, for months. */
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

/** Where this process may not make them `malipo months` does. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof MonthMissing)) throw error
}

function faultOf(ahead: number): string | undefined {
  if (ahead >= MONTHS_AHEAD_MIN) return undefined
  if (ahead < 0) return 'the database has no partitions for this month: payments get 503 until malipo months has run'
  return `the database has partitions for few months after this one (${ahead}): run malipo months, which makes them`
}
