import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrations } from './storage/migration-files.ts'

/** Where `npm ci` stores its prepared folders. */
export const PREPARED = fileURLToPath(new URL('../node_modules/.cache/malipo/databases', import.meta.url))

/**
 * A data folder prepared for the sandbox with exactly these migrations, if there is one. The first new data folder
 * takes it over, so it is used once: no two databases have the same password.
 */
export async function preparedFolder(home = PREPARED): Promise<string> {
  const digest = createHash('sha256')
  for (const { name, sql } of await readMigrations()) digest.update(JSON.stringify([name, sql]))
  return join(home, digest.digest('hex').slice(0, 32))
}
