import type { Migration } from './migration-files.ts'

/**
 * Creates the whole schema. It replaces the migrations that led to the same schema before the first release: the second
 * and last time, because after it databases have them (migration-files.test.ts).
 */
export const BASELINE = '0099_baseline.sql'

/** The last commit of Malipo that has the files of the replaced migrations. */
export const UPGRADING_COMMIT = 'f378fb5b'
const REPLACED = { count: 35, first: '0059_baseline.sql', last: '0098_sandbox_clock.sql' } as const

/** What applies to a database that has all replaced migrations: it has the schema, and only two checks are unproven. */
const MARK: Pick<Migration, 'sql' | 'reads'> = {
  sql: `
    alter table audit_log validate constraint audit_log_actor_kind_check;
    alter table payment_sessions validate constraint payment_sessions_awaits_check;
    delete from schema_migrations where name < '${BASELINE}'`,
  reads: ['audit_log', 'payment_sessions'],
}

/** The database has only some of the replaced migrations, and this version cannot apply the others. */
export class OlderDatabase extends Error {
  override readonly name = 'OlderDatabase'

  constructor(count: number) {
    super(
      `the database has ${count} of the ${REPLACED.count} migrations up to ${REPLACED.last}, and this version has no files for the others: commit ${UPGRADING_COMMIT} of Malipo upgrades it`,
    )
  }
}

/** Whether the baseline replaces the migration of this name. */
export const isReplaced = (name: string): boolean => name < BASELINE

/**
 * The migrations that the database lacks, in order. One that has all replaced migrations is marked as being at the
 * baseline.
 * @param applied the names of the applied migrations
 * @throws OlderDatabase
 */
export function dueMigrations(applied: readonly string[], ours: readonly Migration[]): readonly Migration[] {
  const due = ours.filter(({ name }) => !applied.includes(name))
  if (applied.includes(BASELINE) || !applied.some(isReplaced)) return due
  // Older ones were replaced by the first of these, which the commit to upgrade with knows.
  const replaced = applied.filter((name) => isReplaced(name) && name >= REPLACED.first)
  if (replaced.length !== REPLACED.count || !replaced.includes(REPLACED.last)) throw new OlderDatabase(replaced.length)
  return due.map((migration) => (migration.name === BASELINE ? { ...migration, ...MARK } : migration))
}
