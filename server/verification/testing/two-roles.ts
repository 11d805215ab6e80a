import { createTestDatabase, type Template, type TestDatabase } from './database.ts'
import { afterAll } from 'vitest'
import { createPool, type Pool } from '../../storage/pool.ts'
import { forFile } from './for-file.ts'

interface TwoRoles {
  readonly owner: TestDatabase['connection']
  /** The connection of a role without DDL, as the servers use. */
  readonly runtime: TestDatabase['connection']
  /** A pool of that role, which connects with its first query. */
  poolOf(role: 'owner' | 'runtime'): Pool
}

/** A database of the test file's own, accessed with each of its roles. */
export async function twoRoles(template?: Template): Promise<TwoRoles> {
  const { connection } = await forFile(createTestDatabase(template))
  const { runtime, ...owner } = connection
  const connections = { owner, runtime: { ...owner, ...runtime } }
  return {
    ...connections,
    poolOf(role) {
      const pool = createPool({ connection: connections[role], connectionsMax: 4, onError: () => undefined })
      afterAll(() => pool.end())
      return pool
    },
  }
}
