import { createTestDatabase, type Template, type TestDatabase } from './database.ts'
import { forFile } from './for-file.ts'

export interface TwoRoles {
  readonly owner: TestDatabase['connection']
  /** The connection of a role without DDL, as the servers use. */
  readonly runtime: TestDatabase['connection']
}

/** A database of the test file's own, accessed with each of its roles. */
export async function twoRoles(template?: Template): Promise<TwoRoles> {
  const { connection } = await forFile(createTestDatabase(template))
  const { runtime, ...owner } = connection
  return { owner, runtime: { ...owner, ...runtime } }
}
