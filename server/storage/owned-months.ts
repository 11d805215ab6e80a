import { ensureMonths, lookForMonths, MONTHS_AHEAD, monthsAhead, type MakeMonths, type Month } from './months.ts'
import { available, createPool, type Pool } from './pool.ts'
import { grantRuntimeRights, type Owner } from './runtime-rights.ts'

/**
 * Makes those that are missing as the owner, by a connection that is open only for that; the runtime role has no rights on
 * a partition itself, also where PostgreSQL gives some by default.
 * @returns those that were made
 */
async function makeAsOwner(owner: Owner, months: readonly Month[], now: Date): Promise<readonly string[]> {
  const pool = createPool({ connection: owner.connection, connectionsMax: 1, onError: () => undefined })
  try {
    const made = await ensureMonths(pool, months, now)
    if (owner.runtimeRole === undefined) return made
    const client = await pool.connect()
    await grantRuntimeRights(client, owner.runtimeRole).finally(() => client.release())
    return made
  } finally {
    await pool.end()
  }
}

/** This month and those that come, where they are missing. @throws MonthMissing when the role may not */
export const makeComingMonths = (owner: Owner, now: Date): Promise<readonly string[]> =>
  makeAsOwner(owner, monthsAhead(now, MONTHS_AHEAD), now)

/** @param pool of whoever serves: with the months there nobody else is asked */
export const makesMonths =
  (pool: Pool, owner: Owner): MakeMonths =>
  async (months, now) => {
    const { missing, mayCreate } = await available(() => lookForMonths(pool, months))
    if (missing.length === 0) return
    if (mayCreate) await ensureMonths(pool, months, now)
    else await makeAsOwner(owner, months, now)
  }
