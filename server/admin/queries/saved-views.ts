import { available, type Pool } from '../../storage/pool.ts'
import { rowsOf } from './rows.ts'

/** A list of payments that a person returns to. */
export interface SavedView {
  readonly name: string
  /** Of the page, without `?`. */
  readonly query: string
}

export const SAVED_VIEWS_MAX = 20

/** Those of a person, the oldest first. */
export const savedViews = (pool: Pool, personId: bigint): Promise<readonly SavedView[]> =>
  rowsOf<SavedView>(pool, 'select name, query from saved_views where person_id = $1 order by saved_at, name limit $2', [
    personId,
    SAVED_VIEWS_MAX,
  ])

/** Saves a view, in place of the one with its name. @returns false when the person has too many */
export const saveView = (pool: Pool, personId: bigint, { name, query }: SavedView, now: Date): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query(
      `insert into saved_views (person_id, name, query, saved_at)
       select $1, $2, $3, $4 where (select count(*) from saved_views where person_id = $1 and name <> $2) < $5
       on conflict (person_id, name) do update set query = excluded.query`,
      [personId, name, query, now, SAVED_VIEWS_MAX],
    )
    return rowCount === 1
  })

export const removeView = (pool: Pool, personId: bigint, name: string): Promise<unknown> =>
  available(() => pool.query('delete from saved_views where person_id = $1 and name = $2', [personId, name]))
