import { DatabaseClient, type ClientBounds } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { mostInformative } from './driver-errors.ts'

/**
 * Opens a dedicated connection, outside of any pool. Of several hosts it uses the first one that takes writes,
 * beginning with the one that last did.
 * @throws ReadOnlyDatabase, NoWritableHost, or why the single host cannot be used
 */
export async function openClient(config: DatabaseConnection & ClientBounds): Promise<DatabaseClient> {
  const failures = new Map<string, Error>()
  for (let tried = 0; tried < (config.hosts?.count ?? 1); tried += 1) {
    const client = new DatabaseClient(config)
    client.on('error', () => undefined) // the statement that uses the broken connection reports the error
    try {
      await client.connect()
      return client
    } catch (error) {
      void client.end().catch(() => undefined)
      failures.set(client.at?.place ?? '', error as Error)
    }
  }
  throw mostInformative(failures)
}

/** Maximum wait for the server to close the connection: an unresponsive one never does. */
const CLOSE_MS_MAX = 2_000

/** Closes a connection, even if its server does not answer. */
export async function close(client: DatabaseClient): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), CLOSE_MS_MAX)
  await client.end().catch(() => undefined)
  clearTimeout(limit)
}
