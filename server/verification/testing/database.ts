import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl } from './database-url.ts'
import { cloneStatement } from './test-postgres.ts'

export { databaseUrl } from './database-url.ts'

export const TEMPLATE = 'malipo_template'
/** The template of a test's database: the migrated and seeded one, or the empty one. */
export type Template = typeof TEMPLATE | 'template0'

export interface TestDatabase {
  readonly connection: pg.ClientConfig & {
    host: string
    port: number
    user: string
    password: string
    database: string
    /** The role that a gateway logs in as. Absent: the same. */
    runtime?: { readonly user: string; readonly password: string }
  }
  drop(): Promise<void>
}

/** The environment of a gateway or command on this database: as the runtime role, where there is one. */
export const databaseEnv = (
  connection: TestDatabase['connection'],
): { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL?: string } =>
  connection.runtime === undefined
    ? { DATABASE_URL: databaseUrl(connection) }
    : {
        DATABASE_URL: databaseUrl({ ...connection, ...connection.runtime }),
        MIGRATION_DATABASE_URL: databaseUrl(connection),
      }

/** Runs what the role of a gateway may not do: a change of tables. */
export async function asOwner(owner: TestDatabase['connection'], statements: string): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

const AUTOVACUUM_ENDS_MS_MAX = 60_000
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Drops a database of the tests. Autovacuum may be running in it, which belongs to the superuser and ends by itself.
 */
export async function dropDatabase(admin: pg.Client, database: string): Promise<void> {
  const deadline = performance.now() + AUTOVACUUM_ENDS_MS_MAX
  for (;;) {
    try {
      await admin.query(`drop database if exists ${database} with (force)`)
      return
    } catch (error) {
      const mayPass = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
      if (!mayPass || performance.now() > deadline) throw error
      await setTimeout(200)
    }
  }
}

/**
 * A database of its own for one test file: a clone of the migrated and seeded template, or of another one (`template0`
 * is empty).
 */
export async function createTestDatabase(template: Template = TEMPLATE): Promise<TestDatabase> {
  const server = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin((admin) => admin.query(cloneStatement(database, template)))
  return {
    connection: { ...server, database, runtime: inject('postgresRuntime') },
    drop: () => asAdmin((admin) => dropDatabase(admin, database)),
  }

  async function asAdmin(run: (admin: pg.Client) => Promise<unknown>): Promise<void> {
    const admin = new pg.Client({ ...server, database: 'postgres' })
    await admin.connect()
    try {
      await run(admin)
    } finally {
      await admin.end()
    }
  }
}
