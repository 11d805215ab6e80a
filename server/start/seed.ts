import { seedSandbox } from '../local/sandbox/seed-sandbox.ts'
import { monthsAhead } from '../storage/months.ts'
import type { Pool } from '../storage/pool.ts'
import type { Foundation } from './foundation.ts'
import { ignoreMissing } from './months.ts'

/** Providers, banks and the demo merchant, whose callbacks go to the inbox at `url`. For the sandbox's servers only. */
export async function seed(foundation: Foundation, url: string): Promise<void> {
  const { sandbox, surroundings, pool, box, clock } = foundation
  if (!sandbox || surroundings.role === 'worker') return
  await seedSandbox(pool, box, url, clock.now())
}

/**
 * The same, before anything else of a start; with MALIPO_SANDBOX_HISTORY=month the demo merchant of a new database gets
 * a past.
 */
export async function seedFirst(foundation: Foundation, url: string): Promise<void> {
  const { sandbox, surroundings, pool, box, clock, config, months } = foundation
  const mayHavePast = sandbox && surroundings.role !== 'worker' && config.sandboxHistory === 'month'
  if (!mayHavePast || !(await isEmpty(pool))) return seed(foundation, url)
  // Loaded once in the life of a database.
  const { demoPast, playHistory } = await import('./sandbox-history.ts')
  const past = demoPast(clock.now())
  const hasMonths = await months.make(monthsAhead(past.from, 1), clock.now()).then(
    () => true,
    (error: unknown) => (ignoreMissing(error), false),
  )
  // PORT=0 is not a port yet. Of two processes that start at once, one adds the merchant.
  const isNew = hasMonths && (await seedSandbox(pool, box, url.replace(/:0$/, ':8080'), past.from))
  if (isNew) return playHistory(foundation, past)
  await seed(foundation, url)
}

/** Payments that were made here keep to themselves. */
const isEmpty = async (pool: Pool): Promise<boolean> =>
  (await pool.query('select from merchants union all select from transactions limit 1')).rowCount === 0
