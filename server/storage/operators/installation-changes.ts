import { available, type Pool, type Queryable } from '../pool.ts'

/** A change of a connection, as its owners want to know it later. */
export interface InstallationChangeView {
  readonly changed_at: Date
  /** Who has made it. */
  readonly changed_by: string
  /** In words; of secrets the names only. */
  readonly what: string
}

/** Of values that are long, such as certificates, the beginning says which it was. */
const VALUE_MAX = 60
const shortened = (value: string): string => {
  const line = value.replaceAll(/\s+/g, ' ')
  return line.length > VALUE_MAX ? `${line.slice(0, VALUE_MAX)}…` : line
}

/** What a change has set, for people. */
export const changeText = (values: Readonly<Record<string, string | undefined>>, secrets: readonly string[]): string =>
  [
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shortened(value)}`])),
    ...secrets.map((name) => `${name} (secret)`),
  ].join(', ')

/** In the transaction that changes it. @param by absent: a program of ours */
export const recordChange = (
  client: Queryable,
  installation: string,
  what: string,
  by: string | undefined,
  now: Date,
): Promise<unknown> =>
  client.query(
    'insert into installation_changes (installation, changed_at, changed_by, what) values ($1, $2, $3, $4)',
    [installation, now, by ?? 'malipo', what],
  )

/** The newest first. */
export const installationChanges = (
  pool: Pool,
  installation: string,
  limit: number,
): Promise<readonly InstallationChangeView[]> =>
  available(async () => {
    const { rows } = await pool.query<InstallationChangeView>(
      'select changed_at, changed_by, what from installation_changes where installation = $1 order by id desc limit $2',
      [installation, limit],
    )
    return rows
  })
