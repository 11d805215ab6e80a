import { randomBytes } from 'node:crypto'
import { access, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DataFolder,
  createPassword,
  dataFolderAt,
  hasCluster,
  isThereAlready,
  readPassword,
  syncFolder,
} from './data-folder.ts'

/**
 * Gives a folder without a database the one of a data folder that was made ahead. The rename makes it ours alone: of two
 * processes, of one folder or of two, one has it. A kill in the middle leaves a draft, and at most its password, with
 * which the next start makes a cluster as ever.
 * @returns whether the folder has it now
 */
export async function takeOver(
  prepared: () => Promise<string>,
  folder: DataFolder,
  majorVersion: number,
): Promise<boolean> {
  if ((await hasCluster(folder)) || (await exists(folder.passwordFile))) return false
  // Named as a draft of this process: what a kill leaves is removed as those are.
  const draft = dataFolderAt(join(folder.path, `postgres.${process.pid}-${randomBytes(6).toString('hex')}`))
  try {
    await rename(await prepared(), draft.path)
  } catch {
    // There is none, it is somebody else's, or on another disk.
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
    // Another process that uses the same password has made a cluster meanwhile.
    if (isThereAlready(error)) return false
    throw error
  } finally {
    await rm(draft.path, { recursive: true, force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
