import { isReplaced } from './baseline.ts'
import type { Queryable } from './pool.ts'

/** A newer version of Malipo changed the database in a way that is incompatible with this version. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
  /** The migrations that this version does not know, excluding those that it need not know. */
  readonly unknown: readonly string[]

  constructor(unknown: readonly string[]) {
    super(`the database was migrated by a newer version of Malipo (${unknown.join(', ')})`)
    this.unknown = unknown
  }
}

/**
 * @param known the migrations that this version knows
 * @returns the names of all applied migrations
 * @throws NewerDatabase when an unknown migration did more than expand
 */
export async function refuseNewer(database: Queryable, known: readonly string[]): Promise<readonly string[]> {
  // A database that is too old for this version may lack the column `kind`; `dueMigrations` refuses it by its names.
  const { rows } = await database.query<{ name: string; kind?: string | null }>(
    'select * from schema_migrations order by name',
  )
  const unknown = rows
    .filter(({ name, kind }) => !known.includes(name) && kind !== 'expand' && !isReplaced(name))
    .map(({ name }) => name)
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  return rows.map(({ name }) => name)
}
