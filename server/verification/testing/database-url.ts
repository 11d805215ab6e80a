import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** The address of a database as DATABASE_URL has it; the host is the folder of PostgreSQL's socket. */
export const databaseUrl = ({ host = '', port, user, password, database }: pg.ClientConfig): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** The same through a proxy on the loopback interface. */
export const databaseUrlAt = (proxyPort: number, { user, password, database }: pg.ClientConfig): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${proxyPort}/${database}`

/** The login of the embedded PostgreSQL's superuser, which the gateway's own role is not. */
export async function superuserIn(dataDir: string): Promise<{ readonly user: string; readonly password: string }> {
  return { user: 'malipo', password: (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim() }
}
