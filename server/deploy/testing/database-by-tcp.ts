import { startDatabaseProxy } from '../../verification/chaos/database-proxy.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { databaseUrlAt } from '../../verification/testing/database-url.ts'
import { forFile } from '../../verification/testing/for-file.ts'

/**
 * The DATABASE_URL of an empty database of the test file's own, over TCP: the PostgreSQL of the tests has its socket
 * in a folder that sandboxed processes cannot see.
 */
export async function databaseByTcp(): Promise<string> {
  const { connection } = await forFile(createTestDatabase('template0'))
  const proxy = await forFile(startDatabaseProxy(connection))
  return databaseUrlAt(proxy.port, connection)
}
