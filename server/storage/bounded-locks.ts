import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { codeOf } from './driver-errors.ts'
import type { TableLock } from './migration-files.ts'

export interface LockBounds {
  /** Maximum wait for the first lock, while we hold none. Whatever queues behind us waits too. */
  readonly waitMsMax: number
  /**
   * Maximum total wait for all other locks. PostgreSQL checks for deadlocks after 1 s and aborts the session that
   * detects one first. We let go well before that, so no payment is aborted.
   */
  readonly holdMsMax: number
  /** Pause between two tries, so that the sessions queued behind us go first. */
  readonly pauseMs: number
  readonly triesMax: number
}

/** Payments give up on a lock after 3 s (createPool); autovacuum gives way after 1 s. */
export const LOCK_BOUNDS: LockBounds = { waitMsMax: 2_000, holdMsMax: 400, pauseMs: 1_000, triesMax: 15 }
const POLL_EVERY_MS = 250

const LOCK_NOT_AVAILABLE = '55P03'

/** Behind a pooler, the role itself carries our session timeouts, which are not meant for migrations. */
export const UNBOUNDED =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** A session that held up a migration. */
interface Blocker {
  readonly pid: number
  readonly application: string
  /** When its transaction began. */
  readonly since: Date | undefined
  readonly state: string
  /** The table that the migration waited for, where PostgreSQL reports it. */
  readonly table: string | undefined
}

/** Another session held a lock for longer than we wait. The migration was rolled back completely. */
export class LockNotHad extends Error {
  override readonly name = 'LockNotHad'
  readonly file: string
  readonly blockers: readonly Blocker[]

  constructor(file: string, blockers: readonly Blocker[], { waitMsMax, triesMax }: LockBounds, cause: unknown) {
    super(`migration ${file} did not get its locks in ${triesMax} tries of ${waitMsMax / 1_000} s`, { cause })
    this.file = file
    this.blockers = blockers
  }
}

export interface LockSession {
  readonly client: pg.Client
  /** Opens a second session, which polls for the sessions that block the first one. */
  readonly connection: DatabaseConnection
  readonly bounds: LockBounds
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Runs a transaction, and retries it when it did not get a lock in time.
 * @param run receives the function that takes the locks; from that call on, no lock wait exceeds the bounds
 * @throws LockNotHad with the sessions that blocked it last
 */
export async function underBoundedLocks<T>(
  { client, connection, bounds, pause }: LockSession,
  file: string,
  run: (take: (locks: readonly TableLock[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let watch: LockWatch | undefined
    const take = async (locks: readonly TableLock[]): Promise<void> => {
      // Most migrations get their locks at once: only a retry opens the second session.
      if (tries > 1 || bounds.triesMax === 1) watch = await watchBlockers(client, connection)
      await takeInTurn(client, locks, tries, bounds)
    }
    try {
      await client.query(`begin; ${UNBOUNDED}`)
      const result = await run(take)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
      if (tries === bounds.triesMax) throw new LockNotHad(file, watch?.seen() ?? [], bounds, error)
    } finally {
      await watch?.end()
    }
    await pause(bounds.pauseMs)
  }
}

/**
 * Takes all locks before anything else, waits longest for the first one, and starts with another table at each try: a
 * long-lived lock holder, autovacuum above all, gives way only to a session that waits long enough.
 */
async function takeInTurn(
  client: pg.Client,
  locks: readonly TableLock[],
  tries: number,
  { waitMsMax, holdMsMax }: LockBounds,
): Promise<void> {
  const tables = await lockable(client, locks)
  const first = tables.length > 0 ? tries % tables.length : 0
  const others = Math.max(1, Math.floor(holdMsMax / Math.max(1, tables.length)))
  await client.query(`set local lock_timeout = ${tables.length > 0 ? waitMsMax : others}`)
  for (const [place, { table, mode }] of [...tables.slice(first), ...tables.slice(0, first)].entries()) {
    if (place === 1) await client.query(`set local lock_timeout = ${others}`)
    await client.query(`lock table ${table} in ${mode} mode`)
  }
  await client.query(`set local lock_timeout = ${others}`)
}

/** Only tables: a sequence cannot be locked explicitly, only by the statement that changes it. */
async function lockable(client: pg.Client, locks: readonly TableLock[]): Promise<readonly TableLock[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name join pg_class c on c.oid = to_regclass(name) and c.relkind in ('r', 'p')`,
    [locks.map(({ table }) => table)],
  )
  return locks.filter(({ table }) => rows.some(({ name }) => name === table))
}

interface LockWatch {
  /** The blockers of the last poll that found any. */
  seen(): readonly Blocker[]
  end(): Promise<void>
}

/** Polls for the sessions that block this one. Once the wait is over, nothing shows any more who they were. */
async function watchBlockers(client: pg.Client, connection: DatabaseConnection): Promise<LockWatch> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = rows[0]?.pid
  const observer = new DatabaseClient(connection)
  observer.on('error', () => undefined) // the next poll fails, which has no other effect
  let seen: readonly Blocker[] = []
  const ended = new AbortController()
  const polls = (async () => {
    await observer.connect()
    while (!ended.signal.aborted) {
      const found = await blockersOf(observer, waiting)
      if (found.length > 0) seen = found
      await sleep(POLL_EVERY_MS, undefined, { signal: ended.signal })
    }
  })().catch(() => undefined) // an error message without blockers is better than no error message
  return {
    seen: () => seen,
    end: async () => {
      ended.abort()
      await polls
      await observer.end().catch(() => undefined)
    },
  }
}

async function blockersOf(observer: pg.Client, pid: number | undefined): Promise<readonly Blocker[]> {
  const { rows } = await observer.query<Omit<Blocker, 'table'> & { table: string | null }>(
    `select a.pid, coalesce(a.application_name, '') as application, a.xact_start as since,
       coalesce(a.state, 'state unknown') as state,
       (select w.relation::regclass::text from pg_locks w where w.pid = $1 and not w.granted limit 1) as table
     from pg_stat_activity a where a.pid = any(pg_blocking_pids($1)) order by a.xact_start, a.pid`,
    [pid],
  )
  return rows.map(({ since, table, ...row }) => ({ ...row, since: since ?? undefined, table: table ?? undefined }))
}

/** For staff: `process 4711 of PostgreSQL (psql, idle in transaction) holds accounts since 2026-11-20T10:00:00Z`. */
export const blockerText = ({ pid, application, state, since, table }: Blocker): string =>
  `process ${pid} of PostgreSQL (${application === '' ? 'without a name' : application}, ${state}) holds ` +
  `${table ?? 'a lock'}, its transaction since ${since?.toISOString() ?? 'an unknown time'}`
