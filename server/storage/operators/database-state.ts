import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { DatabaseClient } from '../database-client.ts'
import { readMigrations } from '../migration-files.ts'
import type { Pool } from '../pool.ts'
import { merchantSecret, rsaPrivateKey } from '../sealed-places.ts'
import type { SecretBox } from '../secret-box.ts'

const CONNECT_MS_MAX = 5_000

/**
 * Logs in once, so that an address where nobody answers is an error now instead of a silence of minutes. @throws
 * ConnectionFailed, or what PostgreSQL says about the login
 */
export async function checkReachable(connection: pg.ClientConfig): Promise<void> {
  const client = new DatabaseClient({ ...connection, connectMsMax: CONNECT_MS_MAX })
  client.on('error', () => undefined)
  try {
    await client.connect()
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

export type SchemaState = 'missing' | 'older' | 'current' | 'newer'

/** How the database's migrations compare with those of this program. */
export async function schemaState(pool: Pool): Promise<SchemaState> {
  const {
    rows: [found],
  } = await pool.query<{ there: boolean }>(`select to_regclass('schema_migrations') is not null as there`)
  if (!found?.there) return 'missing'
  const { rows } = await pool.query<{ name: string; kind?: string | null }>('select * from schema_migrations')
  const ours = await readMigrations()
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
