import { NewerDatabase } from './newer-database.ts'
import { available, type Queryable } from './pool.ts'

/** Heartbeat interval of a process. */
export const SEEN_EVERY_MS = 5_000
/**
 * A process without a heartbeat for this long counts as gone. One that was only paused notices that when it resumes.
 */
export const GONE_AFTER_MS = 30_000
/** Rows of killed processes are kept for this long, for diagnosis. */
const KEPT_DAYS = 1

/** How a process identifies itself. */
export interface ProcessIdentity {
  /** A UUID, unique to this process. */
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
}

/** A process with a recent heartbeat. */
export interface LivingProcess extends ProcessIdentity {
  /** The names of the migrations that it knows. */
  readonly knows: readonly string[]
  readonly seenAt: Date
  /** Time since the last heartbeat, by the database's clock. */
  readonly silentMs: number
}

/**
 * Registers this process and the migrations that it knows. Must commit under the lock of schema_migrations: a later
 * migration sees this process, and this process sees an earlier migration.
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
 * Renews the heartbeat of this process.
 * @throws NewerDatabase when an incompatible migration that this process does not know was applied meanwhile, because
 *   the process was paused for longer than others wait for it
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

/** A note of a worker that is older than this says nothing: the worker has ended, or the database was away. */
const DELAY_NOTE_MS = 2_000

/** Notes for the API processes how long the oldest due job waits for a worker. */
export async function noteQueueDelay(database: Queryable, { id }: ProcessIdentity, delayMs: number): Promise<void> {
  await database.query({
    name: 'note-queue-delay',
    text: 'update processes set queue_delay_ms = $2, queue_delay_at = clock_timestamp() where id = $1',
    values: [id, Math.round(delayMs)],
  })
}

/** @returns how long the oldest due job waits, as the workers have noted; 0 when none has */
export const readQueueDelay = (database: Queryable): Promise<number> =>
  available(async () => {
    const { rows } = await database.query<{ delay_ms: number | null }>({
      name: 'queue-delay',
      text: `select max(queue_delay_ms) as delay_ms from processes
             where queue_delay_at > clock_timestamp() - make_interval(secs => $1)`,
      values: [DELAY_NOTE_MS / 1_000],
    })
    return rows[0]?.delay_ms ?? 0
  })

/** Removes this process when it ends. */
export async function removeProcess(database: Queryable, { id }: ProcessIdentity): Promise<void> {
  await database.query('delete from processes where id = $1', [id])
}

/** The live processes, oldest first. */
export async function livingProcesses(client: Queryable): Promise<readonly LivingProcess[]> {
  const { rows } = await client.query<ProcessRow>(
    `select id, role, host, pid, knows, seen_at, ${SILENT} as silent_ms from processes
     where seen_at > clock_timestamp() - make_interval(secs => $1) order by started_at, id`,
    [GONE_AFTER_MS / 1_000],
  )
  return rows.map(({ seen_at, silent_ms, ...row }) => ({ ...row, seenAt: seen_at, silentMs: silent_ms }))
}

const SILENT = `greatest(0, extract(epoch from clock_timestamp() - seen_at) * 1000)::float8`

interface ProcessRow extends ProcessIdentity {
  readonly knows: string[]
  readonly seen_at: Date
  readonly silent_ms: number
}

/** For staff: `worker, process 4711 on pay-2, knows migrations up to 0099_baseline.sql, last seen 2 s ago`. */
export function processText({ role, host, pid, knows, silentMs }: LivingProcess): string {
  const received = `last seen ${Math.round(silentMs / 1_000)} s ago`
  return `${role}, process ${pid} on ${host}, knows migrations up to ${knows.at(-1) ?? 'none'}, ${received}`
}
