import { withoutAudit, type AuditedPool } from '../../storage/audited-pool.ts'
import { createPool } from '../../storage/pool.ts'
import { createTestDatabase, type TestDatabase, type Template } from './database.ts'
import { forFile } from './for-file.ts'

interface DatabaseTest extends TestDatabase {
  /** A pool as the gateway opens it; it connects with its first query. */
  readonly pool: AuditedPool
}

/**
 * A database of the test file's own, dropped after its last test.
 * @param template the migrated and seeded one by default
 */
export async function databaseTest({
  template,
  connectionsMax = 8,
}: { readonly template?: Template; readonly connectionsMax?: number } = {}): Promise<DatabaseTest> {
  const database = await forFile(createTestDatabase(template))
  const pool = withoutAudit(createPool({ connection: database.connection, connectionsMax, onError: () => undefined }))
  await forFile(Promise.resolve({ end: () => pool.end() }))
  return { ...database, pool }
}
