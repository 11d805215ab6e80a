import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseClient } from '../storage/database-client.ts'
import { codeOf, ConnectionFailed } from '../storage/driver-errors.ts'
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
  /** One that was made ahead. */
  | { readonly type: 'taken_over' }
  | { readonly type: 'started'; readonly pid: number }
  /** One was running already, for example because the process that started it was killed. */
  | { readonly type: 'adopted'; readonly pid: number | undefined }
  /** It lives but does not answer, and is stopped so that a new one can start. */
  | { readonly type: 'unresponsive'; readonly pid: number }
  /** The owner lost its session: PostgreSQL died or is recovering from the death of one of its processes. */
  | { readonly type: 'exited'; readonly pid: number | undefined }
  | { readonly type: 'restart_failed'; readonly attempt: number; readonly error: unknown }
  /** The owner has its PostgreSQL back; the same `pid` as before when PostgreSQL recovered by itself. */
  | { readonly type: 'restarted'; readonly pid: number | undefined }
  | { readonly type: 'stopped' }

export type OnEvent = (event: EmbeddedPostgresEvent) => void

/** A session in the lock database of a server that answers. */
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
 * Advisory locks belong to a database; ours are all taken here, so that nothing keeps the application's database open.
 */
const LOCK_DATABASE = 'postgres'

const LOGIN_TIMEOUT_MS = 3_000
/** Recovery after a crash may take this long; then the start is given up. */
const REACH_TIMEOUT_MS = 120_000
/** A server that is ready by its own word but does not answer for this long is taken for dead. */
const SILENCE_MS_MAX = 8_000
/** What is left of a killed server usually goes within milliseconds; after this many refused starts we end it. */
const BUSY_STARTS_MAX = 12
const PAUSE_MS_MIN = 10
const PAUSE_MS_MAX = 250

export interface ReachOptions {
  readonly onEvent: OnEvent
  /** May this process start or stop PostgreSQL now? A guest may not while an owner lives. */
  readonly mayStart: () => Promise<boolean>
  /** True when nobody waits for the answer any more. */
  readonly givenUp?: () => boolean
}

/** Logs in to the server of the cluster, whoever started it; starts it, or replaces it, when that is what it takes. */
export async function reach(server: Server, options: ReachOptions): Promise<Session> {
  const deadline = performance.now() + REACH_TIMEOUT_MS
  const state: ReachState = { startedPid: undefined, busyStarts: 0, silentSince: undefined }
  for (let pauseMs = PAUSE_MS_MIN; performance.now() < deadline; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MS_MAX)) {
    if (options.givenUp?.()) throw new Error('nobody waits for PostgreSQL any more')
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
  const askedAt = performance.now()
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
  else await replaceWhenSilent(server, living.pid, askedAt, options, state)
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
  askedAt: number,
  { onEvent, mayStart }: ReachOptions,
  state: ReachState,
): Promise<void> {
  state.silentSince ??= askedAt
  if (performance.now() - state.silentSince < SILENCE_MS_MAX || !(await mayStart())) return
  onEvent({ type: 'unresponsive', pid })
  await stopPostmaster(pid, { patient: false })
  await endOrphans(server)
  state.silentSince = undefined
}

/** `absent`: no socket or nobody behind it. `busy`: it said "not now". `silent`: it said nothing. */
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

/** True for what happens to a statement when its server stops or dies. */
export const isConnectionLoss = (error: unknown): boolean =>
  refusalByCode[codeOf(error)] !== undefined || (error instanceof ConnectionFailed && error.fault === 'lost')

const LOCKS = 0x6d616c69 // 'mali'
const OWNER = 1
const USERS = 2

/** One session at a time, for as long as it lives: the lock that kill -9 cannot leave behind. */
export const tryOwnerLock = (client: pg.Client): Promise<boolean> =>
  ask(client, `select pg_try_advisory_lock(${LOCKS}, ${OWNER}) as yes`)

/** Held by everyone who needs this server; waits while the last user is stopping it. */
export const takeUserLock = (client: pg.Client): Promise<boolean> =>
  ask(client, `select true as yes from pg_advisory_lock_shared(${LOCKS}, ${USERS})`)

/** True when this session was the last one that needed the server; nobody else can get the lock from then on. */
export async function exchangeUserLockForLast(client: pg.Client): Promise<boolean> {
  await ask(client, `select pg_advisory_unlock_shared(${LOCKS}, ${USERS}) as yes`)
  return ask(client, `select pg_try_advisory_lock(${LOCKS}, ${USERS}) as yes`)
}

/** The process that holds the owner's lock, by the name that it gave its session. */
export async function ownerLockHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted`,
    [LOCKS, OWNER],
  )
  const pid = Number(rows[0]?.name.split(' ')[1])
  return Number.isInteger(pid) ? pid : undefined
}

async function ask(client: pg.Client, statement: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(statement)
  return rows[0]?.yes === true
}

/** Makes the database when it is missing. Two processes may try at once. */
export async function ensureDatabase(client: pg.Client, name: string, owner: string): Promise<void> {
  if (await ask(client, `select exists (select from pg_database where datname = ${pg.escapeLiteral(name)}) as yes`))
    return
  await client
    .query(`create database ${pg.escapeIdentifier(name)} owner ${pg.escapeIdentifier(owner)}`)
    .catch(ignoreMadeByOther)
}

/** Two processes may make the same role or database at once; the loser's error says exactly that. */
export function ignoreMadeByOther(error: unknown): void {
  if (!['42P04', '42710', '23505'].includes(codeOf(error))) throw error
}
