import type pg from 'pg'
import type { DatabaseConnection, PoolingMode } from './database-hosts.ts'
import { codeOf, ConnectionFailed } from './driver-errors.ts'
import { createPool, SESSION_SETTINGS } from './pool.ts'

/** What we need and the pooler does not support. */
type PoolerLack =
  'startup_parameters' | 'session_settings' | 'prepared_statements' | 'second_connection' | 'session_lock'

const IGNORED = ['options', ...Object.keys(SESSION_SETTINGS).filter((name) => name !== 'enable_seqscan')].join(',')
const GIVEN = Object.entries(SESSION_SETTINGS).map(([name, value]) => `alter role … set ${name} = '${value}'`)

const ADVICE: Readonly<Record<PoolerLack, string>> = {
  startup_parameters: `it refuses the settings of our sessions.\nSet ignore_startup_parameters = ${IGNORED} in pgbouncer.ini, and give the role of DATABASE_URL these settings: ${GIVEN.join('; ')}.`,
  session_settings: `it drops the settings of our sessions.\nSet them on the role of DATABASE_URL: ${GIVEN.join('; ')}.`,
  prepared_statements:
    'it loses prepared statements between transactions.\nUse pgbouncer 1.21 or newer with max_prepared_statements = 200, or pool_mode = session.',
  second_connection:
    'it gave no second connection in time while we held one.\nSet default_pool_size to more than the gateway opens (MALIPO_DATABASE_CONNECTIONS of each process), or find what holds its connections.',
  session_lock:
    'one process runs the operators of the sandbox (MALIPO_SANDBOX_RAILS=wire), by a lock of its session, which is lost between transactions.\nLet DATABASE_URL lead straight to PostgreSQL, or set pool_mode = session.',
}

/** A pooler stands between us and PostgreSQL, and its configuration does not support what we need. */
export class UnfitPooler extends Error {
  override readonly name = 'UnfitPooler'
  readonly lack: PoolerLack

  constructor(lack: PoolerLack, cause?: unknown) {
    super(`the pooler (pgbouncer) in front of PostgreSQL does not fit: ${ADVICE[lack]}`, { cause })
    this.lack = lack
  }
}

const PROTOCOL_VIOLATION = '08P01'
/** Whether a pooler rejected the login because of its startup parameters. */
export const isStartupRefused = (error: unknown): boolean =>
  codeOf(error) === PROTOCOL_VIOLATION && String(error).includes('startup parameter')

/** Prepared statements that do not exist, or exist already because another session prepared them. */
const FOREIGN_SESSION: readonly string[] = ['26000', '42P05']
/** Several tries, because a pooler reuses the connection returned last unless other clients keep it busy. */
const TRIES = 5
const ANSWER_MS_MAX = 2_000

/**
 * Detects whether a pooler (pgbouncer) is in between, and whether it supports what our statements rely on: a failed
 * start is better than a gateway whose payments fail one by one. It tests the behavior, because only the pooler's
 * admin console shows its version and settings, and only to the pooler's administrators. Without a pooler this is one
 * statement.
 * @param answerMsMax timeout for a second connection
 * @throws UnfitPooler, or why there is no connection
 */
export async function poolingOf(connection: DatabaseConnection, answerMsMax = ANSWER_MS_MAX): Promise<PoolingMode> {
  const pool = createPool({ connection, connectionsMax: 2, onError: () => undefined })
  try {
    const one = await pool.connect()
    try {
      if (await isDirect(one)) return 'none'
      await refuseOtherSettings(one)
      return await refuseLostStatements(pool, one, answerMsMax)
    } finally {
      one.release(true)
    }
  } catch (error) {
    if (isStartupRefused(error)) throw new UnfitPooler('startup_parameters', error)
    throw FOREIGN_SESSION.includes(codeOf(error)) ? new UnfitPooler('prepared_statements', error) : error
  } finally {
    await pool.end()
  }
}

const PID = 'select pg_backend_pid() as pid'
/** A prepared statement: it runs only on the connection that prepared it. */
const PREPARED = { name: 'who-are-you', text: PID }

type BoundedQuery = pg.QueryConfig & { readonly answerMsMax: number }

async function pidOf(client: pg.PoolClient, statement: pg.QueryConfig): Promise<number> {
  return (await client.query<{ pid: number }>(statement)).rows[0]?.pid ?? 0
}

/** At login a pooler reports a process id of its own, which cancel requests use, and not that of the server process. */
async function isDirect(client: pg.PoolClient): Promise<boolean> {
  const { processID } = client as pg.PoolClient & { readonly processID?: number }
  return (await pidOf(client, { text: PID })) === processID
}

async function refuseOtherSettings(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: keyof typeof SESSION_SETTINGS; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(SESSION_SETTINGS)],
  )
  if (rows.some(({ name, value }) => SESSION_SETTINGS[name] !== value)) throw new UnfitPooler('session_settings')
}

/**
 * A second session prepares the same statement in an open transaction, and so keeps its server connection. If that was
 * the first session's connection, the name is already taken there, and the first session's next statement goes to a
 * connection that may not have it.
 */
async function refuseLostStatements(pool: pg.Pool, one: pg.PoolClient, answerMsMax: number): Promise<PoolingMode> {
  const other = await pool.connect()
  const inTime = (text: string, name?: string): BoundedQuery => ({
    text,
    answerMsMax,
    ...(name !== undefined && { name }),
  })
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await pidOf(one, PREPARED)
      await other.query(inTime('begin'))
      await pidOf(other, PREPARED)
      const after = await pidOf(one, inTime(PID, PREPARED.name))
      await other.query('rollback')
      if (after !== before) return 'transaction'
    }
    return 'session'
  } catch (error) {
    const isSilent = error instanceof ConnectionFailed && error.fault === 'silent'
    throw isSilent ? new UnfitPooler('second_connection', error) : error
  } finally {
    other.release(true)
  }
}
