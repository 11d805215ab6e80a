import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestDatabase } from './database.ts'

type Connection = TestDatabase['connection']

/** The connection of PostgreSQL's superuser to the same database. */
export async function asSuperuser({ runtime: _runtime, ...connection }: Connection): Promise<Connection> {
  const password = await readFile(join(inject('postgresFolder'), 'postgres-password'), 'utf8')
  return { ...connection, user: 'malipo', password: password.trim() }
}
