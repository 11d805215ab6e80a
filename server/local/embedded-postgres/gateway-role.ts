import { createHmac } from 'node:crypto'
import pg from 'pg'
import { DatabaseClient } from '../../storage/database-client.ts'
import { PORT, type Server, USER } from './postgres-server.ts'
import { type Session, ignoreMadeByOther } from './postgres-session.ts'

/**
 * Owner of the database in the gateway's own PostgreSQL, and of everything in it, so that it can migrate, but no
 * superuser. That limits what a faulty statement could do: it can read no file, run no program and change no setting.
 */
export const GATEWAY_ROLE = 'malipo_gateway'

/**
 * The gateway's role while it serves: it has no DDL rights, and may only read and append to the ledger
 * (`storage/runtime-rights.ts`).
 */
export const RUNTIME_ROLE = 'malipo_runtime'

export type EmbeddedRole = typeof GATEWAY_ROLE | typeof RUNTIME_ROLE

/** Derived from the superuser's password, one way only, so the data folder stores no further password. */
export const passwordOf = (role: EmbeddedRole, { password }: Server): string =>
  createHmac('sha256', password).update(role).digest('base64url')

/** Creates missing roles, and resets the rights of roles that somebody changed. */
export async function ensureRoles(server: Server, session: Session): Promise<void> {
  await ensureRole(server, session, GATEWAY_ROLE, server.mayMakeDatabases)
  await ensureRole(server, session, RUNTIME_ROLE, false)
}

async function ensureRole(
  server: Server,
  { client }: Session,
  name: EmbeddedRole,
  mayMakeDatabases: boolean,
): Promise<void> {
  const createdb = mayMakeDatabases ? 'createdb' : 'nocreatedb'
  const rights = `login nosuperuser nocreaterole noreplication nobypassrls ${createdb}`
  const {
    rows: [role],
  } = await client.query<{ plain: boolean }>(
    `select not (rolsuper or rolcreaterole or rolreplication or rolbypassrls) and rolcreatedb = $2 as plain
     from pg_roles where rolname = $1`,
    [name, mayMakeDatabases],
  )
  if (role?.plain) return
  // Tests and benches start comparisons with a checkpoint, and drop databases in which the other role is logged in.
  const checkpoint = mayMakeDatabases ? `; grant pg_checkpoint, pg_signal_backend to ${name}` : ''
  const password = pg.escapeLiteral(passwordOf(name, server))
  const statement = `${role ? 'alter' : 'create'} role ${name} ${rights} password ${password}${checkpoint}`
  await client.query(statement).catch(ignoreMadeByOther)
}

/**
 * Transfers a database that the superuser created before this role existed, with everything in it, to the role. One
 * statement at a time, the database last: it never holds two locks at once, and after a kill the next start completes
 * it.
 */
export async function handToGatewayRole(server: Server, { client, host }: Session, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datdba = $2::regrole', [
    database,
    GATEWAY_ROLE,
  ])
  if (rowCount) return
  const inside = new DatabaseClient({ host, port: PORT, user: USER, password: server.password, database, ssl: false })
  inside.on('error', () => {}) // the statement on the broken connection reports the error
  await inside.connect()
  try {
    const { rows } = await inside.query<{ statement: string }>(OWNED_BY_SUPERUSER, [GATEWAY_ROLE])
    for (const { statement } of rows) await inside.query(statement)
  } finally {
    await inside.end()
  }
  await client.query(`alter database ${pg.escapeIdentifier(database)} owner to ${GATEWAY_ROLE}`)
}

/**
 * One statement for each schema, table, view, free sequence, function and free type outside the catalogue. Indexes,
 * and sequences of identity columns, follow their tables; members of an extension stay with it. `reassign owned`
 * rejects objects of the bootstrap superuser.
 */
const OWNED_BY_SUPERUSER = `
  with ours as (
    select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  ), depending as (
    select classid, objid from pg_depend where deptype in ('a', 'i', 'e')
  ), owned as (
    select 1 as step, 'schema' as kind, format('%I', nspname) as name
    from pg_namespace where oid in (select oid from ours) and nspowner = current_user::regrole
    union all
    select 2, case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
      else 'table' end, format('%I.%I', nspname, relname)
    from pg_class c join ours on ours.oid = relnamespace
    where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm', 'S')
      and not (relkind = 'S' and (1259, c.oid) in (select classid::int, objid from depending))
    union all
    select 3, 'routine', format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid))
    from pg_proc p join ours on ours.oid = pronamespace
    where proowner = current_user::regrole and (1255, p.oid) not in (select classid::int, objid from depending)
    union all
    select 4, 'type', format('%I.%I', nspname, typname)
    from pg_type t join ours on ours.oid = typnamespace where typowner = current_user::regrole and typtype in ('e', 'd')
  )
  select format('alter %s %s owner to %I', kind, name, $1::text) as statement from owned order by step, name`
