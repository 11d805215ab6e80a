import { available, type Pool } from '../pool.ts'

/** Where what an operator sends differs from its contract, as its owner reads it. */
export interface DriftView {
  readonly source: string
  readonly field: string
  readonly shape: string
  readonly count: number
  readonly first_seen_at: Date
  readonly last_seen_at: Date
}

/** Of one installation, what was seen last first. */
export const listDrift = (pool: Pool, installation: string): Promise<readonly DriftView[]> =>
  available(async () => {
    const { rows } = await pool.query<DriftView>(
      `select source, field, shape, count::float8 as count, first_seen_at, last_seen_at from operator_drift
       where installation = $1 order by last_seen_at desc, source, field, shape`,
      [installation],
    )
    return rows
  })
