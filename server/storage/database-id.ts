import { createHash } from 'node:crypto'
import { available, type Queryable } from './pool.ts'

/**
 * What tells this database from others, beside it: files of this machine that belong to it are found by it. It stays the
 * same for a standby that takes over and for a new master key, and changes with the name of the database.
 */
export async function databaseId(database: Queryable): Promise<string> {
  const { rows } = await available(() =>
    database.query<{ name: string; since: Date | null }>(
      'select current_database() as name, (select created_at from digest_key) as since',
    ),
  )
  const [row] = rows
  return createHash('sha256').update(`${row?.name}\n${row?.since?.toISOString()}`).digest('hex').slice(0, 16)
}
