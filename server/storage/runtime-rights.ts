import type { DatabaseConnection } from './database-hosts.ts'
import { openClient } from './open-client.ts'
import type { Queryable } from './pool.ts'

// Two PostgreSQL roles. The owner owns the tables, runs migrations, and creates and archives months. The servers and
// most commands log in as the runtime role. It has no DDL rights, and may only read and append to the ledger.

/** Tables that only the owner writes. */
export const READ_ONLY_TABLES: readonly string[] = [
  'schema_migrations',
  'history_months',
  'database_mode',
  'uncaused_transfers',
]

/**
 * A table with this trigger is append-only for the runtime role too, so a new table gets its rights from its own
 * migration. Partitions are accessed only through their parent table.
 */
const APPEND_ONLY_TRIGGER = 'append_only'

/**
 * A `select … for share` needs the update right on some column. It waits for a migration, which locks the table, so a
 * starting process either sees the migration or is seen by it (`migrate.ts`).
 */
const SHARE_COLUMN = { table: 'schema_migrations', column: 'applied_at' } as const

/** The role of DATABASE_URL can do more than its grants allow. */
export class UnboundedRuntimeRole extends Error {
  override readonly name = 'UnboundedRuntimeRole'

  constructor(role: string, reason: string) {
    super(
      `the role ${role} of DATABASE_URL ${reason}: nothing would prevent it from changing the ledger.\n` +
        `Make a role without rights of its own (create role malipo_runtime login password '…'), and name it in DATABASE_URL.`,
    )
  }
}

/** DATABASE_URL and MIGRATION_DATABASE_URL point to different databases. */
export class OtherDatabase extends Error {
  override readonly name = 'OtherDatabase'

  constructor(runtime: string, owner: string) {
    super(
      `DATABASE_URL leads to the database ${runtime}, and MIGRATION_DATABASE_URL to ${owner}, or to another server.\n` +
        'Both name the same database, each with a role of its own.',
    )
  }
}

/** MIGRATION_DATABASE_URL does not lead to a role that could migrate. */
export class OwnerAway extends Error {
  override readonly name = 'OwnerAway'

  constructor(cause: unknown) {
    super(
      `MIGRATION_DATABASE_URL cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.\n` +
        'Correct it, or unset it where the owner is not needed.',
      { cause },
    )
  }
}

interface Login {
  readonly role: string
  readonly database: string
  /** Identifies the cluster: two clusters may each have a database of the same name. */
  readonly cluster: string
}

const LOGIN = `select current_user as role, current_database() as database,
  (select system_identifier::text from pg_control_system()) as cluster`

/**
 * The role that the servers log in as; undefined when that is the owner's role.
 * @param owner a session of MIGRATION_DATABASE_URL
 * @throws OtherDatabase; UnboundedRuntimeRole; why DATABASE_URL cannot be used
 */
async function runtimeRoleOf(owner: Queryable, connection: DatabaseConnection): Promise<string | undefined> {
  const [ownerLogin, runtime] = [await loginOf(owner), await loginThrough(connection)]
  if (runtime.database !== ownerLogin.database || runtime.cluster !== ownerLogin.cluster)
    throw new OtherDatabase(runtime.database, ownerLogin.database)
  if (runtime.role === ownerLogin.role) return undefined
  await refuseUnbounded(owner, runtime.role)
  return runtime.role
}

/** How the two roles connect, as `openDatabase` takes it. */
interface Roles {
  /** For the servers and most commands. */
  readonly connection: DatabaseConnection
  /** For the owner, where it has its own URL. */
  readonly owner: DatabaseConnection | undefined
}

/** The role that runs migrations, and creates and archives months. */
export interface Owner {
  readonly connection: DatabaseConnection
  /** The role that the owner grants rights to. Absent: the servers log in as the owner. */
  readonly runtimeRole: string | undefined
}

/** @throws OwnerAway; the errors of runtimeRoleOf */
export async function ownerOf({ connection, owner }: Roles): Promise<Owner> {
  if (owner === undefined) return { connection, runtimeRole: undefined }
  const client = await openClient(owner).catch((error: unknown) => {
    throw new OwnerAway(error)
  })
  try {
    return { connection: owner, runtimeRole: await runtimeRoleOf(client, connection) }
  } finally {
    await client.end()
  }
}

async function loginThrough(connection: DatabaseConnection): Promise<Login> {
  const client = await openClient(connection)
  try {
    return await loginOf(client)
  } finally {
    await client.end()
  }
}

async function loginOf(client: Queryable): Promise<Login> {
  const { rows } = await client.query<Login>(LOGIN)
  const [login] = rows
  if (!login) throw new Error('PostgreSQL does not say who logged in')
  return login
}

/** Predefined PostgreSQL roles whose members need no rights on a table. */
const POWERFUL = ['pg_write_all_data', 'pg_execute_server_program', 'pg_write_server_files']

async function refuseUnbounded(owner: Queryable, role: string): Promise<void> {
  const { rows } = await owner.query<{ reason: string }>(UNBOUNDED_REASONS, [role, POWERFUL])
  if (rows[0]) throw new UnboundedRuntimeRole(role, rows[0].reason)
}

/**
 * Includes tables of any other owner: where the servers have run the migrations so far, the runtime role owns the
 * tables.
 */
const UNBOUNDED_REASONS = `
  with runtime as (select * from pg_roles where rolname = $1)
  select 'is a superuser' as reason from runtime where rolsuper
  union all select 'may make roles' from runtime where rolcreaterole
  union all select 'owns the database' from runtime join pg_database on datname = current_database()
    where pg_has_role(runtime.oid, datdba, 'member')
  union all select 'is a member of the owner''s role ' || current_user from runtime
    where pg_has_role(runtime.oid, current_user, 'member')
  union all (select 'owns the table ' || c.relname || ' (as the owner: reassign owned by ' || quote_ident(pg_get_userbyid(c.relowner))
      || ' to ' || quote_ident(current_user) || ')'
    from runtime join pg_class m on m.oid = to_regclass('schema_migrations')
      join pg_class c on c.relnamespace = m.relnamespace and c.relkind in ('r', 'p')
    where pg_has_role(runtime.oid, c.relowner, 'member') order by c.relname limit 1)
  union all select 'is a member of ' || r.rolname from runtime join pg_roles r on r.rolname = any($2::text[])
    where pg_has_role(runtime.oid, r.oid, 'member')
  limit 1`

/**
 * Grants the runtime role the rights that it needs, and revokes all others; changes nothing when they already match.
 * Call it as the owner, again after each migration.
 * @returns the statements that were needed
 */
export async function grantRuntimeRights(owner: Queryable, role: string): Promise<readonly string[]> {
  if ((await missingRights(owner, role)).length === 0) return []
  await owner.query('begin')
  try {
    // Without the lock, PostgreSQL would fail one of two concurrent grants.
    await owner.query('lock table schema_migrations in exclusive mode')
    const statements = await missingRights(owner, role)
    if (statements.length > 0) await owner.query(statements.join(';\n'))
    await owner.query('commit')
    return statements
  } catch (error) {
    await owner.query('rollback').catch(() => undefined)
    throw error
  }
}

async function missingRights(owner: Queryable, role: string): Promise<string[]> {
  const { rows } = await owner.query<{ statement: string }>(MISSING_RIGHTS, [
    role,
    READ_ONLY_TABLES,
    APPEND_ONLY_TRIGGER,
    SHARE_COLUMN.table,
    SHARE_COLUMN.column,
  ])
  return rows.map(({ statement }) => statement)
}

/** Our schemas: the one with the migrations, and the sandbox's. */
const OUR_SCHEMAS = `select oid, nspname, nspacl from pg_namespace
  where nspname = 'sandbox' or oid = (select relnamespace from pg_class where oid = 'schema_migrations'::regclass)`

/** Ordered by dependency: column revokes follow table revokes, because a table revoke also removes column rights. */
const MISSING_RIGHTS = `
  with ours as (${OUR_SCHEMAS}), runtime as (select oid, rolname from pg_roles where rolname = $1),
  relation as (
    select c.oid, c.oid::regclass::text as name, case c.relkind when 'S' then 'sequence' else 'table' end as kind,
      case
        when c.relkind = 'S' then array['SELECT', 'USAGE']
        when c.relispartition then array[]::text[]
        when c.relname = any($2::text[]) then array['SELECT']
        when exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = $3) then array['INSERT', 'SELECT']
        -- An import analyzes it at once; before PostgreSQL 17, which has this right, that waits for autovacuum.
        when c.relname = 'statement_lines' and current_setting('server_version_num')::int >= 170000
          then array['DELETE', 'INSERT', 'MAINTAIN', 'SELECT', 'UPDATE']
        else array['DELETE', 'INSERT', 'SELECT', 'UPDATE']
      end as wanted,
      array(select distinct a.privilege_type from aclexplode(c.relacl) a, runtime r where a.grantee = r.oid) as held
    from pg_class c join ours on ours.oid = c.relnamespace where c.relkind in ('r', 'p', 'S')
  ), of_columns as (
    select c.name, t.attname as column, a.privilege_type as privilege,
      c.name = $4 and t.attname = $5 and a.privilege_type = 'UPDATE' as is_wanted
    from relation c join pg_attribute t on t.attrelid = c.oid and t.attacl is not null
      cross join lateral aclexplode(t.attacl) a, runtime r where a.grantee = r.oid
  ), needed as (
    select 1 as step, format('grant usage on schema %I to %I', nspname, rolname) as statement from ours, runtime r
      where not has_schema_privilege(r.oid, ours.oid, 'usage')
    union all
    select 1, format('revoke create on schema %I from %I', nspname, rolname) from ours, runtime r
      where exists (select from aclexplode(nspacl) a where a.grantee = r.oid and a.privilege_type = 'CREATE')
    union all
    select 1, format('grant temporary on database %I to %I', current_database(), rolname) from runtime r
      where not has_database_privilege(r.oid, current_database(), 'temporary')
    union all
    select 1, format('grant execute on function %s to %I', p.oid::regprocedure, rolname)
      from pg_proc p join ours on ours.oid = p.pronamespace, runtime r
      where p.prokind = 'f' and not has_function_privilege(r.oid, p.oid, 'execute')
    union all
    select 2, format('revoke %s on %s %s from %I', string_agg(x, ', '), kind, name, rolname)
      from relation, runtime, unnest(held) x where x <> all(wanted) group by kind, name, rolname
    union all
    select 2, format('revoke all on %s %s from public', relation.kind, name) from relation join pg_class c using (oid)
      where exists (select from aclexplode(c.relacl) a where a.grantee = 0)
    union all
    select 3, format('grant %s on %s %s to %I', string_agg(x, ', '), kind, name, rolname)
      from relation, runtime, unnest(wanted) x where x <> all(held) group by kind, name, rolname
    union all
    select 4, format('revoke %s (%I) on table %s from %I', privilege, "column", name, rolname)
      from of_columns, runtime where not is_wanted
    union all
    select 5, format('grant update (%I) on table %s to %I', $5::text, $4::text, rolname) from runtime
      where not exists (select from of_columns where is_wanted)
  )
  select statement from needed order by step, statement`

const READ_ONLY = READ_ONLY_TABLES.map((name) => `'${name}'`).join(', ')

/**
 * For a session of the runtime role: rights to change or delete what it may only append to or read, by itself or
 * through a role that it can assume. Empty if the role owns the tables: a warning of its own reports that.
 */
export const EXCESS_RIGHTS = `
  with ours as (${OUR_SCHEMAS}), able as (select oid from pg_roles where pg_has_role(oid, 'member')),
  owned as (select pg_has_role(relowner, 'usage') as by_us from pg_class where oid = 'schema_migrations'::regclass)
  select c.oid::regclass::text || ' may be changed by the role ' || current_user
  from pg_class c cross join owned
  where c.relkind in ('r', 'p') and not by_us
    and (c.relname in (${READ_ONLY})
      or exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = '${APPEND_ONLY_TRIGGER}'))
    and c.relnamespace in (select oid from ours)
    and exists (select from able where has_table_privilege(able.oid, c.oid, 'update, delete, truncate, trigger')
      or (c.relname in (${READ_ONLY}) and has_table_privilege(able.oid, c.oid, 'insert'))
      or (has_any_column_privilege(able.oid, c.oid, 'update') and c.relname <> '${SHARE_COLUMN.table}'))
  union all
  select 'the role ' || current_user || ' may make tables in the schema ' || nspname
  from ours cross join owned where not by_us
    and exists (select from able where has_schema_privilege(able.oid, ours.oid, 'create'))
  union all
  select 'the role ' || current_user || ' may make schemas' from owned where not by_us
    and exists (select from able where has_database_privilege(able.oid, current_database(), 'create'))
  union all
  select 'the role ' || current_user || ' may keep triggers from being called (session_replication_role)' from owned
  where not by_us
    and exists (select from able where has_parameter_privilege(able.oid, 'session_replication_role', 'set'))`
