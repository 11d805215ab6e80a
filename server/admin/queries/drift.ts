import type { Pool } from '../../storage/pool.ts'
import { rowsOf } from './rows.ts'

/** How an operator's replies differ from its contract, for the owner of the rail account. */
export interface DriftView {
  readonly source: string
  readonly field: string
  readonly shape: string
  readonly count: number
  readonly first_seen_at: Date
  readonly last_seen_at: Date
}

/** Of one rail account, the most recently seen first. */
export const listDrift = (pool: Pool, railAccount: string): Promise<readonly DriftView[]> =>
  rowsOf<DriftView>(
    pool,
    `select source, field, shape, count::float8 as count, first_seen_at, last_seen_at from operator_drift
       where rail_account = $1 order by last_seen_at desc, source, field, shape`,
    [railAccount],
  )
