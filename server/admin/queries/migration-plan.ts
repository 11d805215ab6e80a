import type pg from 'pg'
import { dueMigrations } from '../../storage/baseline.ts'
import { refuseOtherMode, type DatabaseMode } from '../../storage/database-mode.ts'
import type { DatabaseConnection } from '../../storage/database-hosts.ts'
import { openClient } from '../../storage/open-client.ts'
import type { LockMode, Migration } from '../../storage/migration-files.ts'
import { refuseNewer } from '../../storage/newer-database.ts'
import { livingProcesses, type LivingProcess } from '../../storage/processes.ts'

/** What a migration does to one table or sequence. */
export interface TouchedTable {
  readonly table: string
  /** The strongest lock that blocks writers; undefined if it blocks none. */
  readonly lock: LockMode | undefined
  readonly isRewritten: boolean
  /** The migration scans all of it: for an index, a check or a change of rows. */
  readonly isRead: boolean
  /** Including its indexes and partitions; undefined if it does not exist yet. */
  readonly bytes: number | undefined
}

export interface PlannedMigration extends Pick<Migration, 'name' | 'kind'> {
  readonly tables: readonly TouchedTable[]
  /** Processes that must end first. */
  readonly waitsFor: readonly LivingProcess[]
}

export interface MigrationPlan {
  /** No migration was applied yet. */
  readonly isNew: boolean
  readonly appliedCount: number
  readonly planned: readonly PlannedMigration[]
}

/** The plan for a database that does not exist yet. */
export const planForNew = (migrations: readonly Migration[]): MigrationPlan => ({
  isNew: true,
  appliedCount: 0,
  planned: migrations.map((migration) => plan(migration, new Map(), [])),
})

/**
 * What `migrate` would do now. Uses a read-only transaction.
 * @throws WrongMode, NewerDatabase, OlderDatabase as `migrate` does
 */
export async function planMigrations(
  connection: DatabaseConnection,
  mode: DatabaseMode,
  migrations: readonly Migration[],
): Promise<MigrationPlan> {
  const client = await openClient(connection)
  try {
    await client.query('begin read only')
    await refuseOtherMode(client, mode)
    const { rows: found } = await client.query(`select where to_regclass('schema_migrations') is not null`)
    if (found.length === 0) return planForNew(migrations)
    const names = migrations.map(({ name }) => name)
    const applied = await refuseNewer(client, names)
    if (applied.length === 0) return planForNew(migrations)
    const due = dueMigrations(applied, migrations)
    const alive = await livingProcesses(client)
    const sizes = await sizesOf(client, due.flatMap(tablesOf))
    return { isNew: false, appliedCount: applied.length, planned: due.map((one) => plan(one, sizes, alive)) }
  } finally {
    await client.end()
  }
}

const tablesOf = ({ locks, rewrites, reads }: Migration): string[] =>
  [...new Set([...locks.map(({ table }) => table), ...rewrites, ...reads])].sort()

function plan(
  migration: Migration,
  sizes: ReadonlyMap<string, number>,
  alive: readonly LivingProcess[],
): PlannedMigration {
  const { name, kind, locks, rewrites, reads } = migration
  return {
    name,
    kind,
    tables: tablesOf(migration).map((table) => ({
      table,
      lock: locks.find((lock) => lock.table === table)?.mode,
      isRewritten: rewrites.includes(table),
      isRead: reads.includes(table),
      bytes: sizes.get(table),
    })),
    waitsFor: kind === 'expand' ? [] : alive.filter(({ knows }) => !knows.includes(name)),
  }
}

/** Counts partitions with their table. */
async function sizesOf(client: pg.Client, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select name, greatest(pg_total_relation_size(to_regclass(name)),
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree(to_regclass(name))))::float8 as bytes
     from unnest($1::text[]) as name where to_regclass(name) is not null`,
    [[...new Set(tables)]],
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
