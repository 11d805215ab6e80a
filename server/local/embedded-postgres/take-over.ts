import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../sync-folder.ts'
import {
  type DataFolder,
  createPassword,
  dataFolderAt,
  exists,
  hasCluster,
  isThereAlready,
  readPassword,
} from './data-folder.ts'

/**
 * Moves the database of a data folder that was prepared in advance into a folder without one. The rename is atomic: if
 * two processes try, for one folder or for two, only one gets it. A kill in the middle leaves a draft and at most its
 * password, with which the next start creates a cluster as usual.
 * @returns whether the folder has it now
 */
export async function takeOver(
  prepared: () => Promise<string>,
  folder: DataFolder,
  majorVersion: number,
): Promise<boolean> {
  if ((await hasCluster(folder)) || (await exists(folder.passwordFile))) return false
  // Named like a draft of this process, so that cleanup after a kill removes it too.
  const draft = dataFolderAt(join(folder.path, `postgres.${process.pid}-${randomBytes(6).toString('hex')}`))
  try {
    await rename(await prepared(), draft.path)
  } catch {
    // It is missing, belongs to another user, or is on another disk.
    return false
  }
  try {
    const version = (await readFile(join(draft.cluster, 'PG_VERSION'), 'utf8')).trim()
    const password = await readPassword(draft)
    if (Number(version) !== majorVersion || password === undefined) return false
    if (!(await createPassword(folder, password))) return false
    await rename(draft.cluster, folder.cluster)
    await syncFolder(folder.path)
    return true
  } catch (error) {
    // Another process created a cluster with the same password in the meantime.
    if (isThereAlready(error)) return false
    throw error
  } finally {
    await rm(draft.path, { recursive: true, force: true })
  }
}
