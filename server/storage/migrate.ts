import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dueMigrations } from './baseline.ts'
import { refuseOtherMode, type DatabaseMode } from './database-mode.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { codeOf } from './driver-errors.ts'
import {
  LOCK_BOUNDS,
  LockNotHad,
  UNBOUNDED,
  underBoundedLocks,
  type LockBounds,
  type LockSession,
} from './bounded-locks.ts'
import { readMigrations, type Migration, type MigrationKind } from './migration-files.ts'
import { refuseNewer } from './newer-database.ts'
import { olderProcesses, untilOlderHaveEnded } from './older-processes.ts'
import { registerProcess, type LivingProcess, type ProcessIdentity } from './processes.ts'
import { openClient } from './open-client.ts'
import { grantRuntimeRights } from './runtime-rights.ts'

/** The migration failed and was rolled back completely. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(`migration ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.file = file
  }
}

/** Processes of an older version are alive, and the migration would break them: it was not started. */
export class OlderProcesses extends Error {
  override readonly name = 'OlderProcesses'
  readonly file: string
  readonly kind: MigrationKind
  readonly processes: readonly LivingProcess[]

  constructor({ name, kind }: Migration, processes: readonly LivingProcess[]) {
    super(`migration ${name} waits for ${processes.length} older ${processes.length === 1 ? 'process' : 'processes'}`)
    this.file = name
    this.kind = kind
    this.processes = processes
  }
}

/** Migrations are missing, and the role may not run them. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
  /** The missing migrations; empty if the role may not read the database. */
  readonly missing: readonly string[]

  constructor(role: string, missing: readonly string[]) {
    super(
      missing.length === 0
        ? `the role ${role} cannot read the tables of Malipo`
        : `the database lacks ${missing.join(', ')}, and the role ${role} may not migrate it`,
    )
    this.missing = missing
  }
}

export interface MigrateOptions {
  /** Default: the migrations of this version. */
  readonly migrations?: readonly Migration[]
  /**
   * A process that continues to work with the database: it is registered, and so visible to others, as soon as the
   * database is up to date.
   */
  readonly as?: ProcessIdentity
  /**
   * Called for each `contract` migration that is delayed by older processes: this version works without it. Absent: a
   * delayed `contract` throws, as a `stop` does.
   */
  readonly onDelayed?: (held: OlderProcesses) => void
  /**
   * The runtime role, which is granted its rights on the current tables (`runtime-rights.ts`). Absent: the owner is
   * the only role.
   */
  readonly grantTo?: string
  readonly bounds?: LockBounds
  readonly pause?: (ms: number) => Promise<unknown>
}

/**
 * Migrates the database to this version: runs each file of migrations/ once, in the order of their names, each in its
 * own transaction. Safe to run from many processes at once: one migrates, the others wait. A role without the right to
 * migrate only checks that nothing is missing.
 * @param mode the mode of a new database; of two processes of different modes that start on it at once, one wins
 * @returns the names of the files that were applied now
 * @throws WrongMode when the database belongs to the other mode; NewerDatabase; OlderDatabase; OlderProcesses;
 *   LockNotHad; MigrationFailed; NotMigrated
 */
export async function migrate(
  connection: DatabaseConnection,
  mode: DatabaseMode,
  { migrations, as, onDelayed: onRescheduled, grantTo, bounds = LOCK_BOUNDS, pause = sleep }: MigrateOptions = {},
): Promise<string[]> {
  const migrationsHere = migrations ?? (await readMigrations())
  const client = await openClient(connection)
  try {
    const mayMigrate = await refuseUnmigrated(client, migrationsHere)
    await refuseOtherMode(client, mode) // before any change
    const applied = mayMigrate
      ? await applyAll({ client, connection, mode, bounds, pause }, migrationsHere, onRescheduled)
      : []
    if (grantTo !== undefined) await grantRuntimeRights(client, grantTo)
    await settleDown(
      client,
      migrationsHere.map(({ name }) => name),
      as,
    )
    await refuseOtherMode(client, mode) // another process may have been first
    return applied
  } finally {
    await client.end()
  }
}

async function applyAll(
  run: Omit<Run, 'isNew'>,
  ours: readonly Migration[],
  onRescheduled: MigrateOptions['onDelayed'],
): Promise<string[]> {
  await prepare(run.client)
  const before = await appliedTo(run.client)
  if (before.length === 0) {
    const applied = await applyToNew({ ...run, isNew: true }, ours)
    if (applied) return applied
  }
  return applyInOrder({ ...run, isNew: before.length === 0 }, dueMigrations(before, ours), onRescheduled)
}

const appliedTo = async (client: pg.Client): Promise<readonly string[]> =>
  (await client.query<{ name: string }>('select name from schema_migrations')).rows.map(({ name }) => name)

/**
 * A missing `contract` does not count: it only removes what this version does not use, so it may wait for the owner.
 * @returns whether this role may migrate
 * @throws NotMigrated when it may not, and any other migration is missing; OlderDatabase
 */
async function refuseUnmigrated(client: pg.Client, ours: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query<Rights>(RIGHTS)
  const [rights] = rows
  if (!rights || rights.migrates) return true
  if (!rights.reads) throw new NotMigrated(rights.role, [])
  const missing = dueMigrations(await appliedTo(client), ours).filter(({ kind }) => kind !== 'contract')
  if (missing.length > 0)
    throw new NotMigrated(
      rights.role,
      missing.map(({ name }) => name),
    )
  return false
}

interface Rights {
  readonly role: string
  readonly migrates: boolean
  readonly reads: boolean
}

/** In a database without tables, whoever may create tables becomes the owner. */
const RIGHTS = `
  select current_user as role, coalesce(pg_has_role(c.relowner, 'usage'), true) as migrates,
    coalesce(has_table_privilege(c.oid, 'select'), false) as reads
  from (select) one left join pg_class c on c.oid = to_regclass('schema_migrations')`

/**
 * An `expand` does not depend on an earlier `contract`, because this version works without it, so it may overtake one.
 * Everything else keeps its order: a delayed migration runs first, even if the older processes have ended meanwhile.
 * @returns the names of the migrations that were applied now
 */
async function applyInOrder(
  run: Run,
  ours: readonly Migration[],
  onRescheduled: MigrateOptions['onDelayed'],
): Promise<string[]> {
  const applied: string[] = []
  let rescheduled: readonly Migration[] = []
  for (const migration of ours) {
    const { kind } = migration
    const left = kind === 'expand' ? [migration] : [...rescheduled, migration]
    if (kind === 'stop' && left.length > 1) await untilOlderHaveEnded(run.client, migration, run.pause)
    try {
      for (let next = left[0]; next; next = left[0]) {
        if (await applyUnlessHeldUp(run, next)) applied.push(next.name)
        left.shift()
      }
    } catch (error) {
      if (!(error instanceof OlderProcesses)) throw error
      const held = new OlderProcesses(migration, error.processes)
      if (kind !== 'contract' || !onRescheduled) throw held
      onRescheduled(held)
    }
    if (kind !== 'expand') rescheduled = left
  }
  return applied
}

/**
 * Applies all migrations in one transaction: no process uses a new database yet, so there is nothing to wait for, and
 * the first start is half a second faster.
 * @returns the names of all migrations; undefined when another process was first
 */
async function applyToNew({ client, mode }: Run, ours: readonly Migration[]): Promise<string[] | undefined> {
  let file = ours[0]?.name ?? ''
  await client.query(`begin; ${UNBOUNDED}`)
  try {
    await client.query('lock table schema_migrations in exclusive mode')
    const isTaken = (await client.query('select from schema_migrations limit 1')).rowCount !== 0
    if (!isTaken) await client.query(`select set_config('malipo.mode', $1, true)`, [mode])
    for (const { name, kind, sql } of isTaken ? [] : ours) {
      file = name
      await client.query(sql)
      await client.query('insert into schema_migrations (name, kind) values ($1, $2)', [name, kind])
    }
    await client.query('commit')
    return isTaken ? undefined : ours.map(({ name }) => name)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new MigrationFailed(file, error)
  }
}

interface Run extends LockSession {
  readonly mode: DatabaseMode
  /** The database is new: no process uses it yet, even if one is connected. */
  readonly isNew: boolean
}

/** Creates the table of applied migrations. Versions that lack a migration's file read its kind there. */
async function prepare(client: pg.Client): Promise<void> {
  await client
    .query(
      `create table if not exists schema_migrations (
         name text primary key, applied_at timestamptz not null default now(), kind text)`,
    )
    .catch(ignoreCreatedByOther)
}

/**
 * A killed process looks alive for a while. Waits for processes that send no heartbeat, but not for those that still
 * do.
 */
const applyUnlessHeldUp = (run: Run, migration: Migration): Promise<boolean> =>
  applyOnce(run, migration).catch(async (error: unknown) => {
    if (!(error instanceof OlderProcesses && error.kind === 'stop')) throw error
    await untilOlderHaveEnded(run.client, migration, run.pause)
    return applyOnce(run, migration)
  })

/** A migration that locks several tables can deadlock with a payment that holds one of them and waits for another. */
const DEADLOCK = '40P01'
const DEADLOCKS_MAX = 5

async function applyOnce(run: Run, migration: Migration, deadlocks = 0): Promise<boolean> {
  const { client, mode } = run
  const { name, kind, locks, sql } = migration
  try {
    return await underBoundedLocks(run, name, async (take) => {
      // A table lock rather than an advisory lock: other engines that speak PostgreSQL's protocol support it too.
      await client.query('lock table schema_migrations in exclusive mode')
      if ((await client.query('select from schema_migrations where name = $1', [name])).rowCount !== 0) return false
      await refuseWhileOlderLive(run, migration)
      await client.query(`select set_config('malipo.mode', $1, true)`, [mode])
      await take(locks)
      await client.query(sql)
      await client.query('insert into schema_migrations (name, kind) values ($1, $2)', [name, kind])
      return true
    })
  } catch (error) {
    if (error instanceof OlderProcesses || error instanceof LockNotHad) throw error
    // The migration was rolled back and the payments went through: retry.
    if (codeOf(error) === DEADLOCK && deadlocks < DEADLOCKS_MAX) return applyOnce(run, migration, deadlocks + 1)
    throw new MigrationFailed(name, error)
  }
}

/** No process can register meanwhile: registering needs the lock that the caller holds. */
async function refuseWhileOlderLive({ client, isNew }: Run, migration: Migration): Promise<void> {
  if (migration.kind === 'expand' || isNew) return
  const older = await olderProcesses(client, migration)
  if (older.length > 0) throw new OlderProcesses(migration, older)
}

/**
 * The last step, under a lock that migrations wait for. If a newer version has already changed what we rely on, this
 * throws; a migration that runs later sees our registration.
 */
async function settleDown(client: pg.Client, ours: readonly string[], as: ProcessIdentity | undefined): Promise<void> {
  await client.query(`begin; ${UNBOUNDED}`)
  try {
    // Conflicts with a migration as a table lock would, but the runtime role may take it, and starting processes do not
    // block each other.
    await client.query('select from schema_migrations limit 1 for share')
    await refuseNewer(client, ours)
    if (as) await registerProcess(client, as, ours)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Two processes may both find no table and both create it. The loser's error is a unique violation in the catalog, a
 * duplicate table, or a duplicate row type.
 */
const CREATED_BY_OTHER: readonly string[] = ['23505', '42P07', '42710']
function ignoreCreatedByOther(error: unknown): void {
  if (!CREATED_BY_OTHER.includes(codeOf(error))) throw error
}
