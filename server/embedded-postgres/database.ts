import { randomBytes } from 'node:crypto'
import { open, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionTo, type DatabaseConnection } from '../storage/database-hosts.ts'
import { openEmbeddedPostgres, type EmbeddedPostgresEvent } from './embedded-postgres.ts'

export interface DatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly migrationDatabaseUrl: string | undefined
  readonly dataDir: string
  /** `owner`: the server. `guest`: the command line, which must not disturb a running server. */
  readonly role: 'owner' | 'guest'
  readonly onEvent?: (event: EmbeddedPostgresEvent) => void
  /** The embedded PostgreSQL was started and is not ready yet. */
  readonly onLaunch?: () => void
  /** A data folder that was made ahead, for one that is empty. */
  readonly prepared?: () => Promise<string>
}

export interface Database {
  /** The servers' and most commands': of the embedded database and where there are two roles it has no DDL. */
  readonly connection: DatabaseConnection
  /** Of whoever migrates, makes months and archives them; absent: the same. */
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
 * The sandbox's master key: made once and kept in the data folder, readable by its owner only. Live mode is given
 * MALIPO_MASTER_KEY instead.
 */
export async function sandboxMasterKey(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'master-key')
  try {
    // Exclusive: of two processes that start at once one writes, the other reads what it wrote.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}
