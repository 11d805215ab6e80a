import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { refuseOtherMode, type DatabaseMode } from './database-mode.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { codeOf } from './driver-errors.ts'
import {
  LOCK_BOUNDS,
  LockNotHad,
  UNBOUNDED,
  underBoundedLocks,
  type LockBounds,
  type Locking,
} from './bounded-locks.ts'
import { readMigrations, type Migration, type MigrationKind } from './migration-files.ts'
import { refuseNewer } from './newer-database.ts'
import { olderProcesses, untilOlderHaveEnded } from './older-processes.ts'
import { registerProcess, type LivingProcess, type ProcessIdentity } from './processes.ts'
import { openClient } from './open-client.ts'
import { grantRuntimeRights } from './runtime-rights.ts'

/** Nothing of the migration was kept. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(`migration ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.file = file
  }
}

/** Processes of an older version live that the migration would break: it was not begun. */
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

/** The role may not migrate, and something is to be migrated. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
  /** What is to be applied; none of a database that the role may not read. */
  readonly missing: readonly string[]

  constructor(role: string, missing: readonly string[]) {
    super(
      missing.length === 0
        ? `the role ${role} may not read the tables of Malipo`
        : `the database lacks ${missing.join(', ')}, and the role ${role} may not migrate it`,
    )
    this.missing = missing
  }
}

export interface MigrateOptions {
  /** Those of this version, unless told. */
  readonly migrations?: readonly Migration[]
  /** A process that goes on to work with the database: others hear of it in the moment in which it is up to date. */
  readonly as?: ProcessIdentity
  /**
   * Hears of each `contract` migration that waits for older processes: this version works without it. Absent: it is
   * refused as `stop` is.
   */
  readonly onPutOff?: (held: OlderProcesses) => void
  /** The runtime role: it gets its rights on what is there now (`runtime-rights.ts`). Absent: the owner is the only role. */
  readonly grantTo?: string
  readonly bounds?: LockBounds
  readonly pause?: (ms: number) => Promise<unknown>
}

/**
 * Brings the database up to this version: each file of migrations/ once, in the order of their names, each in its own
 * transaction. Safe to run from many processes at once: one migrates, the others wait.
 * @param mode what a new database becomes; of two processes of different modes that start on it at once, one wins
 * A role without the right to migrate finds out whether there is nothing to do.
 * @returns the names of the files that were applied now
 * @throws WrongMode when the database belongs to the other mode; NewerDatabase; OlderProcesses; LockNotHad;
 *   MigrationFailed; NotMigrated
 */
export async function migrate(
  connection: DatabaseConnection,
  mode: DatabaseMode,
  { migrations, as, onPutOff, grantTo, bounds = LOCK_BOUNDS, pause = sleep }: MigrateOptions = {},
): Promise<string[]> {
  const ours = migrations ?? (await readMigrations())
  const client = await openClient(connection)
  try {
    const mayMigrate = await refuseUnmigrated(client, ours)
    await refuseOtherMode(client, mode) // before anything is changed
    const applied = mayMigrate ? await applyAll({ client, connection, mode, bounds, pause }, ours, onPutOff) : []
    if (grantTo !== undefined) await grantRuntimeRights(client, grantTo)
    await settleDown(
      client,
      ours.map(({ name }) => name),
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
  onPutOff: MigrateOptions['onPutOff'],
): Promise<string[]> {
  await prepare(run.client)
  const before = await appliedTo(run.client)
  if (before.length === 0) {
    const applied = await applyToNew({ ...run, isNew: true }, ours)
    if (applied) return applied
  }
  const missing = ours.filter(({ name }) => !before.includes(name))
  return applyInOrder({ ...run, isNew: before.length === 0 }, missing, onPutOff)
}

const appliedTo = async (client: pg.Client): Promise<readonly string[]> =>
  (await client.query<{ name: string }>('select name from schema_migrations')).rows.map(({ name }) => name)

/**
 * What takes away what this version does not use may wait for the owner.
 * @returns whether this role may migrate
 * @throws NotMigrated when it may not, and anything else is to be applied
 */
async function refuseUnmigrated(client: pg.Client, ours: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query<Rights>(RIGHTS)
  const [rights] = rows
  if (!rights || rights.migrates) return true
  const applied = rights.reads ? await appliedTo(client) : undefined
  const missing = ours.filter(({ name, kind }) => kind !== 'contract' && !applied?.includes(name))
  if (!applied) throw new NotMigrated(rights.role, [])
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

/** Of a database without tables whoever may make some becomes the owner. */
const RIGHTS = `
  select current_user as role, coalesce(pg_has_role(c.relowner, 'usage'), true) as migrates,
    coalesce(has_table_privilege(c.oid, 'select'), false) as reads
  from (select) one left join pg_class c on c.oid = to_regclass('schema_migrations')`

/**
 * An `expand` relies on no `contract` before it: this version works without that. All else keeps its place: what was put
 * off comes first, also when the older processes have ended meanwhile.
 * @returns the names of those that were applied now
 */
async function applyInOrder(
  run: Run,
  ours: readonly Migration[],
  onPutOff: MigrateOptions['onPutOff'],
): Promise<string[]> {
  const applied: string[] = []
  let putOff: readonly Migration[] = []
  for (const migration of ours) {
    const { kind } = migration
    const left = kind === 'expand' ? [migration] : [...putOff, migration]
    if (kind === 'stop' && left.length > 1) await untilOlderHaveEnded(run.client, migration, run.pause)
    try {
      for (let next = left[0]; next; next = left[0]) {
        if (await applyUnlessHeldUp(run, next)) applied.push(next.name)
        left.shift()
      }
    } catch (error) {
      if (!(error instanceof OlderProcesses)) throw error
      const held = new OlderProcesses(migration, error.processes)
      if (kind !== 'contract' || !onPutOff) throw held
      onPutOff(held)
    }
    if (kind !== 'expand') putOff = left
  }
  return applied
}

/**
 * All at once, in one transaction: nobody works with a new database, so nothing has to wait for anybody, and a first start
 * is half a second sooner ready.
 * @returns the names of all; undefined when another process was first
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

interface Run extends Locking {
  readonly mode: DatabaseMode
  /** Nobody works with it yet, whoever is connected. */
  readonly isNew: boolean
}

/** The table of what was applied; its kind is told to versions that do not have the file. */
async function prepare(client: pg.Client): Promise<void> {
  await client
    .query(
      `create table if not exists schema_migrations (
         name text primary key, applied_at timestamptz not null default now(), kind text)`,
    )
    .catch(ignoreCreatedByOther)
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'kind'`,
  )
  if (rowCount === 0) await client.query('alter table schema_migrations add column if not exists kind text')
}

/** A process that was killed looks alive for a while: what is silent is waited for, what still speaks is not. */
const applyUnlessHeldUp = (run: Run, migration: Migration): Promise<boolean> =>
  applyOnce(run, migration).catch(async (error: unknown) => {
    if (!(error instanceof OlderProcesses && error.kind === 'stop')) throw error
    await untilOlderHaveEnded(run.client, migration, run.pause)
    return applyOnce(run, migration)
  })

/** A migration that locks tables may meet a payment that has locked one of them already and waits for another. */
const DEADLOCK = '40P01'
const DEADLOCKS_MAX = 5

async function applyOnce(run: Run, migration: Migration, deadlocks = 0): Promise<boolean> {
  const { client, mode } = run
  const { name, kind, locks, sql } = migration
  try {
    return await underBoundedLocks(run, name, async (take) => {
      // A table lock rather than an advisory one: engines that speak PostgreSQL's protocol know it too.
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
    // Nothing of it is kept, and payments had their way: again.
    if (codeOf(error) === DEADLOCK && deadlocks < DEADLOCKS_MAX) return applyOnce(run, migration, deadlocks + 1)
    throw new MigrationFailed(name, error)
  }
}

/** Nobody registers meanwhile: that needs the lock which the caller has. */
async function refuseWhileOlderLive({ client, isNew }: Run, migration: Migration): Promise<void> {
  if (migration.kind === 'expand' || isNew) return
  const older = await olderProcesses(client, migration)
  if (older.length > 0) throw new OlderProcesses(migration, older)
}

/**
 * The end of it, under a lock that migrations wait for: either a newer version has changed what we rely on, and we are
 * told, or it will find us.
 */
async function settleDown(client: pg.Client, ours: readonly string[], as: ProcessIdentity | undefined): Promise<void> {
  await client.query(`begin; ${UNBOUNDED}`)
  try {
    // Waits for a migration as a lock of the table would, and the runtime role may take it; those that start do not wait
    // for each other.
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
 * Two processes may both find no table and both create it; the loser's error says exactly that: of the catalogue's key,
 * the table, or its row type.
 */
const CREATED_BY_OTHER: readonly string[] = ['23505', '42P07', '42710']
function ignoreCreatedByOther(error: unknown): void {
  if (!CREATED_BY_OTHER.includes(codeOf(error))) throw error
}
