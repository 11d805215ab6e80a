import { inTransaction, type Connections, type Queryable } from './pool.ts'

/**
 * Resolves when the disk of the database has free space. An update alone does not prove that: it may fit into the
 * existing pages of a table, while payments need new pages.
 * @throws StorageUnavailable
 */
export const requireFreeSpace = (pool: Connections): Promise<void> => inTransaction(pool, writeTemporaryFile)

/**
 * Reads a set-returning function whose rows exceed work_mem: PostgreSQL spills them to a temporary file and removes
 * it.
 */
export async function writeTemporaryFile(client: Queryable): Promise<void> {
  await client.query("set local work_mem = '64kB'")
  await client.query('select count(*) from generate_series(1, 20000)')
}
