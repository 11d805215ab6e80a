import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { databaseId } from '../../storage/database-id.ts'
import type { Pool } from '../../storage/pool.ts'
import { CliError } from './errors.ts'

// The token of a login is in a file that only its user can read, one for each database.

interface LoginPlace {
  readonly config: Config
  readonly pool: Pool
}

const folderOf = ({ configHome }: Config): string => join(configHome ?? join(homedir(), '.config'), 'malipo')
const fileOf = async ({ config, pool }: LoginPlace): Promise<string> =>
  join(folderOf(config), `${await databaseId(pool)}.login`)

/** Stores the token. */
export async function writeLoginToken(where: LoginPlace, token: string): Promise<void> {
  const file = await fileOf(where)
  await mkdir(folderOf(where.config), { recursive: true, mode: 0o700 })
  // A new file: an existing one would keep its rights.
  await rm(file, { force: true })
  await writeFile(file, token, { mode: 0o600, flag: 'wx' })
}

/** @throws CliError when others may read the file */
export async function readLoginToken(where: LoginPlace): Promise<string | undefined> {
  const file = await fileOf(where)
  const found = await stat(file).catch(() => undefined)
  if (!found) return undefined
  if ((found.mode & 0o077) !== 0)
    throw new CliError(`malipo: other users can read your login: chmod 600 ${file}\nOr end it, and log in again.`)
  return (await readFile(file, 'utf8')).trim()
}

/** Removes the token. */
export const removeLoginToken = async (where: LoginPlace): Promise<void> => rm(await fileOf(where), { force: true })
