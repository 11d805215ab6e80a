import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DataFolderError,
  clusterPassword,
  explained,
  forgetOwner,
  livingOwner,
  noteOwner,
  openDataFolder,
  socketFolder,
} from './data-folder.ts'
import { type LaunchMode, type Launcher, chooseLauncher } from './postgres-binaries.ts'
import {
  GATEWAY_ROLE,
  RUNTIME_ROLE,
  ensureRoles,
  refuseOlderOwner,
  passwordOf,
  type EmbeddedRole,
} from './gateway-role.ts'
import {
  PORT,
  type Server,
  checkVersion,
  initialise,
  livingPostmaster,
  rotateLog,
  stopPostmaster,
} from './postgres-server.ts'
import {
  type OnEvent,
  type ReachOptions,
  type Session,
  ensureDatabase,
  exchangeUserLockForLast,
  isConnectionLoss,
  ownerLockHolder,
  reach,
  socketOf,
  takeUserLock,
  tryOwnerLock,
} from './postgres-session.ts'
import { takeOver } from './take-over.ts'
import { signal, waitFor } from './processes.ts'

export { DataFolderError, type DataFolderCode } from './data-folder.ts'
export type { EmbeddedPostgresEvent } from './postgres-session.ts'

export interface EmbeddedPostgres {
  /**
   * Connection settings for `pg` as the owner of the database: `host` is the folder of the socket. They do not change
   * when PostgreSQL is restarted.
   */
  readonly connection: Connection
  /** The same for the runtime role. */
  readonly runtime: Connection
  /**
   * Resolves once PostgreSQL has stopped (fast shutdown: running statements are cancelled). A guest does not stop a
   * PostgreSQL that another process uses. May be called more than once.
   */
  stop(): Promise<void>
}

export type Connection = Readonly<{ host: string; port: number; user: string; password: string; database: string }>

export interface EmbeddedPostgresOptions {
  /** Relative or absolute; the cluster goes to `<dataDir>/postgres`. */
  readonly dataDir: string
  /**
   * `owner` = the server: takes the folder, restarts PostgreSQL when it dies, stops it at the end.
   * `guest` = the command line: uses the running one, or starts one, and the last process that uses it stops it.
   */
  readonly role: 'owner' | 'guest'
  readonly onEvent?: OnEvent
  /** Called once initdb or the server was started: while it runs this process may do other work. */
  readonly onLaunch?: () => void
  /**
   * A data folder that was prepared in advance. A folder without a database moves it in by a rename. If the prepared
   * one is missing, belongs to another user or is on another disk, the database is created here.
   */
  readonly prepared?: () => Promise<string>
  /** PostgreSQL settings that override ours. */
  readonly settings?: Readonly<Record<string, string>>
  /** For tests, which clone a database per file: the gateway's role may create databases. */
  readonly mayMakeDatabases?: boolean
  /** For tests: forces one way to start the binaries instead of the first that works. */
  readonly launchMode?: LaunchMode
}

const DATABASE = 'malipo'
/** The session of an owner that was just killed may need a moment to end. */
const OWNER_LOCK_WAIT_MS = 1_000
const RESTART_PAUSE_MS_MAX = 5_000
const LOG_CHECK_MS = 10 * 60_000

/**
 * Opens the PostgreSQL of the data folder: creates it on the first call, starts it when it is not running.
 * @throws DataFolderError with a message for the person at the terminal
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await open(options)
  } catch (error) {
    throw explained(error, resolve(options.dataDir)) ?? error
  }
}

async function open({
  dataDir,
  role,
  onEvent = () => {},
  onLaunch = () => {},
  prepared,
  settings = {},
  mayMakeDatabases = false,
  launchMode,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(dataDir)
  // Checked first: while the owner lives nothing here may be changed, whatever the state of its PostgreSQL.
  const ownerPid = await livingOwner(folder)
  if (role === 'owner' && ownerPid !== undefined) throw inUse(folder.path, ownerPid)
  const launcher = await chooseLauncher(folder, launchMode)
  if (prepared && (await takeOver(prepared, folder, launcher.majorVersion))) onEvent({ type: 'taken_over' })
  const password = await clusterPassword(folder)
  const server: Server = {
    folder,
    launcher: notifying(onLaunch, launcher),
    password,
    settings,
    mayMakeDatabases,
    socketFolder: await socketFolder(folder, launcher.user),
  }
  if (await initialise(server)) onEvent({ type: 'initialised' })
  await checkVersion(server)
  return role === 'owner' ? Owner.open(server, onEvent) : openGuest(server, onEvent)
}

const notifying = (onLaunch: () => void, launcher: Launcher): Launcher => ({
  ...launcher,
  start(...given) {
    const child = launcher.start(...given)
    onLaunch()
    return child
  },
})

const inUse = (path: string, ownerPid: number | undefined) =>
  new DataFolderError(
    'in_use',
    `Another Malipo (${ownerPid === undefined ? 'pid unknown' : `pid ${ownerPid}`}) already serves the data folder ${path}. Another port does not help: stop it, or set MALIPO_DATA_DIR to another folder or DATABASE_URL to a PostgreSQL of your own.`,
    { ownerPid },
  )

const connectionOf = (server: Server, host: string, user: EmbeddedRole): Connection => ({
  host,
  port: PORT,
  user,
  password: passwordOf(user, server),
  database: DATABASE,
})

/**
 * Logs in and runs `prepare`. Retries when the server stopped in between, for example because its last user stopped
 * it.
 */
async function enter(
  server: Server,
  options: ReachOptions,
  prepare: (session: Session) => Promise<void>,
): Promise<Session> {
  for (;;) {
    const session = await reach(server, options)
    try {
      await prepare(session)
      return session
    } catch (error) {
      session.client.end().catch(() => {})
      if (!isConnectionLoss(error)) throw error
    }
  }
}

class Owner implements EmbeddedPostgres {
  readonly connection: Connection
  readonly runtime: Connection
  readonly #server: Server
  readonly #onEvent: OnEvent
  readonly #logCheck: NodeJS.Timeout
  /** Undefined while PostgreSQL is being restarted. */
  #session: Session | undefined
  #repairing: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  static async open(server: Server, onEvent: OnEvent): Promise<Owner> {
    await rotateLog(server)
    const session = await enter(server, { onEvent, mayStart: async () => true }, (found) => takeFolder(server, found))
    if (!session.startedByUs) onEvent({ type: 'adopted', pid: session.pid })
    return new Owner(server, onEvent, session)
  }

  private constructor(server: Server, onEvent: OnEvent, session: Session) {
    // The application's pools use this folder, so every later server must use it as well.
    this.#server = { ...server, socketFolder: session.host }
    this.#onEvent = onEvent
    this.connection = connectionOf(server, session.host, GATEWAY_ROLE)
    this.runtime = connectionOf(server, session.host, RUNTIME_ROLE)
    this.#logCheck = setInterval(() => {
      rotateLog(server).catch(() => {})
    }, LOG_CHECK_MS).unref()
    this.#watch(session)
    process.once('exit', this.#onExit)
  }

  /**
   * The session that holds the lock also detects failure: it ends when PostgreSQL dies, whether or not PostgreSQL is
   * our child process.
   */
  #watch(session: Session): void {
    this.#session = session
    // Neither this session nor PostgreSQL keeps our process from ending.
    socketOf(session).unref()
    session.client.once('end', () => this.#lost(session))
    // The session may have ended before the listener was added.
    if (socketOf(session).destroyed) this.#lost(session)
  }

  #lost(session: Session): void {
    if (this.#session !== session) return
    this.#session = undefined
    if (this.#stopping) return
    this.#onEvent({ type: 'exited', pid: session.pid })
    this.#repairing = this.#repair()
  }

  async #repair(): Promise<void> {
    for (let attempt = 1; !this.#stopping; attempt++) {
      try {
        this.#watch(await this.#enterAgain())
        this.#onEvent({ type: 'restarted', pid: this.#session?.pid })
        return
      } catch (error) {
        if (this.#stopping) return
        this.#onEvent({ type: 'restart_failed', attempt, error })
        await delay(Math.min(100 * 2 ** attempt, RESTART_PAUSE_MS_MAX), undefined, { ref: false })
      }
    }
  }

  #enterAgain(): Promise<Session> {
    const options: ReachOptions = {
      onEvent: this.#onEvent,
      mayStart: async () => true,
      givenUp: () => this.#stopping !== undefined,
    }
    return enter(this.#server, options, (session) => takeOwnerLock(this.#server, session))
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopOnce()
    return this.#stopping
  }

  async #stopOnce(): Promise<void> {
    clearInterval(this.#logCheck)
    process.off('exit', this.#onExit)
    // After this await `#stopping` is set, and a repair in progress gives up.
    await Promise.resolve()
    await this.#repairing
    const pid = this.#session?.pid ?? (await this.#pidIfStillOwned())
    // Holds the lock until the very end, so that no other process takes over a server that is shutting down.
    if (pid !== undefined) await stopPostmaster(pid)
    await this.#session?.client.end().catch(() => {})
    await forgetOwner(this.#server.folder).catch(() => {})
    this.#onEvent({ type: 'stopped' })
  }

  async #pidIfStillOwned(): Promise<number | undefined> {
    return (await livingOwner(this.#server.folder)) === process.pid
      ? (await livingPostmaster(this.#server))?.pid
      : undefined
  }

  /** A process that exits without `stop` signals PostgreSQL to stop: an exit handler cannot wait for anything. */
  readonly #onExit = (): void => {
    const pid = this.#session?.pid
    if (pid !== undefined) signal(pid, 'SIGINT')
  }
}

async function takeOwnerLock(server: Server, { client }: Session): Promise<void> {
  if (!(await waitFor(() => tryOwnerLock(client), OWNER_LOCK_WAIT_MS, 50)))
    throw inUse(server.folder.path, await ownerLockHolder(client))
  await takeUserLock(client)
}

async function takeFolder(server: Server, session: Session): Promise<void> {
  await takeOwnerLock(server, session)
  try {
    await noteOwner(server.folder)
    await prepareDatabase(server, session)
  } catch (error) {
    // `enter` retries after a lost connection; after any other error nobody would stop this server.
    if (!isConnectionLoss(error) && session.pid !== undefined) await stopPostmaster(session.pid)
    await forgetOwner(server.folder)
    throw error
  }
}

async function prepareDatabase(server: Server, session: Session): Promise<void> {
  await ensureRoles(server, session)
  await ensureDatabase(session.client, DATABASE, GATEWAY_ROLE)
  await refuseOlderOwner(server, session, DATABASE)
}

async function openGuest(server: Server, onEvent: OnEvent): Promise<EmbeddedPostgres> {
  const noOwner = async () => (await livingOwner(server.folder)) === undefined
  const session = await enter(server, { onEvent, mayStart: noOwner }, async (found) => {
    await takeUserLock(found.client)
    await prepareDatabase(server, found)
  })
  if (!session.startedByUs) onEvent({ type: 'adopted', pid: session.pid })
  socketOf(session).unref()
  let stopping: Promise<void> | undefined
  return {
    connection: connectionOf(server, session.host, GATEWAY_ROLE),
    runtime: connectionOf(server, session.host, RUNTIME_ROLE),
    stop: () => (stopping ??= leave(session, noOwner, onEvent)),
  }
}

/** The last user stops the server, whoever started it, so a server that a killed process left behind is stopped too. */
async function leave(session: Session, noOwner: () => Promise<boolean>, onEvent: OnEvent): Promise<void> {
  const { client, pid } = session
  // From here on the process must stay alive for the reply.
  socketOf(session).ref()
  try {
    if (pid === undefined || !(await noOwner()) || !(await exchangeUserLockForLast(client))) return
    await stopPostmaster(pid)
    onEvent({ type: 'stopped' })
  } catch (error) {
    // PostgreSQL stopped before us.
    if (!isConnectionLoss(error)) throw error
  } finally {
    await client.end().catch(() => {})
  }
}
