import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrations, type Migration } from '../migration-files.ts'
import type { DatabaseConnection } from '../database-hosts.ts'
import { openClient } from '../open-client.ts'
import type { Pool } from '../pool.ts'
import { merchantSecret, rsaPrivateKey } from '../sealed-places.ts'
import type { SecretBox } from '../secret-box.ts'

const CONNECT_MS_MAX = 5_000

/**
 * Logs in once, so that an address where nobody answers is an error now instead of a silence of minutes. @throws
 * ConnectionFailed (ReadOnlyDatabase of a standby), or what PostgreSQL says about the login
 */
export async function checkReachable(connection: DatabaseConnection): Promise<void> {
  const client = await openClient({ ...connection, connectMsMax: CONNECT_MS_MAX })
  try {
    await client.query('select')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** False when no cluster was made in the data folder yet; true also when that cannot be seen: opening it tells why. */
export const hasEmbeddedDatabase = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

/** `shut`: the owner has given this role no rights yet (`runtime-rights.ts`). */
export type SchemaState = 'missing' | 'shut' | 'older' | 'current' | 'newer'

/**
 * How the database's migrations compare with those of this program.
 * @param given those of this program, for who asks often
 */
export async function schemaState(pool: Pool, given?: readonly Migration[]): Promise<SchemaState> {
  const {
    rows: [found],
  } = await pool.query<{ readable: boolean | null }>(
    `select has_table_privilege(to_regclass('schema_migrations'), 'select') as readable`,
  )
  if (typeof found?.readable !== 'boolean') return 'missing'
  if (!found.readable) return 'shut'
  const { rows } = await pool.query<{ name: string; kind?: string | null }>('select * from schema_migrations')
  const ours = given ?? (await readMigrations())
  // Of what a newer version adds, this one need not know.
  if (rows.some(({ name, kind }) => kind !== 'expand' && !ours.some((own) => own.name === name))) return 'newer'
  if (rows.length === 0) return 'missing'
  // What takes away what we do not use may wait for older processes.
  const missing = ours.filter(({ name, kind }) => kind !== 'contract' && !rows.some((row) => row.name === name))
  return missing.length > 0 ? 'older' : 'current'
}

/**
 * Opens something that was sealed before. Sealing with another key than the server's would leave it with secrets that
 * it cannot open.
 * @throws WrongMasterKey when the box has another key; nothing when the database holds no secret yet
 */
export async function checkMasterKey(pool: Pool, box: SecretBox): Promise<void> {
  const {
    rows: [rsa],
  } = await pool.query<{ public_pem: string; sealed: Uint8Array }>(
    `select public_pem, sealed_private_pem as sealed from rsa_keys
     where sealed_private_pem is not null order by id desc limit 1`,
  )
  if (rsa) return void box.open(rsa.sealed, rsaPrivateKey(rsa.public_pem))
  const {
    rows: [key],
  } = await pool.query<{ merchant_id: bigint; kind: 'signing_key' | 'webhook_secret'; sealed: Uint8Array }>(
    'select merchant_id, kind, sealed from merchant_keys where sealed is not null order by id desc limit 1',
  )
  if (key) box.open(key.sealed, merchantSecret(key.kind, key.merchant_id))
}
