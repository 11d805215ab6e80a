import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseClient } from '../../storage/database-client.ts'
import { codeOf, ConnectionFailed } from '../../storage/driver-errors.ts'
import { DataFolderError } from './data-folder.ts'
import {
  PORT,
  type Server,
  USER,
  endOrphans,
  livingPostmaster,
  startPostmaster,
  stopPostmaster,
} from './postgres-server.ts'

/** For the log. No event carries a password. */
export type EmbeddedPostgresEvent =
  /** A new cluster was made. */
  | { readonly type: 'initialised' }
  /** A cluster that was prepared in advance was moved in. */
  | { readonly type: 'taken_over' }
  | { readonly type: 'started'; readonly pid: number }
  /** A server was running already, for example because the process that started it was killed. */
  | { readonly type: 'adopted'; readonly pid: number | undefined }
  /** The server lives but does not respond, and is stopped so that a new one can start. */
  | { readonly type: 'unresponsive'; readonly pid: number }
  /** The owner lost its session: PostgreSQL died or is recovering from the death of one of its processes. */
  | { readonly type: 'exited'; readonly pid: number | undefined }
  | { readonly type: 'restart_failed'; readonly attempt: number; readonly error: unknown }
  /** The owner is connected again; with the same `pid` when PostgreSQL recovered by itself. */
  | { readonly type: 'restarted'; readonly pid: number | undefined }
  | { readonly type: 'stopped' }

export type OnEvent = (event: EmbeddedPostgresEvent) => void

/** A session in the lock database of a server that responds. */
export interface Session {
  readonly client: pg.Client
  readonly host: string
  /** Undefined when the server runs where we cannot see its process (another container on the same folder). */
  readonly pid: number | undefined
  readonly startedByUs: boolean
}

/** The socket under the session; the types of `pg` know it only as a stream. */
export const socketOf = ({ client }: Session): Socket => client.connection.stream as Socket

/**
 * Advisory locks belong to a database. All of ours are taken here, so that they keep no connection to the
 * application's database.
 */
const LOCK_DATABASE = 'postgres'

const LOGIN_TIMEOUT_MS = 3_000
/** Recovery after a crash may take this long; after that the start fails. */
const REACH_TIMEOUT_MS = 120_000
/** A server that reports itself as ready but does not respond for this long counts as dead. */
const SILENCE_MS_MAX = 8_000
/** The remains of a killed server usually end within milliseconds; after this many refused starts we end them. */
const BUSY_STARTS_MAX = 12
const PAUSE_MS_MIN = 10
const PAUSE_MS_MAX = 250

export interface ReachOptions {
  readonly onEvent: OnEvent
  /** May this process start or stop PostgreSQL now? A guest may not while an owner lives. */
  readonly mayStart: () => Promise<boolean>
  /** True when nobody waits for the result any more. */
  readonly givenUp?: () => boolean
}

/** Logs in to the server of the cluster, whoever started it. Starts or replaces the server if necessary. */
export async function reach(server: Server, options: ReachOptions): Promise<Session> {
  const deadline = performance.now() + REACH_TIMEOUT_MS
  const state: ReachState = { startedPid: undefined, busyStarts: 0, silentSince: undefined }
  for (let pauseMs = PAUSE_MS_MIN; performance.now() < deadline; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MS_MAX)) {
    if (options.givenUp?.()) throw new Error('the start of PostgreSQL was cancelled')
    const session = await tryOnce(server, options, state)
    if (session) return session
    await delay(pauseMs)
  }
  throw new DataFolderError(
    'start_failed',
    `PostgreSQL in ${server.folder.cluster} did not answer within ${REACH_TIMEOUT_MS / 1_000} s. Read ${server.folder.log}; if it is recovering from a crash, start again to go on waiting.`,
  )
}

interface ReachState {
  startedPid: number | undefined
  busyStarts: number
  silentSince: number | undefined
}

async function tryOnce(server: Server, options: ReachOptions, state: ReachState): Promise<Session | undefined> {
  const requestedAt = performance.now()
  const living = await livingPostmaster(server)
  const host = living?.socketFolder ?? server.socketFolder
  const reply = await logIn(host, server.password)
  if (typeof reply !== 'string') {
    const pid = (await livingPostmaster(server))?.pid
    return { client: reply, host, pid, startedByUs: pid !== undefined && pid === state.startedPid }
  }
  if (living === undefined) {
    if (reply === 'absent' && (await options.mayStart())) await tryStarting(server, options, state)
    return undefined
  }
  if (reply === 'busy' || living.status === 'starting' || living.status === 'stopping') state.silentSince = undefined
  else await replaceWhenSilent(server, living.pid, requestedAt, options, state)
  return undefined
}

async function tryStarting(server: Server, { onEvent }: ReachOptions, state: ReachState): Promise<void> {
  const result = await startPostmaster(server)
  if (result.type === 'started') {
    state.startedPid = result.pid
    onEvent(result)
  } else if (++state.busyStarts >= BUSY_STARTS_MAX) {
    await endOrphans(server)
  }
}

async function replaceWhenSilent(
  server: Server,
  pid: number,
  requestedAt: number,
  { onEvent, mayStart }: ReachOptions,
  state: ReachState,
): Promise<void> {
  state.silentSince ??= requestedAt
  if (performance.now() - state.silentSince < SILENCE_MS_MAX || !(await mayStart())) return
  onEvent({ type: 'unresponsive', pid })
  await stopPostmaster(pid, { patient: false })
  await endOrphans(server)
  state.silentSince = undefined
}

/** `absent`: no socket, or no server behind it. `busy`: it refused for now. `silent`: it did not respond. */
type Refusal = 'absent' | 'busy' | 'silent'

const refusalByCode: Readonly<Record<string, Refusal>> = {
  ENOENT: 'absent',
  ECONNREFUSED: 'absent',
  ECONNRESET: 'busy',
  EPIPE: 'busy',
  EAGAIN: 'busy',
  '57P01': 'busy',
  '57P02': 'busy',
  '57P03': 'busy',
  '53300': 'busy',
}

async function logIn(host: string, password: string): Promise<pg.Client | Refusal> {
  const client = new DatabaseClient({
    host,
    port: PORT,
    user: USER,
    password,
    database: LOCK_DATABASE,
    ssl: false,
    connectMsMax: LOGIN_TIMEOUT_MS,
    application_name: sessionName(process.pid),
  })
  // Without a listener the loss of the connection would end our process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => {})
    return refusal(error)
  }
}

function refusal(error: unknown): Refusal {
  const code = codeOf(error)
  if (code === '28P01')
    throw new DataFolderError(
      'password',
      'PostgreSQL refuses the password in the file postgres-password of the data folder. Put back the file that belongs to this database, or move the data folder away to begin with an empty one.',
      { cause: error },
    )
  const known = refusalByCode[code]
  if (known) return known
  if (error instanceof ConnectionFailed && error.fault === 'silent') return 'silent'
  if (error instanceof ConnectionFailed && error.fault === 'lost') return 'busy'
  throw error
}

const sessionName = (pid: number) => `malipo ${pid}`

/** True for the errors of a statement whose server stops or dies. */
export const isConnectionLoss = (error: unknown): boolean =>
  refusalByCode[codeOf(error)] !== undefined || (error instanceof ConnectionFailed && error.fault === 'lost')

const LOCKS = 0x6d616c69 // 'mali'
const OWNER = 1
const USERS = 2

/** Held by one session at a time, until it ends: a lock that kill -9 cannot leave behind. */
export const tryOwnerLock = (client: pg.Client): Promise<boolean> =>
  request(client, `select pg_try_advisory_lock(${LOCKS}, ${OWNER}) as yes`)

/** Held by every process that uses this server; waits while the last user is stopping it. */
export const takeUserLock = (client: pg.Client): Promise<boolean> =>
  request(client, `select true as yes from pg_advisory_lock_shared(${LOCKS}, ${USERS})`)

/** True when this session was the last one that used the server; nobody else can get the lock from then on. */
export async function exchangeUserLockForLast(client: pg.Client): Promise<boolean> {
  await request(client, `select pg_advisory_unlock_shared(${LOCKS}, ${USERS}) as yes`)
  return request(client, `select pg_try_advisory_lock(${LOCKS}, ${USERS}) as yes`)
}

/** The process that holds the owner lock, read from the name of its session. */
export async function ownerLockHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted`,
    [LOCKS, OWNER],
  )
  const pid = Number(rows[0]?.name.split(' ')[1])
  return Number.isInteger(pid) ? pid : undefined
}

async function request(client: pg.Client, statement: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(statement)
  return rows[0]?.yes === true
}

/** Creates the database when it is missing. Safe for two concurrent processes. */
export async function ensureDatabase(client: pg.Client, name: string, owner: string): Promise<void> {
  if (await request(client, `select exists (select from pg_database where datname = ${pg.escapeLiteral(name)}) as yes`))
    return
  await client
    .query(`create database ${pg.escapeIdentifier(name)} owner ${pg.escapeIdentifier(owner)}`)
    .catch(ignoreMadeByOther)
}

/** Two processes may create the same role or database at once: ignores the error of the second one. */
export function ignoreMadeByOther(error: unknown): void {
  if (!['42P04', '42710', '23505'].includes(codeOf(error))) throw error
}
