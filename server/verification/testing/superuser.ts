import { inject } from 'vitest'
import type { TestDatabase } from './database.ts'
import { superuserIn } from './database-url.ts'

type Connection = TestDatabase['connection']

/** The connection of PostgreSQL's superuser to the same database. */
export async function asSuperuser({ runtime: _runtime, ...connection }: Connection): Promise<Connection> {
  return { ...connection, ...(await superuserIn(inject('postgresFolder'))) }
}
