import type { Queryable } from '../../storage/pool.ts'
import { until } from './served-gateway.ts'

const PATIENTLY_MS = 60_000

/** How many sessions of this database wait for a lock, of whichever role. */
export async function lockWaits(database: Queryable): Promise<number> {
  // Inside a transaction, sessions that came after the first look are seen only so.
  await database.query('select pg_stat_clear_snapshot()')
  const { rowCount } = await database.query(
    `select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
  )
  return rowCount ?? 0
}

export const untilLockWaits = (database: Queryable): Promise<unknown> =>
  until(async () => (await lockWaits(database)) > 0, PATIENTLY_MS, 'a session waits for a lock')
