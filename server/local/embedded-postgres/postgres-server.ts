import { randomBytes } from 'node:crypto'
import {
  chown,
  copyFile,
  mkdir,
  lchown,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../sync-folder.ts'
import {
  type DataFolder,
  DataFolderError,
  explained,
  explainedOutput,
  handOver,
  hasCluster,
  isThereAlready,
  tryWriting,
} from './data-folder.ts'
import { type Launcher, finished, PIPED } from './postgres-binaries.ts'
import {
  identityOf,
  isAlive,
  isPostgresOf,
  isRoot,
  isTaken,
  postgresProcessesOf,
  signal,
  waitFor,
} from './processes.ts'

/**
 * The superuser that initdb creates in this cluster: for our own sessions, which create databases and hold the locks
 * of the folder.
 */
export const USER = 'malipo'

/** The port only names the socket: nothing listens on the network. */
export const PORT = 5432

/** One cluster and how to run it. */
export interface Server {
  readonly folder: DataFolder
  readonly launcher: Launcher
  readonly password: string
  readonly socketFolder: string
  readonly settings: Readonly<Record<string, string>>
  /** Whether the gateway's role may create databases: only in tests. */
  readonly mayMakeDatabases: boolean
}

/** For a machine with two cores and many short transactions; the caller can override each setting. */
const OWN_SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  // The kernel may promise huge pages that the container may not use (bus error).
  huge_pages: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // After a checkpoint PostgreSQL logs whole pages once: compressed they take a third, for some 50 µs each.
  wal_compression: 'on',
  random_page_cost: '1.1',
  // Two cores serve more payments when no query uses both, and no query of ours runs long enough for JIT compilation.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors reach the application as exceptions. Here they would grow the log, and their statements and details
  // (`Failing row contains …`) would put phone numbers into it.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/**
 * Creates the cluster if there is none. It is built under another name and renamed when complete, so a kill leaves no
 * incomplete cluster; of two built at the same time one is discarded. Returns whether ours became the cluster.
 */
export async function initialise(server: Server): Promise<boolean> {
  const { folder, launcher } = server
  if (await hasCluster(folder)) return false
  await removeAbandonedDrafts(server)
  const draftName = `postgres.${process.pid}-${randomBytes(6).toString('hex')}`
  const draft = join(folder.path, draftName)
  try {
    await mkdir(draft, { mode: 0o700 })
    if (isRoot()) await chown(draft, launcher.user.uid, launcher.user.gid)
    await initdb(server, draft, await passwordFileFor(server, draftName))
    await rename(draft, folder.cluster)
    await syncFolder(folder.path)
    return true
  } catch (error) {
    if (isThereAlready(error)) return false
    throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(join(server.socketFolder, `${draftName}.password`), { force: true })
  }
}

async function initdb({ folder, launcher, settings }: Server, draft: string, passwordFile: string): Promise<void> {
  // The builtin C.UTF-8 sorts by code point and depends on no locale of the machine. initdb ends with an fsync of every
  // file (0.15 s of 0.6 s), so that the cluster is complete on disk before it gets its name.
  const options = [
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    '--set=huge_pages=off',
    ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
  ]
  const { status, output } = await finished(launcher.start('initdb', draft, options, PIPED))
  if (status !== 0) throw explainedOutput(output, folder.path) ?? failedToStart(folder, output)
}

/** The other user may not read our file: it gets a copy, in the private folder of the socket, while initdb runs. */
async function passwordFileFor(
  { folder, launcher, password, socketFolder }: Server,
  draftName: string,
): Promise<string> {
  if (launcher.user.reachesDataFolder) return folder.passwordFile
  const file = join(socketFolder, `${draftName}.password`)
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx' })
  await chown(file, launcher.user.uid, launcher.user.gid)
  return file
}

/** Removes drafts of killed processes; drafts of live processes stay. */
async function removeAbandonedDrafts({ folder, socketFolder }: Server): Promise<void> {
  for (const home of new Set([folder.path, socketFolder])) {
    for (const name of await readdir(home)) {
      const pid = /^postgres\.(\d+)-[0-9a-f]+(\.password)?$/.exec(name)?.[1]
      if (pid === undefined || (await isAlive(Number(pid)))) continue
      // An initdb whose parent was killed may still write there, until its files are missing.
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => {})
    }
  }
}

/** @throws DataFolderError `version` when the cluster belongs to another major version of PostgreSQL */
export async function checkVersion({ folder, launcher }: Server): Promise<void> {
  const found = (await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8')).trim()
  if (Number(found) === launcher.majorVersion) return
  throw new DataFolderError(
    'version',
    `The database in ${folder.cluster} was made by PostgreSQL ${found}, and this Malipo brings PostgreSQL ${launcher.majorVersion}. Start it with the Malipo that made it and move the data by dump and restore, or set MALIPO_DATA_DIR to a new folder.`,
  )
}

/** The content of `postmaster.pid`, if its process lives and is the server of this cluster. */
interface Postmaster {
  readonly pid: number
  readonly socketFolder: string | undefined
  readonly status: 'starting' | 'ready' | 'stopping' | 'unknown'
}

/** The live server of the cluster, whoever started it; undefined when there is none. */
export async function livingPostmaster(server: Server): Promise<Postmaster | undefined> {
  const noted = await readPidFile(server)
  return noted && (await isPostgresOf(noted.pid, server.folder.cluster, server.socketFolder)) ? noted : undefined
}

const pidFile = (server: Server) => join(server.folder.cluster, 'postmaster.pid')

// The lines: pid, folder, start time, port, socket folder, address, shared memory, status. They are written one by one.
async function readPidFile(server: Server): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(server), 'utf8').catch(() => '')
  const pid = pidIn(text)
  if (pid === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const status = (['starting', 'ready', 'stopping'] as const).find((known) => known === lines[7])
  return { pid, socketFolder: lines[4] || undefined, status: status ?? 'unknown' }
}

/**
 * PostgreSQL refuses to start while any process has the pid in a lock file, even an unrelated process or a zombie. Its
 * own check of the shared memory, which finds live children of a dead server, does not need the files.
 */
async function removeForeignLockFiles(server: Server): Promise<void> {
  for (const file of [pidFile(server), join(server.socketFolder, `.s.PGSQL.${PORT}.lock`)]) {
    const pid = pidIn(await readFile(file, 'utf8').catch(() => ''))
    if (pid !== undefined && isTaken(pid) && !(await isPostgresOf(pid, server.folder.cluster, server.socketFolder)))
      await rm(file, { force: true })
  }
}

/** The first line of a lock file. */
function pidIn(text: string): number | undefined {
  const pid = Math.abs(Number.parseInt(text, 10))
  return pid > 0 ? pid : undefined
}

/** Changes the owner of a cluster that root created where user namespaces work, and now starts where they do not. */
async function giveClusterTo(uid: number, gid: number, cluster: string): Promise<void> {
  if (!isRoot() || (await stat(cluster)).uid === uid) return
  for (const name of await readdir(cluster, { recursive: true })) await lchown(join(cluster, name), uid, gid)
  // Last: after a kill the next start must come here again.
  await lchown(cluster, uid, gid)
}

/** The result of a start: `busy` means that another server, or the remains of one, still hold the cluster. */
type StartResult = { readonly type: 'started'; readonly pid: number } | { readonly type: 'busy' }

/** Recovery after a crash reads up to `max_wal_size` of WAL and fsyncs every file of the cluster first. */
const START_TIMEOUT_MS = 120_000

/** Starts the server and waits until it accepts connections. It does not end with this process. */
export async function startPostmaster(server: Server): Promise<StartResult> {
  const { uid, gid } = server.launcher.user
  await removeForeignLockFiles(server)
  await giveClusterTo(uid, gid, server.folder.cluster)
  const log = await open(server.folder.log, 'a', 0o600)
  const { size: logBefore } = await log.stat()
  await handOver(server.folder.log, server.folder)
  try {
    // Its own session: Ctrl-C in the terminal must not stop the database under the requests that are still running.
    const child = server.launcher.start('postgres', server.folder.cluster, postmasterArguments(server), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    let ended: string | undefined
    child.once('error', (error) => {
      ended = error.message
    })
    child.once('exit', (status, name) => {
      ended = `exit ${status ?? name}`
    })
    child.unref()
    const isReady = async () => {
      const record = await readPidFile(server)
      return record?.pid === child.pid && record?.status === 'ready'
    }
    const ready = await waitFor(async () => ended !== undefined || (await isReady()), START_TIMEOUT_MS)
    if (ready === undefined) throw failedToStart(server.folder, 'it was not ready in time')
    if (ended === undefined && child.pid !== undefined) return { type: 'started', pid: child.pid }
    // Awaited here: while `finally` closes the log, a rejection must have a handler.
    return await failure(server, ended ?? '', await logSince(server, logBefore))
  } finally {
    await log.close()
  }
}

function postmasterArguments({ socketFolder, settings }: Server): string[] {
  const all = {
    ...OWN_SETTINGS,
    ...settings,
    port: String(PORT),
    listen_addresses: '',
    unix_socket_permissions: '0700',
  }
  // isPostgresOf() looks for the folder as an argument of its own.
  return ['-k', socketFolder, ...Object.entries(all).map(([name, value]) => `--${name}=${value}`)]
}

async function failure({ folder }: Server, ended: string, log: string): Promise<StartResult> {
  if (/lock file "[^"]*" already exists|pre-existing shared memory block/.test(log)) return { type: 'busy' }
  // On a full disk the log itself may be missing.
  throw explainedOutput(log, folder.path) ?? (await writingFails(folder)) ?? failedToStart(folder, log.trim() || ended)
}

const writingFails = ({ path }: DataFolder): Promise<DataFolderError | undefined> =>
  tryWriting(path).then(
    () => undefined,
    (error: unknown) => explained(error, path),
  )

const logSince = async ({ folder }: Server, offset: number): Promise<string> =>
  (await readFile(folder.log).catch(() => Buffer.alloc(0))).subarray(offset).toString('utf8')

const failedToStart = (folder: DataFolder, output: string) =>
  new DataFolderError(
    'start_failed',
    `PostgreSQL could not start in ${folder.cluster}: ${output.trim().split('\n').slice(-3).join(' / ')}. Read ${folder.log}, or set MALIPO_DATA_DIR to a new folder or DATABASE_URL to a PostgreSQL of your own.`,
  )

/** Fast shutdown (ends every session, then a checkpoint), immediate shutdown (recovery at the next start), and kill. */
const STOP_STEPS = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const

/** Stops this server and resolves once its process has ended. `patient: false`: for a server that does not respond. */
export async function stopPostmaster(pid: number, { patient = true } = {}): Promise<void> {
  const identity = await identityOf(pid)
  for (const [name, timeoutMs] of STOP_STEPS) {
    if (identity === undefined || (await identityOf(pid)) !== identity) return
    signal(pid, name)
    if (
      await waitFor(async () => (await identityOf(pid)) !== identity, patient ? timeoutMs : Math.min(timeoutMs, 2_000))
    )
      return
  }
}

/** Ends the children of a dead server: they hold its shared memory until their statement ends, which nobody needs. */
export async function endOrphans(server: Server): Promise<void> {
  if ((await livingPostmaster(server)) !== undefined) return
  for (const pid of await postgresProcessesOf(server.folder.cluster, server.socketFolder)) signal(pid, 'SIGKILL')
}

/** One older file is kept, so both together stay below three times this. */
const LOG_BYTES_MAX = 10 * 1024 * 1024

/** Truncates the log when it is too long. PostgreSQL appends, so it continues at the new beginning. */
export async function rotateLog({ folder }: Server): Promise<void> {
  const found = await stat(folder.log).catch(() => undefined)
  if (found === undefined || found.size <= LOG_BYTES_MAX) return
  await copyFile(folder.log, `${folder.log}.1`)
  await truncate(folder.log)
}
