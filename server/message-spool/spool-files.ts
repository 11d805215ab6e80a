import { constants } from 'node:fs'
import { access, lstat, mkdir, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../sync-folder.ts'

/** The writer of a file. Its id is unique among all processes, and among the gateways of one process. */
export interface SpoolOwner {
  readonly host: string
  readonly pid: number
  readonly id: string
}

/** A spool file, parsed from its name. */
interface SpoolFile {
  readonly name: string
  /** When the file was created: no message in it is older. */
  readonly openedAt: number
  readonly owner: SpoolOwner
}

/** A process on another host counts as dead when it has not touched its files for this long. */
export const SILENT_MS_MAX = 30_000

/** The suffix of files with damaged bytes: they are kept for a person to examine. */
export const DAMAGED = '.damaged'
const NAME = /^(\d{1,15})\.(\d+)\.([A-Za-z0-9_-]{1,100})\.(\d{1,10})\.([0-9a-f]{16,32})\.spool$/

/**
 * The folder of a database's spool on this machine: no process stores what belongs to another database.
 * @param databaseId must be valid as a folder name
 */
export const spoolFolder = (
  { spoolDir, dataDir }: { readonly spoolDir: string | undefined; readonly dataDir: string },
  databaseId: string,
): string => join(spoolDir ?? join(dataDir, 'spool'), databaseId)

/** Ids of the gateways of this process. */
const ofThisProcess = new Set<string>()

/** @param id hexadecimal, 16 to 32 digits */
export function spoolOwner(host: string, pid: number, id: string): SpoolOwner {
  ofThisProcess.add(id)
  return { host: host.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 100) || '_', pid, id }
}

/** The process stops: others take over its remaining files. */
export const leaveSpool = ({ id }: SpoolOwner): void => void ofThisProcess.delete(id)

export const spoolFileName = ({ host, pid, id }: SpoolOwner, openedAt: number, n: number): string =>
  `${openedAt}.${n}.${host}.${pid}.${id}.spool`

/**
 * The spool files of a folder, the oldest first; none when the folder does not exist.
 * @throws the system's error when it cannot be read
 */
export async function spoolFiles(folder: string): Promise<readonly SpoolFile[]> {
  return (await namesIn(folder))
    .flatMap((name): SpoolFile[] => {
      const [, openedAt = '', , host = '', pid = '', id = ''] = NAME.exec(name) ?? []
      return id === '' ? [] : [{ name, openedAt: Number(openedAt), owner: { host, pid: Number(pid), id } }]
    })
    .toSorted((a, b) => a.openedAt - b.openedAt)
}

/** All names in a folder; none when it does not exist or is not a folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOfSystem(error))) return []
    throw error
  }
}

/**
 * Whether the process that writes a file has died. This may be wrong, for example after a pause. It is safe: whoever
 * takes a file over renames it, and a writer acknowledges only what is in a file that still has its name.
 */
export async function isDead(folder: string, file: SpoolFile, own: SpoolOwner, now: number): Promise<boolean> {
  const { host, pid, id } = file.owner
  if (id === own.id || ofThisProcess.has(id)) return false
  // A restarted container has the same host name and pid as the one before.
  if (host === own.host && (pid === own.pid || !isRunning(pid))) return true
  const touched = await lstat(join(folder, file.name)).catch(() => undefined)
  return touched !== undefined && now - touched.mtimeMs > SILENT_MS_MAX
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOfSystem(error) !== 'ESRCH'
  }
}

/** Heartbeat: shows other hosts that the writer of a file is alive. */
export const touch = (path: string, now: number): Promise<void> =>
  utimes(path, now / 1_000, now / 1_000).catch(() => undefined)

/** Creates the folder with access for this user only, and syncs it so that it survives a power failure. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** @returns why the folder, which may not exist yet, cannot be written */
export async function folderFault(folder: string): Promise<string | undefined> {
  try {
    await readdir(folder) // distinguishes a file in its place from a folder
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = codeOfSystem(error)
    return code === 'ENOENT' && dirname(folder) !== folder ? folderFault(dirname(folder)) : faultText(error)
  }
}

/** The system's code of a fault, for people: `ENOSPC`. Never contains the text of a message. */
export const faultText = (error: unknown): string => codeOfSystem(error) || 'unknown fault'

const codeOfSystem = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
