import { inTransaction, type Connections, type Queryable } from './pool.ts'

/**
 * Resolves when the disk of the database has space. An update alone does not show that: it finds a place in the pages
 * that a table has already, while payments need new ones.
 * @throws StorageUnavailable
 */
export const requireFreeSpace = (pool: Connections): Promise<void> => inTransaction(pool, writeTemporaryFile)

/** Reads a function's rows, which are more than fit into memory: PostgreSQL writes a temporary file and removes it. */
export async function writeTemporaryFile(client: Queryable): Promise<void> {
  await client.query("set local work_mem = '64kB'")
  await client.query('select count(*) from generate_series(1, 20000)')
}
