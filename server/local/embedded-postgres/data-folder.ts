import { createHash, randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf } from '../../storage/driver-errors.ts'
import { syncFolder } from '../../sync-folder.ts'
import { identityOf, isRoot } from './processes.ts'

/** What can be wrong with the data folder or with running PostgreSQL in it. */
export type DataFolderCode =
  | 'in_use'
  | 'read_only'
  | 'full'
  | 'not_permitted'
  | 'not_a_folder'
  | 'no_place'
  | 'no_binaries'
  | 'version'
  | 'password'
  | 'start_failed'

/** The message is for the person at the terminal: one sentence says what is wrong, one what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
  readonly code: DataFolderCode
  /** The process that uses the folder, when `code` is `in_use` and it is known. */
  readonly ownerPid: number | undefined

  constructor(code: DataFolderCode, message: string, options: { cause?: unknown; ownerPid?: number | undefined } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.ownerPid = options.ownerPid
  }
}

/** Every path that the embedded PostgreSQL uses. */
export interface DataFolder {
  /** Real path: a path through a symbolic link and the direct path must be the same folder. */
  readonly path: string
  readonly cluster: string
  readonly log: string
  readonly passwordFile: string
  readonly ownerFile: string
}

export const dataFolderAt = (path: string): DataFolder => ({
  path,
  cluster: join(path, 'postgres'),
  log: join(path, 'postgres.log'),
  passwordFile: join(path, 'postgres-password'),
  ownerFile: join(path, 'owner.json'),
})

/** Creates the folder (mode 0700) when it is missing, and checks that it is writable. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  await makeFolder(dataDir)
  const path = await realpath(dataDir)
  await tryWriting(path)
  return dataFolderAt(path)
}

/**
 * Creates the folder (mode 0700) and those above it. The option `recursive` of Node never ends where the file system
 * takes no folders, as in /proc. @throws DataFolderError `no_place`
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT') throw error
    const above = dirname(path)
    if (await exists(above))
      throw new DataFolderError(
        'no_place',
        `The data folder ${path} cannot be made, because ${above} takes no folders. Set MALIPO_DATA_DIR to a folder on a disk.`,
        { cause: error },
      )
    await makeFolder(above)
    await makeFolder(path)
  }
}

/** The size of a PostgreSQL page: a disk that cannot store that much cannot run a database. */
const PROBE_BYTES = 8_192

/** Rejects with the errno of the first failed write. */
export async function tryWriting(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES, 1), { mode: 0o600 })
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}

/** Error codes of the system, and one SQLSTATE of PostgreSQL. */
const codeByErrno: Readonly<Record<string, DataFolderCode>> = {
  '53100': 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read_only',
  EACCES: 'not_permitted',
  EPERM: 'not_permitted',
  ENOTDIR: 'not_a_folder',
  EEXIST: 'not_a_folder',
}

// PostgreSQL and initdb print strerror(3) in the C locale, which the environment that we pass pins.
const codeByText: ReadonlyArray<readonly [RegExp, DataFolderCode]> = [
  [/No space left on device|Disk quota exceeded/, 'full'],
  [/Read-only file system/, 'read_only'],
  [/Permission denied|Operation not permitted|has wrong ownership|has invalid permissions/, 'not_permitted'],
]

const adviceByCode: Readonly<Partial<Record<DataFolderCode, (folder: string) => string>>> = {
  full: (folder) =>
    `The disk that holds the data folder ${folder} is full. Free some space (PostgreSQL needs about 100 MB to begin), or set MALIPO_DATA_DIR to a folder on another disk.`,
  read_only: (folder) =>
    `The data folder ${folder} is on a read-only file system. Mount it writable, or set MALIPO_DATA_DIR to a folder that can be written.`,
  not_a_folder: (folder) =>
    `The data folder ${folder} cannot be made, because a file is in its place. Move the file away, or set MALIPO_DATA_DIR to another folder.`,
  not_permitted: (folder) =>
    `The data folder ${folder} may not be used by this user (${whoWeAre()}). Start as the user who owns it, or set MALIPO_DATA_DIR to another folder or DATABASE_URL to a PostgreSQL of your own.`,
}

const whoWeAre = () => (process.geteuid === undefined ? 'unknown' : `uid ${process.geteuid()}`)

/** Turns an error code into an error that says what to do; undefined for other errors. */
export function explained(error: unknown, folder: string): DataFolderError | undefined {
  if (error instanceof DataFolderError) return error
  const code = codeOf(error)
  // SQLSTATE class 58: the system refused something to PostgreSQL. The reason is in the message.
  if (error instanceof Error && code.startsWith('58')) return explainedOutput(error.message, folder)
  return advised(codeByErrno[code], folder, error)
}

/** The same for the output of PostgreSQL or initdb. */
export const explainedOutput = (output: string, folder: string): DataFolderError | undefined =>
  advised(codeByText.find(([pattern]) => pattern.test(output))?.[1], folder, output)

function advised(code: DataFolderCode | undefined, folder: string, cause: unknown): DataFolderError | undefined {
  const advice = code && adviceByCode[code]
  return code && advice && new DataFolderError(code, advice(folder), { cause })
}

/** Whether a rename or link failed because another process was faster. */
export const isThereAlready = (error: unknown): boolean => ['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))

/** True when a complete cluster exists: it gets its name only once it is complete. */
export const hasCluster = (folder: DataFolder): Promise<boolean> => exists(join(folder.cluster, 'PG_VERSION'))

export const exists = (path: string): Promise<boolean> => access(path).then(() => true, ifMissing(false))

/** Handles a rejection: this value when the file is missing. */
const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }

/** The password of the cluster, created on the first call. Two concurrent processes get the same one. */
export async function clusterPassword(folder: DataFolder): Promise<string> {
  const known = await readPassword(folder)
  if (known !== undefined) return known
  if (await hasCluster(folder)) {
    throw new DataFolderError(
      'password',
      `The file ${folder.passwordFile} is missing or empty, so nobody can log in to the database beside it. Put it back from a backup of the data folder, or move the folder away to begin with an empty database.`,
    )
  }
  await createPassword(folder)
  const password = await readPassword(folder)
  if (password === undefined) throw new Error(`${folder.passwordFile} is empty`)
  return password
}

/** Sets the cluster's password, by default a random one, unless it has one. Returns whether this call set it. */
export const createPassword = (
  folder: DataFolder,
  password = randomBytes(24).toString('base64url'),
): Promise<boolean> => createFile(folder, folder.passwordFile, `${password}\n`)

/** Creates the file unless it exists. Two concurrent processes get the same one. Returns whether this call created it. */
export async function createFile(folder: DataFolder, file: string, text: string): Promise<boolean> {
  try {
    // link(2) never replaces: the first of two processes wins.
    await place(folder, file, text, link)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
}

/** Writes a file of the folder under another name first: an incomplete one never has its name. */
async function place(folder: DataFolder, file: string, text: string, rename: typeof link): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true })
    await handOver(draft, folder)
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
    await syncFolder(folder.path)
  }
}

export const readPassword = (folder: Pick<DataFolder, 'passwordFile'>): Promise<string | undefined> =>
  readFile(folder.passwordFile, 'utf8').then((text) => text.trim() || undefined, ifMissing(undefined))

/** When root works in another user's data folder, it must not leave files there that the user cannot open. */
export async function handOver(file: string, folder: DataFolder): Promise<void> {
  if (!isRoot()) return
  const { uid, gid } = await stat(folder.path)
  if (uid !== 0) await chown(file, uid, gid)
}

/**
 * The pid of the live owner that the folder records; undefined when there is none. It is only a hint, which protects
 * an owner whose PostgreSQL does not respond at the moment. The lock itself is an advisory lock in PostgreSQL.
 */
export async function livingOwner(folder: DataFolder): Promise<number | undefined> {
  const record = await readFile(folder.ownerFile, 'utf8').catch(() => '')
  const pid = Number(/^{"pid":(\d+),/.exec(record)?.[1])
  // The pid alone is not enough: after kill -9 or a reboot another process may have it.
  return record !== '' && record === (await recordOf(pid)) ? pid : undefined
}

const recordOf = async (pid: number): Promise<string> => `${JSON.stringify({ pid, identity: await identityOf(pid) })}\n`

/** Records this process as the owner; call it only while holding the advisory lock. */
export const noteOwner = async (folder: DataFolder): Promise<void> =>
  place(folder, folder.ownerFile, await recordOf(process.pid), rename)

/** Removes the record of the owner. */
export const forgetOwner = (folder: DataFolder): Promise<void> => rm(folder.ownerFile, { force: true })

/**
 * sockaddr_un holds 107 bytes on Linux and 103 on macOS; the socket's name takes 15 with its slash, and 2 are spare.
 */
const SOCKET_FOLDER_BYTES_MAX = (process.platform === 'darwin' ? 103 : 107) - '/.s.PGSQL.5432'.length

/** Where the socket goes: beside the data when the path fits, else into a private folder under the temporary folder. */
export async function socketFolder(
  folder: DataFolder,
  user: { uid: number; gid: number; reachesDataFolder: boolean },
): Promise<string> {
  if (user.reachesDataFolder && Buffer.byteLength(folder.path) <= SOCKET_FOLDER_BYTES_MAX) return folder.path
  const hash = createHash('sha256').update(folder.path).digest('hex').slice(0, 16)
  return privateFolder(join(await realpath(tmpdir()), `malipo-${hash}`), user)
}

/** Creates the folder, or uses the existing one if it is a real folder of that user which nobody else can enter. */
async function privateFolder(path: string, user: { uid: number; gid: number }): Promise<string> {
  await mkdir(path, { mode: 0o700 }).then(
    async () => {
      if (isRoot()) await chown(path, user.uid, user.gid)
    },
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== user.uid) {
    throw new DataFolderError(
      'not_permitted',
      `The folder ${path}, which should hold the database socket, belongs to someone else. Remove it, or set TMPDIR to a folder of your own.`,
    )
  }
  if ((found.mode & 0o777) !== 0o700) await chmod(path, 0o700)
  return path
}
