import type { Pool, Queryable } from '../../storage/pool.ts'
import { rowsOf } from './rows.ts'

/** A change of a rail account, for its history. */
interface RailAccountChangeView {
  readonly changed_at: Date
  /** Who made it. */
  readonly changed_by: string
  /** In words; for secrets only their names. */
  readonly what: string
}

/** Long values, such as certificates, are truncated: the beginning identifies them. */
const VALUE_MAX = 60
const shortened = (value: string): string => {
  const line = value.replaceAll(/\s+/g, ' ')
  return line.length > VALUE_MAX ? `${line.slice(0, VALUE_MAX)}…` : line
}

/** Describes the values that a change set, for people. */
export const changeText = (values: Readonly<Record<string, string | undefined>>, secrets: readonly string[]): string =>
  [
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shortened(value)}`])),
    ...secrets.map((name) => `${name} (secret)`),
  ].join(', ')

/** Call it in the transaction of the change. @param by undefined if one of our programs made it */
export const recordChange = (
  client: Queryable,
  railAccount: string,
  what: string,
  by: string | undefined,
  now: Date,
): Promise<unknown> =>
  client.query(
    'insert into rail_account_changes (rail_account, changed_at, changed_by, what) values ($1, $2, $3, $4)',
    [railAccount, now, by ?? 'malipo', what],
  )

/** The newest first. */
export const railAccountChanges = (
  pool: Pool,
  railAccount: string,
  limit: number,
): Promise<readonly RailAccountChangeView[]> =>
  rowsOf<RailAccountChangeView>(
    pool,
    'select changed_at, changed_by, what from rail_account_changes where rail_account = $1 order by id desc limit $2',
    [railAccount, limit],
  )
