import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export const TEMPLATE = 'malipo_template'

export interface TestDatabase {
  readonly connection: pg.ClientConfig & {
    host: string
    port: number
    user: string
    password: string
    database: string
  }
  drop(): Promise<void>
}

/**
 * A database of its own for one test file: a clone of the migrated and seeded template, or of another one (`template0`
 * is empty).
 */
export async function createTestDatabase(template: typeof TEMPLATE | 'template0' = TEMPLATE): Promise<TestDatabase> {
  const server = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin((admin) => admin.query(`create database ${database} template ${template}`))
  return {
    connection: { ...server, database },
    drop: () => asAdmin((admin) => admin.query(`drop database if exists ${database} with (force)`)),
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
