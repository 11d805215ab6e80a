import type pg from 'pg'
import type { DatabaseConnection, Pooling } from './database-hosts.ts'
import { codeOf, ConnectionFailed } from './driver-errors.ts'
import { createPool, SESSION_SETTINGS } from './pool.ts'

/** What a pooler keeps us from. */
export type PoolerLack =
  'startup_parameters' | 'session_settings' | 'prepared_statements' | 'second_connection' | 'session_lock'

const IGNORED = ['options', ...Object.keys(SESSION_SETTINGS).filter((name) => name !== 'enable_seqscan')].join(',')
const GIVEN = Object.entries(SESSION_SETTINGS).map(([name, value]) => `alter role … set ${name} = '${value}'`)

const ADVICE: Readonly<Record<PoolerLack, string>> = {
  startup_parameters: `it refuses the settings of our sessions.\nSet ignore_startup_parameters = ${IGNORED} in pgbouncer.ini, and give the role of DATABASE_URL these settings: ${GIVEN.join('; ')}.`,
  session_settings: `it keeps the settings of our sessions to itself.\nGive them to the role of DATABASE_URL: ${GIVEN.join('; ')}.`,
  prepared_statements:
    'it loses prepared statements between transactions.\nUse pgbouncer 1.21 or newer with max_prepared_statements = 200, or pool_mode = session.',
  second_connection:
    'it gave no second connection in time while we held one.\nSet default_pool_size to more than the gateway opens (MALIPO_DATABASE_CONNECTIONS of each process), or look what holds its connections.',
  session_lock:
    'one process runs the operators of the sandbox (MALIPO_SANDBOX_RAILS=wire), by a lock of its session, which is lost between transactions.\nLet DATABASE_URL lead straight to PostgreSQL, or set pool_mode = session.',
}

/** A pooler stands between us and PostgreSQL, and as it is set up we cannot work through it. */
export class UnfitPooler extends Error {
  override readonly name = 'UnfitPooler'
  readonly lack: PoolerLack

  constructor(lack: PoolerLack, cause?: unknown) {
    super(`the pooler (pgbouncer) in front of PostgreSQL does not fit: ${ADVICE[lack]}`, { cause })
    this.lack = lack
  }
}

const PROTOCOL_VIOLATION = '08P01'
/** Whether a pooler refuses a login for the settings that come with it. */
export const isStartupRefused = (error: unknown): boolean =>
  codeOf(error) === PROTOCOL_VIOLATION && String(error).includes('startup parameter')

/** Prepared statements that are not there, or are there already: of another session. */
const FOREIGN_SESSION: readonly string[] = ['26000', '42P05']
/** A pooler gives the connection again that came back last, unless it is busy with others. */
const TRIES = 5
const ANSWER_MS_MAX = 2_000

/**
 * Looks whether a pooler (pgbouncer) is in between and lets through what our statements rely on: better no start than a
 * gateway whose payments fail one by one. It is tried rather than asked: the version and the settings are told by a
 * console of its own, to its administrators alone. Without a pooler it is one statement.
 * @param answerMsMax how long a second connection may take
 * @throws UnfitPooler, or why there is no connection
 */
export async function poolingOf(connection: DatabaseConnection, answerMsMax = ANSWER_MS_MAX): Promise<Pooling> {
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
/** Prepared: it runs only where it is. */
const PREPARED = { name: 'who-are-you', text: PID }

type Bounded = pg.QueryConfig & { readonly answerMsMax: number }

async function pidOf(client: pg.PoolClient, statement: pg.QueryConfig): Promise<number> {
  return (await client.query<{ pid: number }>(statement)).rows[0]?.pid ?? 0
}

/** A pooler tells us a number of its own at the login, with which statements are cancelled. */
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
 * Another session prepares what we have prepared, and holds the connection on which it did: if that was ours, the name
 * is taken there, and our next statement goes to a connection that may not know it.
 */
async function refuseLostStatements(pool: pg.Pool, one: pg.PoolClient, answerMsMax: number): Promise<Pooling> {
  const other = await pool.connect()
  const inTime = (text: string, name?: string): Bounded => ({ text, answerMsMax, ...(name !== undefined && { name }) })
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
