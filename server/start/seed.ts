import type { DemoPast } from '../local/sandbox/past-payments.ts'
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
 * The same, before anything else of a start.
 * @returns the past that the demo merchant of this new database is to get: `playHistory`, once its inbox listens
 */
export async function seedFirst(foundation: Foundation, url: string): Promise<DemoPast | undefined> {
  const { sandbox, surroundings, pool, box, clock, config, months } = foundation
  const mayHavePast = sandbox && surroundings.role !== 'worker' && config.sandboxHistory === 'month'
  if (mayHavePast && (await isEmpty(pool))) {
    // Loaded once in the life of a database.
    const { demoPast } = await import('./sandbox-history.ts')
    const past = demoPast(clock.now())
    const hasMonths = await months.make(monthsAhead(past.from, 1), clock.now()).then(
      () => true,
      (error: unknown) => (ignoreMissing(error), false),
    )
    // Of two processes that start at once, one adds the merchant.
    if (hasMonths && (await seedSandbox(pool, box, url, past.from))) return past
  }
  await seed(foundation, url)
  return undefined
}

/** Payments that were made here keep to themselves. */
const isEmpty = async (pool: Pool): Promise<boolean> =>
  (await pool.query('select from merchants union all select from transactions limit 1')).rowCount === 0
