import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { codeOf } from './driver-errors.ts'
import type { TableLock } from './migration-files.ts'

export interface LockBounds {
  /** How long the first lock is waited for, while nothing is held. What comes after us waits too. */
  readonly waitMsMax: number
  /**
   * How long all others together are waited for. PostgreSQL looks for a circle of waiting sessions after 1 s, and ends
   * whichever looks first: well before that we let go, and no payment is ended.
   */
  readonly holdMsMax: number
  /** Between two tries: those that have waited behind us go first. */
  readonly pauseMs: number
  readonly triesMax: number
}

/** Payments give up after 3 s of waiting (createPool); autovacuum gives way after 1 s. */
export const LOCK_BOUNDS: LockBounds = { waitMsMax: 2_000, holdMsMax: 400, pauseMs: 1_000, triesMax: 15 }
const LOOK_EVERY_MS = 250

const LOCK_NOT_AVAILABLE = '55P03'

/** Behind a pooler the role itself has the bounds of our sessions, which are not meant for migrations. */
export const UNBOUNDED =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** A session that held up a migration. */
export interface Blocker {
  readonly pid: number
  readonly application: string
  /** Since when its transaction runs. */
  readonly since: Date | undefined
  readonly state: string
  /** What the migration waited for, where PostgreSQL tells. */
  readonly table: string | undefined
}

/** Somebody held a lock for longer than we wait. Nothing of the migration was kept. */
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

export interface Locking {
  readonly client: pg.Client
  /** For a second session that looks whom the first one waits for. */
  readonly connection: DatabaseConnection
  readonly bounds: LockBounds
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Runs a transaction, again when it did not get a lock in time.
 * @param run is given what takes the locks; from its call on, no lock is waited for longer than the bounds say
 * @throws LockNotHad with those that were waited for last
 */
export async function underBoundedLocks<T>(
  { client, connection, bounds, pause }: Locking,
  file: string,
  run: (take: (locks: readonly TableLock[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let watch: Watch | undefined
    const take = async (locks: readonly TableLock[]): Promise<void> => {
      // Most get their locks at once: a second session is for those that did not.
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
 * All locks before anything is done, the first one patiently, and each time another one first: whoever holds one of them
 * for a while, autovacuum above all, gives way only to those that wait long enough.
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

/** A sequence is locked by what changes it, and only so. */
async function lockable(client: pg.Client, locks: readonly TableLock[]): Promise<readonly TableLock[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name join pg_class c on c.oid = to_regclass(name) and c.relkind in ('r', 'p')`,
    [locks.map(({ table }) => table)],
  )
  return locks.filter(({ table }) => rows.some(({ name }) => name === table))
}

interface Watch {
  /** Those that were seen last. */
  seen(): readonly Blocker[]
  end(): Promise<void>
}

/** Looks again and again whom this session waits for: when the wait is over, nobody can tell any more. */
async function watchBlockers(client: pg.Client, connection: DatabaseConnection): Promise<Watch> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = rows[0]?.pid
  const looking = new DatabaseClient(connection)
  looking.on('error', () => undefined) // its next look fails, and that is all it does
  let seen: readonly Blocker[] = []
  const ended = new AbortController()
  const looks = (async () => {
    await looking.connect()
    while (!ended.signal.aborted) {
      const found = await blockersOf(looking, waiting)
      if (found.length > 0) seen = found
      await sleep(LOOK_EVERY_MS, undefined, { signal: ended.signal })
    }
  })().catch(() => undefined) // a message that names nobody is better than none
  return {
    seen: () => seen,
    end: async () => {
      ended.abort()
      await looks
      await looking.end().catch(() => undefined)
    },
  }
}

async function blockersOf(looking: pg.Client, pid: number | undefined): Promise<readonly Blocker[]> {
  const { rows } = await looking.query<Omit<Blocker, 'table'> & { table: string | null }>(
    `select a.pid, coalesce(a.application_name, '') as application, a.xact_start as since,
       coalesce(a.state, 'state unknown') as state,
       (select w.relation::regclass::text from pg_locks w where w.pid = $1 and not w.granted limit 1) as table
     from pg_stat_activity a where a.pid = any(pg_blocking_pids($1)) order by a.xact_start, a.pid`,
    [pid],
  )
  return rows.map(({ since, table, ...row }) => ({ ...row, since: since ?? undefined, table: table ?? undefined }))
}

/** For people: `process 4711 of PostgreSQL (psql, idle in transaction) holds accounts since 2026-11-20T10:00:00Z`. */
export const blockerText = ({ pid, application, state, since, table }: Blocker): string =>
  `process ${pid} of PostgreSQL (${application === '' ? 'without a name' : application}, ${state}) holds ` +
  `${table ?? 'a lock'}, its transaction since ${since?.toISOString() ?? 'an unknown time'}`
