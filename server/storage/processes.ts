import { NewerDatabase } from './newer-database.ts'
import type { Queryable } from './pool.ts'

/** How often a process says that it is there. */
export const SEEN_EVERY_MS = 5_000
/** A process that has said nothing for so long has ended; one that was only paused finds out when it goes on. */
export const GONE_AFTER_MS = 30_000
/** Rows of processes that were killed stay for as long, for whoever wonders what was there. */
const KEPT_DAYS = 1

/** What a process says of itself. */
export interface ProcessIdentity {
  /** A UUID that no other process has. */
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
}

/** A process that lives, as its row or its connections tell. */
export interface LivingProcess {
  /** Absent: of a version that does not say it; known by its connections only. */
  readonly id: string | undefined
  readonly role: string
  readonly host: string
  readonly pid: number
  /** The names of the migrations that it knows; none when it does not say. */
  readonly knows: readonly string[]
  readonly seenAt: Date
  /** By the database's clock. */
  readonly silentMs: number
}

/** Whether there is a table of processes yet. */
async function isKept(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('processes') is not null as there`)
  return rows[0]?.there === true
}

/**
 * Says that this process is there and which migrations it knows. To be committed under the lock of schema_migrations:
 * whoever migrates later sees it, and whoever has migrated before is seen by it.
 */
export async function registerProcess(
  client: Queryable,
  { id, role, host, pid }: ProcessIdentity,
  knows: readonly string[],
): Promise<void> {
  await client.query(`delete from processes where seen_at < now() - make_interval(days => $1)`, [KEPT_DAYS])
  await client.query('insert into processes (id, role, host, pid, knows) values ($1, $2, $3, $4, $5)', [
    id,
    role,
    host,
    pid,
    knows,
  ])
}

/**
 * Says that this process is still there. @throws NewerDatabase when the database was changed meanwhile in a way that
 * this process does not know: it stood still for longer than others wait for it
 */
export async function renewProcess(
  database: Queryable,
  { id, role, host, pid }: ProcessIdentity,
  knows: readonly string[],
): Promise<void> {
  const { rows } = await database.query<{ unknown: string[] | null }>(
    `with seen as (
       insert into processes (id, role, host, pid, knows) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set seen_at = clock_timestamp())
     select array_agg(name order by name) as unknown from schema_migrations
     where name <> all($5::text[]) and kind is distinct from 'expand'`,
    [id, role, host, pid, knows],
  )
  const unknown = rows[0]?.unknown ?? []
  if (unknown.length > 0) throw new NewerDatabase(unknown)
}

/** Says that this process has ended. */
export async function removeProcess(database: Queryable, { id }: ProcessIdentity): Promise<void> {
  await database.query('delete from processes where id = $1', [id])
}

/** The processes that live, the oldest first. */
export async function livingProcesses(client: Queryable): Promise<readonly LivingProcess[]> {
  if (!(await isKept(client))) return unnamedProcesses(client)
  const { rows } = await client.query<ProcessRow>(
    `select id, role, host, pid, knows, seen_at, ${SILENT} as silent_ms from processes
     where seen_at > clock_timestamp() - make_interval(secs => $1) order by started_at, id`,
    [GONE_AFTER_MS / 1_000],
  )
  return rows.map(({ seen_at, silent_ms, ...row }) => ({ ...row, seenAt: seen_at, silentMs: silent_ms }))
}

const SILENT = `greatest(0, extract(epoch from clock_timestamp() - seen_at) * 1000)::float8`

interface ProcessRow {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly knows: string[]
  readonly seen_at: Date
  readonly silent_ms: number
}

/**
 * Versions up to 0033 say nothing: their connections tell that they are there, by the name that each version gives its
 * pool. `pid` is that of a connection then.
 */
async function unnamedProcesses(client: Queryable): Promise<readonly LivingProcess[]> {
  const { rows } = await client.query<{ pid: number; host: string }>(
    `select pid, coalesce(host(client_addr), 'this machine') as host from pg_stat_activity
     where application_name = 'malipo' and datname = current_database() and pid <> pg_backend_pid() order by pid`,
  )
  return rows.map(({ pid, host }) => ({
    id: undefined,
    role: 'an older version',
    host,
    pid,
    knows: [],
    seenAt: new Date(0),
    silentMs: 0,
  }))
}

/** For people: `worker, process 4711 on pay-2, knows migrations up to 0034_processes.sql, last heard 2 s ago`. */
export function processText({ id, role, host, pid, knows, silentMs }: LivingProcess): string {
  if (id === undefined) return `${role}, by its connection (PostgreSQL's process ${pid}, from ${host})`
  const heard = `last heard ${Math.round(silentMs / 1_000)} s ago`
  return `${role}, process ${pid} on ${host}, knows migrations up to ${knows.at(-1) ?? 'none'}, ${heard}`
}
