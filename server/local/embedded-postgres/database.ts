import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionTo, type DatabaseConnection } from '../../storage/database-hosts.ts'
import { createFile, dataFolderAt, exists, makeFolder } from './data-folder.ts'
import { openEmbeddedPostgres, type EmbeddedPostgresEvent } from './embedded-postgres.ts'

interface DatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly migrationDatabaseUrl: string | undefined
  readonly dataDir: string
  /** `owner`: the server. `guest`: the command line, which must not disturb a running server. */
  readonly role: 'owner' | 'guest'
  readonly onEvent?: (event: EmbeddedPostgresEvent) => void
  /** The embedded PostgreSQL was started and is not ready yet. */
  readonly onLaunch?: () => void
  /** A data folder that was prepared in advance, used if ours is empty. */
  readonly prepared?: () => Promise<string>
}

export interface Database {
  /**
   * For the servers and most commands. In the embedded database, and wherever there are two roles, it has no DDL
   * rights.
   */
  readonly connection: DatabaseConnection
  /** For migrating, and for creating and archiving months; undefined: the same as `connection`. */
  readonly owner: DatabaseConnection | undefined
  stop(): Promise<void>
}

/** The PostgreSQL of DATABASE_URL, else the embedded one of the data folder. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, migrationDatabaseUrl, dataDir, role, onEvent, onLaunch, prepared } = options
  if (databaseUrl !== undefined)
    return {
      connection: connectionTo(databaseUrl),
      owner: migrationDatabaseUrl === undefined ? undefined : connectionTo(migrationDatabaseUrl),
      stop: async () => {},
    }
  const embedded = await openEmbeddedPostgres({
    dataDir,
    role,
    ...(onEvent && { onEvent }),
    ...(onLaunch && { onLaunch }),
    ...(prepared && { prepared }),
  })
  return { connection: embedded.runtime, owner: embedded.connection, stop: () => embedded.stop() }
}

/**
 * The sandbox's master key: created once and stored in the data folder, readable only by its owner. Live mode uses
 * MALIPO_MASTER_KEY instead.
 */
export async function sandboxMasterKey(dataDir: string): Promise<string> {
  await makeFolder(dataDir)
  const file = join(dataDir, 'master-key')
  if (!(await exists(file))) await createFile(dataFolderAt(dataDir), file, `${randomBytes(32).toString('base64')}\n`)
  return (await readFile(file, 'utf8')).trim()
}
