import { ensureMonths, pollForMonths, MONTHS_AHEAD, monthsAhead, type MakeMonths, type Month } from './months.ts'
import { available, createPool, type Pool } from './pool.ts'
import { grantRuntimeRights, type Owner } from './runtime-rights.ts'

/**
 * Creates the missing months as the owner, over a connection that is open only for this. The runtime role gets no
 * rights on a partition itself, even where PostgreSQL's default privileges grant some.
 * @returns the names of the months that were created
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

/**
 * Creates the current month and the coming ones, where they are missing.
 * @throws MonthMissing when the role may not
 */
export const makeComingMonths = (owner: Owner, now: Date): Promise<readonly string[]> =>
  makeAsOwner(owner, monthsAhead(now, MONTHS_AHEAD), now)

/** @param pool the pool of the running process: if the months exist, no owner connection is opened */
export const makesMonths =
  (pool: Pool, owner: Owner): MakeMonths =>
  async (months, now) => {
    const { missing, mayCreate } = await available(() => pollForMonths(pool, months))
    if (missing.length === 0) return
    if (mayCreate) await ensureMonths(pool, months, now)
    else await makeAsOwner(owner, months, now)
  }
