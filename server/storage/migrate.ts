import { readFile, readdir } from 'node:fs/promises'
import type pg from 'pg'
import { refuseOtherMode, type DatabaseMode } from './database-mode.ts'
import { DatabaseClient } from './database-client.ts'
import { codeOf } from './driver-errors.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Nothing of the migration was kept. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(`migration ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.file = file
  }
}

/** The database was written by a newer version of Malipo. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
  /** The migrations that this version does not know. */
  readonly unknown: readonly string[]

  constructor(unknown: readonly string[]) {
    super(`the database was migrated by a newer version of Malipo (${unknown.join(', ')})`)
    this.unknown = unknown
  }
}

/**
 * Brings the database up to this version: each file of migrations/ once, in the order of their names, each in its own
 * transaction. Safe to run from many processes at once: one migrates, the others wait.
 * @param mode what a new database becomes; of two processes of different modes that start on it at once, one wins
 * @returns the names of the files that were applied now
 * @throws WrongMode when the database belongs to the other mode; NewerDatabase; MigrationFailed
 */
export async function migrate(connection: pg.ClientConfig, mode: DatabaseMode): Promise<string[]> {
  const client = new DatabaseClient(connection)
  client.on('error', () => undefined) // the query that meets the broken connection reports it
  await client.connect()
  try {
    await refuseOtherMode(client, mode) // before anything is changed
    await client
      .query(
        `create table if not exists schema_migrations (
           name text primary key, applied_at timestamptz not null default now())`,
      )
      .catch(ignoreCreatedByOther)
    const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
    const applied: string[] = []
    for (const file of files) {
      if (await applyOnce(client, file, mode)) applied.push(file)
    }
    await refuseNewer(client, files)
    await refuseOtherMode(client, mode) // another process may have been first
    return applied
  } finally {
    await client.end()
  }
}

/** A migration that locks tables may meet a payment that has locked one of them already and waits for another. */
const DEADLOCK = '40P01'
const DEADLOCKS_MAX = 5

async function applyOnce(client: pg.Client, file: string, mode: DatabaseMode, deadlocks = 0): Promise<boolean> {
  await client.query('begin')
  try {
    // A table lock rather than an advisory one: engines that speak PostgreSQL's protocol know it too.
    await client.query('lock table schema_migrations in exclusive mode')
    const { rowCount } = await client.query('select from schema_migrations where name = $1', [file])
    if (rowCount === 0) {
      await client.query(`select set_config('malipo.mode', $1, true)`, [mode])
      await client.query(await readFile(new URL(file, FOLDER), 'utf8'))
      await client.query('insert into schema_migrations (name) values ($1)', [file])
    }
    await client.query('commit')
    return rowCount === 0
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    // Nothing of it is kept, and payments had their way: again.
    if (codeOf(error) === DEADLOCK && deadlocks < DEADLOCKS_MAX) return applyOnce(client, file, mode, deadlocks + 1)
    throw new MigrationFailed(file, error)
  }
}

async function refuseNewer(client: pg.Client, files: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  const unknown = rows.filter(({ name }) => !files.includes(name)).map(({ name }) => name)
  if (unknown.length > 0) throw new NewerDatabase(unknown)
}

/**
 * Two processes may both find no table and both create it; the loser's error says exactly that: of the catalogue's key,
 * the table, or its row type.
 */
const CREATED_BY_OTHER: readonly string[] = ['23505', '42P07', '42710']
function ignoreCreatedByOther(error: unknown): void {
  if (!CREATED_BY_OTHER.includes(codeOf(error))) throw error
}
