import { constants } from 'node:fs'
import { access, lstat, mkdir, open, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Who writes a file. Its id is one that no other process has, and no other gateway of the same process. */
export interface SpoolOwner {
  readonly host: string
  readonly pid: number
  readonly id: string
}

/** A file of a spool, by its name. */
export interface SpoolFile {
  readonly name: string
  /** When it was begun: no message in it came earlier. */
  readonly openedAt: number
  readonly owner: SpoolOwner
}

/** A process on another host that has touched its files for so long no more is dead. */
export const SILENT_MS_MAX = 30_000

/** What a file is called that has damaged bytes in it: it is kept for a person to look at. */
export const DAMAGED = '.damaged'
const NAME = /^(\d{1,15})\.(\d+)\.([A-Za-z0-9_-]{1,100})\.(\d{1,10})\.([0-9a-f]{16,32})\.spool$/

/**
 * Where the spool of a database is on this machine: no process stores what belongs to another database.
 * @param databaseId a word that can be the name of a folder
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

/** The process stops: others take over what it leaves. */
export const leaveSpool = ({ id }: SpoolOwner): void => void ofThisProcess.delete(id)

export const spoolFileName = ({ host, pid, id }: SpoolOwner, openedAt: number, n: number): string =>
  `${openedAt}.${n}.${host}.${pid}.${id}.spool`

/** The files of a folder, the oldest first. No folder has none. @throws the system's error when it cannot be read */
export async function spoolFiles(folder: string): Promise<readonly SpoolFile[]> {
  return (await namesIn(folder))
    .flatMap((name): SpoolFile[] => {
      const [, openedAt = '', , host = '', pid = '', id = ''] = NAME.exec(name) ?? []
      return id === '' ? [] : [{ name, openedAt: Number(openedAt), owner: { host, pid: Number(pid), id } }]
    })
    .toSorted((a, b) => a.openedAt - b.openedAt)
}

/** Everything in a folder; nothing when it is none. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOfSystem(error))) return []
    throw error
  }
}

/**
 * Whether the process that writes a file has ended. It may be wrong, after a pause for example: whoever takes a file
 * over renames it, and a writer acknowledges only what is in a file that still has its name.
 */
export async function isDead(folder: string, file: SpoolFile, own: SpoolOwner, now: number): Promise<boolean> {
  const { host, pid, id } = file.owner
  if (id === own.id || ofThisProcess.has(id)) return false
  // A container that starts again has the host and the pid of the one before.
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

/** Says to other hosts that the writer of a file lives. */
export const touch = (path: string, now: number): Promise<void> =>
  utimes(path, now / 1_000, now / 1_000).catch(() => undefined)

/** Makes the folder, for this user alone, so that it is there after a power failure too. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** What was made, renamed or removed in a folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** @returns why nothing can be written into the folder, which need not be there yet */
export async function folderFault(folder: string): Promise<string | undefined> {
  try {
    await readdir(folder) // a file in its place is told from a folder
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = codeOfSystem(error)
    return code === 'ENOENT' && dirname(folder) !== folder ? folderFault(dirname(folder)) : faultText(error)
  }
}

/** What a fault is called by the system, for people: `ENOSPC`. Never a text with a message in it. */
export const faultText = (error: unknown): string => codeOfSystem(error) || 'unknown fault'

const codeOfSystem = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
