import type { Migration } from './migration-files.ts'

/** Creates the whole schema. It replaces the migrations that led to the same schema before the first release. */
export const BASELINE = '0059_baseline.sql'

/** The last commit of Malipo that has the files of the replaced migrations. */
export const UPGRADING_COMMIT = '55df7cab'
const REPLACED = { count: 51, last: '0058_rail_accounts.sql' } as const

/** What applies to a database that has all replaced migrations: it has the schema, so only names change. */
const MARK: Pick<Migration, 'sql' | 'locks'> = {
  sql: `
    alter table work rename to jobs;
    alter table jobs rename column addressee to destination;
    alter sequence work_id_seq rename to jobs_id_seq;
    alter index work_subject_id_kind_key rename to jobs_subject_id_kind_key;
    alter index work_kind_due_at_idx rename to jobs_kind_due_at_idx;
    alter index work_failures_idx rename to jobs_failures_idx;
    alter index work_by_addressee rename to jobs_by_destination;
    update jobs set kind = case kind when 'askRail' then 'pollRail' else 'resolveUnknownOutcome' end
      where kind in ('askRail', 'findOrder');
    alter table providers rename column asks_for_otp to requires_otp;
    do $$
    declare old record;
    begin
      -- PostgreSQL 18 names the constraints of columns that are not null.
      for old in select conrelid::regclass as place, conname from pg_constraint
        where conrelid in ('jobs'::regclass, 'providers'::regclass) and conname ~ '^work_|_asks_for_otp_'
      loop
        execute format('alter table %s rename constraint %I to %I', old.place, old.conname, replace(replace(replace(
          old.conname, 'work_', 'jobs_'), '_addressee_', '_destination_'), '_asks_for_otp_', '_requires_otp_'));
      end loop;
    end $$;
    delete from schema_migrations where name < '${BASELINE}'`,
  locks: [
    { table: 'providers', mode: 'access exclusive' },
    { table: 'work', mode: 'access exclusive' },
  ],
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
 * baseline, and gets its names.
 * @param applied the names of the applied migrations
 * @throws OlderDatabase
 */
export function dueMigrations(applied: readonly string[], ours: readonly Migration[]): readonly Migration[] {
  const due = ours.filter(({ name }) => !applied.includes(name))
  const replaced = applied.filter(isReplaced)
  if (replaced.length === 0 || applied.includes(BASELINE)) return due
  if (replaced.length !== REPLACED.count || !replaced.includes(REPLACED.last)) throw new OlderDatabase(replaced.length)
  return due.map((migration) => (migration.name === BASELINE ? { ...migration, ...MARK } : migration))
}
