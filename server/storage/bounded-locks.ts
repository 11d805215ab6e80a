import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { codeOf } from './driver-errors.ts'

export interface LockBounds {
  /** How long a lock is waited for. What comes after us waits too. */
  readonly waitMsMax: number
  /** Between two tries: those that have waited behind us go first. */
  readonly pauseMs: number
  readonly triesMax: number
}

/** Payments give up after 3 s of waiting (createPool); autovacuum gives way after 1 s. */
export const LOCK_BOUNDS: LockBounds = { waitMsMax: 2_000, pauseMs: 1_000, triesMax: 15 }
const LOOK_EVERY_MS = 250

const LOCK_NOT_AVAILABLE = '55P03'

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
  readonly connection: pg.ClientConfig
  readonly bounds: LockBounds
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Runs a transaction, again when it did not get a lock in time.
 * @param run is given what begins the bound: from its call on, no lock is waited for longer than the bound
 * @throws LockNotHad with those that were waited for last
 */
export async function underBoundedLocks<T>(
  { client, connection, bounds, pause }: Locking,
  file: string,
  run: (bound: () => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let watch: Watch | undefined
    const bound = async (): Promise<void> => {
      await client.query(`set local lock_timeout = ${bounds.waitMsMax}`)
      // Most get their locks at once: a second session is for those that did not.
      if (tries > 1 || bounds.triesMax === 1) watch = await watchBlockers(client, connection)
    }
    try {
      await client.query('begin')
      const result = await run(bound)
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

interface Watch {
  /** Those that were seen last. */
  seen(): readonly Blocker[]
  end(): Promise<void>
}

/** Looks again and again whom this session waits for: when the wait is over, nobody can tell any more. */
async function watchBlockers(client: pg.Client, connection: pg.ClientConfig): Promise<Watch> {
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
