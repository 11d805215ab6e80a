import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isReplaced } from '../../storage/baseline.ts'
import { readMigrations } from '../../storage/migration-files.ts'
import type { DatabaseConnection } from '../../storage/database-hosts.ts'
import { openClient } from '../../storage/open-client.ts'
import type { Pool } from '../../storage/pool.ts'
import { merchantSecret, rsaPrivateKey } from '../../storage/sealed-places.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { firstRowOf } from './rows.ts'

const CONNECT_MS_MAX = 5_000

/**
 * Logs in once, so that an unreachable address fails at once instead of after minutes of silence.
 * @throws ConnectionFailed (ReadOnlyDatabase for a standby), or PostgreSQL's own login error
 */
export async function checkReachable(connection: DatabaseConnection): Promise<void> {
  const client = await openClient({ ...connection, connectMsMax: CONNECT_MS_MAX })
  try {
    await client.query('select')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * False when the data folder has no cluster yet. True also when that cannot be determined: opening it reports the
 * reason.
 */
export const hasEmbeddedDatabase = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

/** `shut`: the owner has not granted this role any rights yet (`runtime-rights.ts`). */
export type SchemaState = 'missing' | 'shut' | 'older' | 'current' | 'newer'

/** Compares the database's migrations with those of this program. */
export async function schemaState(pool: Pool): Promise<SchemaState> {
  const found = await firstRowOf<{ readable: boolean | null }>(
    pool,
    `select has_table_privilege(to_regclass('schema_migrations'), 'select') as readable`,
  )
  if (typeof found?.readable !== 'boolean') return 'missing'
  if (!found.readable) return 'shut'
  const { rows } = await pool.query<{ name: string; kind?: string | null }>('select * from schema_migrations')
  const ours = await readMigrations()
  // This version need not know what a newer version adds, nor what its baseline replaces.
  const unknown = rows.filter(({ name }) => !isReplaced(name) && !ours.some((own) => own.name === name))
  if (unknown.some(({ kind }) => kind !== 'expand')) return 'newer'
  if (rows.length === 0) return 'missing'
  // A migration that drops something we no longer use may wait for older processes.
  const missing = ours.filter(({ name, kind }) => kind !== 'contract' && !rows.some((row) => row.name === name))
  return missing.length > 0 ? 'older' : 'current'
}

/**
 * Opens one sealed value. Sealing with another key than the server's would leave it with secrets that it cannot open.
 * @throws WrongMasterKey when the box has another key; nothing when the database holds no secret yet
 */
export async function checkMasterKey(pool: Pool, box: SecretBox): Promise<void> {
  const rsa = await firstRowOf<{ public_pem: string; sealed: Uint8Array }>(
    pool,
    `select public_pem, sealed_private_pem as sealed from rsa_keys
     where sealed_private_pem is not null order by id desc limit 1`,
  )
  if (rsa) return void box.open(rsa.sealed, rsaPrivateKey(rsa.public_pem))
  const key = await firstRowOf<{ merchant_id: bigint; kind: 'signing_key' | 'webhook_secret'; sealed: Uint8Array }>(
    pool,
    'select merchant_id, kind, sealed from merchant_keys where sealed is not null order by id desc limit 1',
  )
  if (key) box.open(key.sealed, merchantSecret(key.kind, key.merchant_id))
}
