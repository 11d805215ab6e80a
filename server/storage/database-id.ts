import { createHash } from 'node:crypto'
import { available, type Queryable } from './pool.ts'

/**
 * An id that distinguishes this database from others, so that files on this machine can be matched to it. It survives
 * a failover to a standby and a new master key, and changes with the name of the database.
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
