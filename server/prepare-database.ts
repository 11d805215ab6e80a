import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { DataFolderError, openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { PREPARED, preparedFolder } from './prepared-folder.ts'
import { migrate } from './storage/migrate.ts'

/**
 * Makes the folder that a first start takes over: initdb, a database and its migrations are two of the four seconds that
 * it would take otherwise. Those of other versions go. Where PostgreSQL cannot run there is none; the first start says what
 * is wrong.
 */
export async function prepareDatabase(home = PREPARED): Promise<void> {
  const folder = await preparedFolder(home)
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  // Nobody takes what is not whole.
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  try {
    await fill(draft)
    await rename(draft, folder)
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function fill(dataDir: string): Promise<void> {
  const database = await openEmbeddedPostgres({ dataDir, role: 'owner' })
  const { connection, runtime } = database
  try {
    await migrate(connection, 'sandbox', { grantTo: runtime.user })
  } finally {
    await database.stop()
    // A folder that was made for its socket alone; the data folder itself is not empty.
    await rmdir(connection.host).catch(() => undefined)
  }
}
