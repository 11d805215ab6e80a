import { DatabaseClient, type ClientBounds } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { mostTelling } from './driver-errors.ts'

/**
 * A connection of its own, outside of every pool: of several hosts with the first that takes writes, beginning with the
 * one that did last.
 * @throws ReadOnlyDatabase, NoWritableHost, or why the one host cannot be used
 */
export async function openClient(config: DatabaseConnection & ClientBounds): Promise<DatabaseClient> {
  const failures = new Map<string, Error>()
  for (let tried = 0; tried < (config.hosts?.count ?? 1); tried += 1) {
    const client = new DatabaseClient(config)
    client.on('error', () => undefined) // the statement that meets the broken connection reports it
    try {
      await client.connect()
      return client
    } catch (error) {
      void client.end().catch(() => undefined)
      failures.set(client.at?.place ?? '', error as Error)
    }
  }
  throw mostTelling(failures)
}

/** A server that hangs does not take leave: so long is waited for it. */
const LEAVE_MS_MAX = 2_000

/** Ends a connection, also one whose server does not answer. */
export async function leave(client: DatabaseClient): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), LEAVE_MS_MAX)
  await client.end().catch(() => undefined)
  clearTimeout(limit)
}
