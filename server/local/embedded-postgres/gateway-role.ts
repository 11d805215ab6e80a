import { createHmac } from 'node:crypto'
import pg from 'pg'
import { UPGRADING_COMMIT } from '../../storage/baseline.ts'
import { DataFolderError } from './data-folder.ts'
import { type Server } from './postgres-server.ts'
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

/** A Malipo before the baseline made the superuser the owner; its files are not upgraded here. */
export async function refuseOlderOwner({ folder }: Server, { client }: Session, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datdba = $2::regrole', [
    database,
    GATEWAY_ROLE,
  ])
  if (rowCount) return
  throw new DataFolderError(
    'version',
    `The database in ${folder.cluster} is older than this Malipo can upgrade: commit ${UPGRADING_COMMIT} of Malipo upgrades it, or names the one that does.`,
  )
}
