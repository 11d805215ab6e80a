import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { DataFolderError, openEmbeddedPostgres } from './local/embedded-postgres/embedded-postgres.ts'
import { PREPARED, preparedFolder } from './prepared-folder.ts'
import { migrate } from './storage/migrate.ts'

/**
 * Creates the data folder that a first start takes over: initdb, a database and its migrations otherwise take two of
 * the start's four seconds. Folders of other versions are removed. Where PostgreSQL cannot run none is created; the
 * first start reports the reason.
 */
export async function prepareDatabase(home = PREPARED): Promise<void> {
  const folder = await preparedFolder(home)
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  // Built under a draft name: nobody takes over an incomplete folder.
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
    // Removes a folder that was created only for the socket; the data folder itself is not empty.
    await rmdir(connection.host).catch(() => undefined)
  }
}
